; Cheapest routes in a weighted graph with Dijkstra's algorithm, with a sorted set as the priority queue.
(def roads
  {"Oslo"      {"Drammen" 44 "Hamar" 128 "Moss" 60}
   "Drammen"   {"Oslo" 44 "Kongsberg" 40}
   "Moss"      {"Oslo" 60 "Halden" 58}
   "Halden"    {"Moss" 58}
   "Hamar"     {"Oslo" 128 "Lillehammer" 61}
   "Kongsberg" {"Drammen" 40 "Lillehammer" 250}
   "Lillehammer" {"Hamar" 61 "Kongsberg" 250}
   "Svalbard"  {}})

(defn dijkstra
  "Returns {node [distance previous]} for all nodes that can be reached."
  [graph source]
  (loop [queue (sorted-set [0 source])
         best  {source [0 nil]}
         done  #{}]
    (if-let [[dist node :as entry] (first queue)]
      (if (done node)
        (recur (disj queue entry) best done)
        (let [[queue best]
              (reduce-kv
               (fn [[q b] neighbour weight]
                 (let [d (+ dist weight)
                       [old] (get b neighbour)]
                   (if (or (nil? old) (< d old))
                     [(conj q [d neighbour]) (assoc b neighbour [d node])]
                     [q b])))
               [(disj queue entry) best]
               (get graph node))]
          (recur queue best (conj done node))))
      best)))

(defn path-to [best target]
  (when (contains? best target)
    (->> target
         (iterate #(second (best %)))
         (take-while some?)
         reverse
         vec)))

(let [best (dijkstra roads "Halden")]
  (doseq [[city [d from]] (sort-by (comp first val) best)]
    (println (format "%-12s %4d %s" city d (or from "-"))))
  {:route (path-to best "Lillehammer")
   :km    (first (best "Lillehammer"))
   :no    (path-to best "Svalbard")
   :far   (key (apply max-key (comp first val) best))
   :ok    (every? (fn [[n [d prev]]] (or (nil? prev) (= d (+ (first (best prev)) (get-in roads [prev n]))))) best)})
