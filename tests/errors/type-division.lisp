;; Division of nothing.
(/ nil 2)
