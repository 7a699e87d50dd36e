;; count of a number.
(count 5)
