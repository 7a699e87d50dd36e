;; A vector taken for an array.
(aset [1 2 3] 0 1)
