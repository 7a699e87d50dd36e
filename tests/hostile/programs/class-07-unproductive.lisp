;; ends in limit/fuel
(first (filter neg? (range)))
;; ends in limit
(= (range) (range))
;; ends in limit
(println (iterate inc 0))
;; ends in limit/fuel
(first (remove (constantly true) (repeat 1)))
;; ends in limit
(count (cycle [1]))
;; ends in limit
(last (repeatedly (fn [] 1)))
;; ends in limit
(first (mapcat (fn [x] []) (range)))
;; ends in limit
(first (drop-while (fn [x] true) (range)))
;; ends in limit
(some neg? (range))
;; ends in limit
(into [] (distinct) (cycle [1 2]))
;; ends in limit
(first (apply concat (repeat [])))
;; ends in limit
(every? number? (iterate inc 0))
;; ends in limit
(transduce (filter neg?) + (range))
;; ends in limit
(nth (range) 1000000000000)
;; ends in limit
(str (range))
;; ends in limit
(first (flatten (repeat [])))
;; ends in limit
(first (dedupe (repeat 1))) (second (dedupe (repeat 1)))
;; ends in limit
(hash (range))
;; ends in limit
(conj #{} (range))
;; ends in limit
(sort (range))
;; ends in limit
(second (partition-by identity (repeat 1)))
;; ends in limit
(first (keep (fn [x] nil) (range)))
;; ends in limit
(reduce (fn [a b] b) (eduction (filter neg?) (range)))
;; ends in limit
(defn spin [] (lazy-seq (spin))) (first (spin))
