;; The constructor of a record.
(->Point 1 2)
