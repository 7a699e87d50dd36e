;; Compare cache policies on one trace of requests: least recently used, first in first out, least frequently used.
(defprotocol Cache
  (lookup [c k] "[hit? cache]"))

(defrecord Lru [size order]
  Cache
  (lookup [c k]
    (let [hit? (boolean (some #{k} order))
          order (conj (vec (remove #{k} order)) k)]
      [hit? (assoc c :order (if (> (count order) size) (subvec order 1) order))])))

(defrecord Fifo [size queue held]
  Cache
  (lookup [c k]
    (if (held k)
      [true c]
      (let [full? (= size (count queue))
            gone (when full? (peek queue))]
        [false (assoc c
                      :queue (conj (if full? (pop queue) queue) k)
                      :held (conj (disj held gone) k))]))))

(defrecord Lfu [size counts clock]
  Cache
  (lookup [c k]
    (let [hit? (contains? counts k)
          counts (if (or hit? (< (count counts) size))
                   counts
                   (dissoc counts (key (apply min-key (fn [[_ [n t]]] (+ (* 1000 n) t)) (sort-by (comp str key) counts)))))]
      [hit? (assoc c
                   :counts (update counts k (fn [[n _]] [(inc (or n 0)) clock]))
                   :clock (inc clock))])))

(defn run-trace [cache ks]
  (reduce (fn [[hits cache] k]
            (let [[hit? cache] (lookup cache k)]
              [(cond-> hits hit? inc) cache]))
          [0 cache] ks))

(defn lcg [seed] (iterate #(mod (+ (* 1103515245 %) 12345) 2147483648) seed))

(def requests
  (->> (lcg 42) (drop 1) (map #(mod (quot % 65536) 8)) (map #(if (< % 4) (mod % 2) %)) (take 60)))

(let [caches {:lru (->Lru 3 []) :fifo (->Fifo 3 clojure.lang.PersistentQueue/EMPTY #{}) :lfu (->Lfu 3 {} 0)}
      results (into (sorted-map) (update-vals caches #(run-trace % requests)))]
  (doseq [[k [hits _]] results]
    (println (name k) hits "hits"))
  {:hits  (update-vals results first)
   :lru   (:order (second (:lru results)))
   :fifo  (vec (:queue (second (:fifo results))))
   :small (first (run-trace (->Lru 1 []) [1 1 2 2 1]))
   :first (take 10 requests)})
