;; Solve the knapsack problem by dynamic programming and by a greedy choice.
(def items
  [{:name "map" :weight 9 :value 150}
   {:name "compass" :weight 13 :value 35}
   {:name "water" :weight 153 :value 200}
   {:name "sandwich" :weight 50 :value 160}
   {:name "glucose" :weight 15 :value 60}
   {:name "tin" :weight 68 :value 45}
   {:name "banana" :weight 27 :value 60}
   {:name "camera" :weight 32 :value 30}
   {:name "umbrella" :weight 73 :value 40}])

(declare best)

(defn best* [i capacity]
  (if (neg? i)
    {:value 0 :names []}
    (let [{:keys [name weight value]} (items i)
          skip (best (dec i) capacity)]
      (if (> weight capacity)
        skip
        (let [take-it (-> (best (dec i) (- capacity weight))
                          (update :value + value)
                          (update :names conj name))]
          (if (> (:value take-it) (:value skip)) take-it skip))))))

(def best (memoize best*))

(defn table
  "Best values for each capacity up to `cap`, row by row."
  [cap]
  (reduce (fn [row {:keys [weight value]}]
            (mapv (fn [c]
                    (cond-> (row c)
                      (<= weight c) (max (+ value (row (- c weight))))))
                  (range (inc cap))))
          (vec (repeat (inc cap) 0))
          items))

(defn greedy [cap]
  (:names
   (reduce (fn [{:keys [left] :as acc} {:keys [name weight]}]
             (if (<= weight left)
               (-> acc (update :left - weight) (update :names conj name))
               acc))
           {:left cap :names []}
           (sort-by (fn [{:keys [value weight]}] (- (/ value weight))) items))))

(defn total [names]
  (transduce (comp (filter (comp (set names) :name)) (map :value)) + items))

(doseq [cap [50 100 200]]
  (println cap (best (dec (count items)) cap)))

{:table (peek (table 200))
 :agree? (every? #(= (:value (best (dec (count items)) %)) (peek (table %))) [10 60 110 160])
 :greedy [(greedy 100) (total (greedy 100))]
 :loses-by (- (peek (table 200)) (total (greedy 200)))}
