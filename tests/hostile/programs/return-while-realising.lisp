;; ends in value
(def j (lazy-seq (return 1)))
