;; The largest of no numbers.
(reduce max [])
