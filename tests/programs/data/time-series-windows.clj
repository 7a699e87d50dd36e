; Moving averages, running totals and gaps in a series of daily measurements.
(def readings
  [{:day 1 :temp 12.5} {:day 2 :temp 13.1} {:day 3 :temp 12.9} {:day 5 :temp 15.0}
   {:day 6 :temp 16.2} {:day 7 :temp 15.8} {:day 10 :temp 11.0} {:day 11 :temp 10.5}])

(defn moving-average [n xs]
  (->> xs
       (partition n 1)
       (map #(/ (apply + %) (double n)))))

(defn gaps [days]
  (->> (map vector days (rest days))
       (filter (fn [[a b]] (> (- b a) 1)))
       (mapv (fn [[a b]] (vec (range (inc a) b))))))

(defn runs
  "Consecutive days, as [first last] pairs."
  [days]
  (->> (map-indexed (fn [i d] [(- d i) d]) days)
       (partition-by first)
       (mapv (fn [group] [(second (first group)) (second (last group))]))))

(defn trend [[a b]]
  (cond (< a b) :up
        (> a b) :down
        :else   :flat))

(let [temps (map :temp readings)
      days  (map :day readings)
      ma    (moving-average 3 temps)]
  (println "averages:" (map #(format "%.2f" %) ma))
  (println "running max:" (reductions max temps))
  (println "sum so far:" (map #(/ (Math/round (* 10 %)) 10.0) (reductions + temps)))
  {:gaps    (gaps days)
   :runs    (runs days)
   :trends  (map (comp trend vec) (partition 2 1 temps))
   :phases  (mapv (juxt first count) (partition-by identity (map trend (partition 2 1 temps))))
   :hottest (apply max-key :temp readings)
   :above   (->> readings (drop-while #(< (:temp %) 15)) (take-while #(>= (:temp %) 15)) (mapv :day))})
