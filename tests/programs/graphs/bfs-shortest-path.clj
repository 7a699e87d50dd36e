; Shortest path by number of stops between stations, by breadth first search with a queue.
(def lines
  {:red   [:a :b :c :d :e]
   :blue  [:f :b :g :h]
   :green [:h :d :i]
   :grey  [:x :y]})

(def graph
  (reduce (fn [g [from to]]
            (-> g
                (update from (fnil conj (sorted-set)) to)
                (update to (fnil conj (sorted-set)) from)))
          {}
          (mapcat #(partition 2 1 %) (vals lines))))

(defn bfs [graph start goal]
  (loop [queue   (conj clojure.lang.PersistentQueue/EMPTY [start])
         visited #{start}]
    (when-let [path (peek queue)]
      (let [node (peek path)]
        (if (= node goal)
          path
          (let [nexts (remove visited (graph node))]
            (recur (into (pop queue) (map #(conj path %)) nexts)
                   (into visited nexts))))))))

(defn distances [graph start]
  (loop [frontier [start] seen {start 0} d 1]
    (let [nxt (distinct (for [n frontier m (graph n) :when (not (contains? seen m))] m))]
      (if (empty? nxt)
        (into (sorted-map) seen)
        (recur nxt (into seen (map #(vector % d)) nxt) (inc d))))))

(defn line-of [[a b]]
  (some (fn [[line stops]]
          (when (some #{[a b] [b a]} (map vec (partition 2 1 stops)))
            line))
        lines))

(defn instructions [path]
  (->> (partition 2 1 path)
       (map (juxt line-of second))
       (partition-by first)
       (map (fn [leg] (str "take " (name (ffirst leg)) " to " (name (last (last leg))))))))

(doseq [step (instructions (bfs graph :a :i))]
  (println step))

{:path (bfs graph :a :i)
 :none (bfs graph :a :x)
 :same (bfs graph :c :c)
 :distances (distances graph :f)}
