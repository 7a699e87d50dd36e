;; A string where a number should be.
(+ 1 "2")
