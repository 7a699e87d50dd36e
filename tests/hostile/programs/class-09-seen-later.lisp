;; ends in value
(def xs (map (fn [x] (println x)) (range)))
;; ends in value
(def xs (filter (fn [x] (/ x 0)) (range))) nil
;; ends in value
(def xs (iterate (fn [x] (throw (ex-info "later" {}))) 0))
;; ends in value
(def xs {:a (map inc (range)) :b [(map dec (range))]})
;; ends in value
(def xs (lazy-seq (loop [] (recur))))
;; ends in value
(defn spin [] (lazy-seq (spin))) (def xs (spin))
;; ends in value
(def d (delay (println "later")))
