;; Order instants written as #inst literals and measure the time between them.
(def readings
  [{:at #inst "2024-03-10T12:00:00.000-00:00" :v 3}
   {:at #inst "2024-03-10T11:30:15.500-00:00" :v 5}
   {:at #inst "2024-03-11" :v 8}
   {:at #inst "2024-03-10T14:00:00+02:00" :v 1}])

(defn millis [r] (inst-ms (:at r)))

(def ordered (sort-by (juxt :at :v) readings))

(def steps
  (map (fn [[a b]]
         {:seconds (/ (- (millis b) (millis a)) 1000.0)
          :delta (- (:v b) (:v a))})
       (partition 2 1 ordered)))

(println (pr-str (:at (first ordered))))
(println (every? inst? (map :at readings)))

(defn bucket [ms-size r]
  (* ms-size (quot (millis r) ms-size)))

{:values (mapv :v ordered)
 :steps (vec steps)
 :same? (= (:at (nth readings 0)) (:at (nth readings 3)))
 :buckets (->> readings
               (group-by (partial bucket (* 60 60 1000)))
               (sort-by key)
               (map (fn [[k rs]] [(java.util.Date. k) (count rs)])))
 :latest (->> readings (map :at) (reduce (fn [a b] (if (pos? (compare a b)) a b))))}
