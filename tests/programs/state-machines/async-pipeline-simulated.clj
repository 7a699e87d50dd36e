; Workers and bounded queues simulated in ticks: producers, stages with times, back-pressure and a timeline.
(def stages
  [{:name :parse :time 1 :capacity 2}
   {:name :enrich :time 3 :capacity 1}
   {:name :store :time 2 :capacity 2}])

(def empty-queue clojure.lang.PersistentQueue/EMPTY)

(defn init [items]
  {:tick 0
   :input (into empty-queue items)
   :stages (mapv (fn [s] (assoc s :queue empty-queue :busy nil)) stages)
   :done []
   :events []})

(defn event [sim & e] (update sim :events conj (into [(:tick sim)] e)))

(defn accept? [{:keys [queue capacity]}] (< (count queue) capacity))

(defn finish [sim i]
  (let [{:keys [busy name]} (get-in sim [:stages i])
        {:keys [item left]} busy]
    (if (and busy (zero? left))
      (let [next-stage (get-in sim [:stages (inc i)])]
        (cond
          (nil? next-stage)
          (-> sim (assoc-in [:stages i :busy] nil) (update :done conj [item (:tick sim)]) (event name :done item))

          (accept? next-stage)
          (-> sim (assoc-in [:stages i :busy] nil) (update-in [:stages (inc i) :queue] conj item))

          :else (event sim name :blocked item)))
      sim)))

(defn start [sim i]
  (let [{:keys [busy queue time name]} (get-in sim [:stages i])]
    (if (and (nil? busy) (seq queue))
      (-> sim
          (assoc-in [:stages i :busy] {:item (peek queue) :left time})
          (update-in [:stages i :queue] pop)
          (event name :start (peek queue)))
      sim)))

(defn feed [{:keys [input stages] :as sim}]
  (if (and (seq input) (accept? (first stages)))
    (-> sim (update-in [:stages 0 :queue] conj (peek input)) (update :input pop))
    sim))

(defn work [sim i]
  (cond-> sim
    (some-> (get-in sim [:stages i :busy :left]) pos?) (update-in [:stages i :busy :left] dec)))

(defn tick [sim]
  (let [n (range (count stages))]
    (as-> sim $
      (update $ :tick inc)
      (reduce work $ n)
      (reduce finish $ (reverse n))
      (feed $)
      (reduce start $ n))))

(let [items [:a :b :c :d]
      sim (->> (init items) (iterate tick) (drop-while #(< (count (:done %)) (count items))) first)]
  (doseq [[t stage what item] (:events sim) :when (not= what :blocked)]
    (println (format "%2d %-6s %-5s %s" t (name stage) (name what) item)))
  {:done     (:done sim)
   :ticks    (:tick sim)
   :blocked  (->> (:events sim) (filter (fn [[_ _ what]] (= what :blocked))) (map second) frequencies)
   :queue    (-> sim :stages first :queue vec)
   :empty    [(peek empty-queue) (count (conj empty-queue 1 2)) (vec (pop (conj empty-queue 1 2 3)))]})
