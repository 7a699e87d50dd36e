;; ends in value
(def j (map (fn [x] (return [x j])) (range 5))) (def k (lazy-seq (return (lazy-seq (return k)))))
