;; An array.
(aset (int-array 3) 0 1)
