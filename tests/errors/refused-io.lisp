;; Files are not there.
(slurp "data.json")
