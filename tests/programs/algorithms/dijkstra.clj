;; Find the shortest paths in a weighted graph with a sorted set as priority queue.
(def graph
  {:a {:b 7 :c 9 :f 14}
   :b {:a 7 :c 10 :d 15}
   :c {:a 9 :b 10 :d 11 :f 2}
   :d {:b 15 :c 11 :e 6}
   :e {:d 6 :f 9}
   :f {:a 14 :c 2 :e 9}
   :z {}})

(defn dijkstra
  "Returns a map of node to [distance previous]."
  [graph source]
  (loop [queue (sorted-set [0 source nil])
         done {}]
    (if-let [[dist node prev :as entry] (first queue)]
      (if (done node)
        (recur (disj queue entry) done)
        (recur (into (disj queue entry)
                     (for [[n w] (graph node) :when (not (done n))]
                       [(+ dist w) n node]))
               (assoc done node [dist prev])))
      done)))

(defn path-to [result target]
  (when (result target)
    (->> target
         (iterate (comp second result))
         (take-while some?)
         reverse
         vec)))

(let [result (dijkstra graph :a)]
  (doseq [[node [dist]] (sort result)]
    (println (name node) dist (path-to result node)))
  {:to-e (path-to result :e)
   :distances (update-vals (into (sorted-map) result) first)
   :unreachable (remove result (sort (keys graph)))
   :none (path-to result :z)
   :symmetric? (= (first (get (dijkstra graph :e) :a)) (first (result :e)))})
