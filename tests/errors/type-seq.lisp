;; map over a number.
(map inc 5)
