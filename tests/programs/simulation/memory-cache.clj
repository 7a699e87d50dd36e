;; Simulate caches with LRU and FIFO eviction on a trace of keys and compare hits.
(defn fifo [capacity]
  {:name :fifo :capacity capacity :order [] :hits 0 :misses 0})

(defn access-fifo [{:keys [order capacity] :as cache} k]
  (if (some #{k} order)
    (update cache :hits inc)
    (-> cache
        (update :misses inc)
        (assoc :order (conj (if (= capacity (count order)) (subvec order 1) order) k)))))

(defn lru [capacity]
  {:name :lru :capacity capacity :used {} :clock 0 :hits 0 :misses 0})

(defn access-lru [{:keys [used capacity clock] :as cache} k]
  (let [hit? (contains? used k)
        used (if (or hit? (< (count used) capacity))
               used
               (dissoc used (key (apply min-key val used))))]
    (-> cache
        (update (if hit? :hits :misses) inc)
        (assoc :used (assoc used k clock))
        (update :clock inc))))

(def trace (concat [:a :b :c :a :d :a :b :e] (take 6 (cycle [:a :b])) [:c :d :a]))

(defn hit-rate [{:keys [hits misses]}]
  (Math/round (* 100.0 (/ hits (+ hits misses)))))

(defn run [make access n]
  (reduce access (make n) trace))

(doseq [n [2 3 4]]
  (let [f (run fifo access-fifo n)
        l (run lru access-lru n)]
    (printf "size %d: fifo %d%% lru %d%%%n" n (hit-rate f) (hit-rate l))))

(let [final (run lru access-lru 3)]
  {:kept (sort (keys (:used final)))
   :fifo-order (:order (run fifo access-fifo 3))
   :hits (map :hits (reductions access-lru (lru 3) (take 6 trace)))
   :best (apply max-key val (into {} (for [n (range 1 6)] [n (hit-rate (run lru access-lru n))])))
   :unique (count (into #{} trace))})
