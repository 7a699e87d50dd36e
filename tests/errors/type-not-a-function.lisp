;; A number called as a function.
(def total 5)
(total)
