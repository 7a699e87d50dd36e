;; ends in limit
(->> (range 9000000000000000000) (map (fn [x] (* x 1))) (filter (fn [x] (< x 0))) (reduce +))
;; ends in limit
(count (filter (fn [x] (> x 5)) (map inc (range 9000000000000000000))))
;; ends in limit
(let [v (vec (range 1000)) w (mapv (fn [_] v) (range 100000))] (count (mapcat identity (mapcat identity (mapv (fn [_] w) (range 1000))))))
;; ends in limit
(let [v (vec (range 1000)) w (mapv (fn [_] v) (range 1000))] (loop [i 0] (->> w (mapcat identity) (map inc) (reduce +)) (recur (inc i))))
;; ends in limit
(let [v (conj (vec (range 100)) 9223372036854775807)] (loop [i 0] (try (->> v (map inc) (map inc) (map inc) (map inc) (map inc) (map inc) (filter pos?) (reduce +)) (catch Exception e nil)) (recur (inc i))))
;; ends in limit
(let [v (assoc (vec (range 64)) 31 nil)] (loop [] (try (->> v (filter identity) (map (fn [x] (* x 9223372036854775807))) (reduce +)) (catch Exception e nil)) (recur)))
;; ends in limit or value
(let [v (vec (range 100000))] (count (mapv identity (mapcat (fn [x] v) (filter even? v)))))
