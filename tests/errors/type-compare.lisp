;; Sorting what cannot be compared.
(sort [3 "a" 1])
