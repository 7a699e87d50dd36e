;; Used before its definition has run.
(println total)
(def total 5)
