;; Find the shortest roads, the order of a search, balanced brackets and the commonest words with Java's collections.
(import '(java.util ArrayDeque ArrayList HashMap PriorityQueue))

(def roads
  {"A" {"B" 7 "C" 9 "F" 14}
   "B" {"A" 7 "C" 10 "D" 15}
   "C" {"A" 9 "B" 10 "D" 11 "F" 2}
   "D" {"B" 15 "C" 11 "E" 6}
   "E" {"D" 6 "F" 9}
   "F" {"A" 14 "C" 2 "E" 9}})

(defn dijkstra
  "Shortest distances and predecessors from start."
  [graph start]
  (let [dist (HashMap.)
        from (HashMap.)
        queue (PriorityQueue. 11 (comparator (fn [[a _] [b _]] (< a b))))]
    (.put dist start 0)
    (.add queue [0 start])
    (while (not (.isEmpty queue))
      (let [[d node] (.poll queue)]
        (when (<= d (.getOrDefault dist node Long/MAX_VALUE))
          (doseq [[next w] (get graph node)
                  :let [through (+ d w)]
                  :when (< through (.getOrDefault dist next Long/MAX_VALUE))]
            (.put dist next through)
            (.put from next node)
            (.add queue [through next])))))
    {:dist (into (sorted-map) dist) :from (into (sorted-map) from)}))

(defn path [from end]
  (let [out (ArrayList.)]
    (loop [node end]
      (.add out 0 node)
      (if-let [before (get from node)]
        (recur before)
        (vec out)))))

(defn bfs
  "Nodes in the order in which they are reached."
  [graph start]
  (let [queue (ArrayDeque. [start])
        seen (java.util.HashSet. [start])
        order (ArrayList.)]
    (loop []
      (when-let [node (.poll queue)]
        (.add order node)
        (doseq [next (sort (keys (graph node)))]
          (when (.add seen next)
            (.addLast queue next)))
        (recur)))
    order))

(defn balanced? [text]
  (let [stack (ArrayDeque.)
        pairs {\) \( \] \[ \} \{}]
    (loop [chars (seq text)]
      (if-let [c (first chars)]
        (cond
          (contains? (set (vals pairs)) c) (do (.push stack c) (recur (next chars)))
          (contains? pairs c) (if (= (pairs c) (.peek stack))
                                (do (.pop stack) (recur (next chars)))
                                false)
          :else (recur (next chars)))
        (.isEmpty stack)))))

(defn count-words [text]
  (let [counts (HashMap.)]
    (doseq [w (re-seq #"\w+" text)]
      (.put counts w (inc (.getOrDefault counts w 0))))
    (sort-by (fn [[w n]] [(- n) w]) (map (fn [e] [(.getKey e) (.getValue e)]) (.entrySet counts)))))

(let [{:keys [dist from]} (dijkstra roads "A")]
  (println "distances" dist)
  (println "path to E" (path from "E")))
(println "bfs" (vec (bfs roads "A")) (= (bfs roads "A") ["A" "B" "C" "F" "D" "E"]))
(println (map balanced? ["(a[b]{c})" "(]" "((" ""]))
(println (take 2 (count-words "to be or not to be")))
(let [top (PriorityQueue. 3)]
  (doseq [x [5 1 9 3 7 8]]
    (.offer top x)
    (when (> (.size top) 3) (.poll top)))
  (println "top three" (sort > top)))
(let [l (ArrayList. (range 10))
      it (.iterator l)]
  (println (loop [sum 0] (if (.hasNext it) (recur (+ sum (.next it))) sum)))
  (java.util.Collections/reverse l)
  (java.util.Collections/swap l 0 9)
  (println (str l) (count l) (reduce + l)))
{:bfs (bfs roads "E") :classes (map class [(ArrayList.) (HashMap.)]) :text (str (ArrayList. ["a" nil :b]))}
