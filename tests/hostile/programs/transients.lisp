;; ends in limit/memory
(loop [all []] (recur (conj all (transient []))))
;; ends in limit/fuel
(loop [] (persistent! (transient [])) (recur))
;; ends in limit/fuel
(let [t (transient [])] (loop [] (conj! t 1) (pop! t) (recur)))
;; ends in limit
(let [t (transient [])] (loop [] (conj! t 1) (recur)))
;; ends in limit/memory
(let [t (transient {})] (loop [i 0] (assoc! t i i) (recur (inc i))))
;; ends in limit/memory
(let [v (vec (range 100000))] (loop [] (conj! (transient v) 1) (recur)))
;; ends in limit/fuel
(let [t (transient {}) k (vec (range 100000))] (loop [] (assoc! t k 1) (recur)))
;; ends in limit
(let [t (transient {})] (conj! t (map (fn [i] (first {i i})) (range))))
;; ends in limit/depth
(loop [x []] (recur (persistent! (conj! (transient []) x))))
;; ends in value
(let [t (transient [])] (conj! t t) (hash t) (= t t) (count (pr-str (persistent! t))))
;; ends in limit/fuel
(let [t (transient #{})] (loop [] (conj! t (lazy-seq (do (conj! t 1) [1]))) (recur)))
