;; An index past the end.
(assoc [1] 5 1)
