;; An if with four parts.
(if true 1 2 3)
