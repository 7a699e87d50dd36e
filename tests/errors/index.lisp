;; Past the end.
(nth [1 2 3] 3)
