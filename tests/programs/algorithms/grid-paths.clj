;; Find the way through a maze by breadth-first search and by A*, and count lattice paths.
(require '[clojure.string :as str])

(def maze
  (str/split-lines
   "S.#.....
..#.###.
.##.#...
....#.#.
.####.#E
......#."))

(defn find-cell [ch]
  (first (for [[r line] (map-indexed vector maze)
               [c x] (map-indexed vector line)
               :when (= x ch)]
           [r c])))

(defn open? [pos]
  (let [ch (get-in maze pos)]
    (and ch (not= ch \#))))

(defn neighbours [[r c]]
  (filter open? [[(dec r) c] [(inc r) c] [r (dec c)] [r (inc c)]]))

(defn bfs [start goal]
  (loop [frontier [[start]] seen #{start}]
    (when (seq frontier)
      (if-let [done (some #(when (= goal (peek %)) %) frontier)]
        done
        (let [[nxt seen]
              (reduce (fn [[paths seen] [path n]]
                        (if (seen n)
                          [paths seen]
                          [(conj paths (conj path n)) (conj seen n)]))
                      [[] seen]
                      (for [p frontier n (neighbours (peek p))] [p n]))]
          (recur nxt seen))))))

(defn a-star [start goal]
  (let [h (fn [pos] (->> (map - pos goal) (map #(Math/abs (long %))) (reduce +)))]
    (loop [open (sorted-set [(h start) 0 start]) closed {start 0} expanded 0]
      (when-let [[_ g pos :as entry] (first open)]
        (if (= pos goal)
          {:cost g :expanded expanded}
          (let [better (for [n (neighbours pos)
                             :let [g' (inc g)]
                             :when (< g' (get closed n Long/MAX_VALUE))]
                         [n g'])]
            (recur (into (disj open entry) (map (fn [[n g']] [(+ g' (h n)) g' n])) better)
                   (into closed better)
                   (inc expanded))))))))

(defn draw [path]
  (let [on-path (set (butlast (rest path)))]
    (str/join "\n" (map-indexed (fn [r line]
                                  (str/join (map-indexed (fn [c ch] (if (on-path [r c]) \* ch)) line)))
                                maze))))

(def lattice
  (memoize (fn [r c] (if (or (zero? r) (zero? c)) 1 (+ (lattice (dec r) c) (lattice r (dec c)))))))

(let [start (find-cell \S) goal (find-cell \E) path (bfs start goal)]
  (println (draw path))
  {:length (dec (count path))
   :a-star (:cost (a-star start goal))
   :none (bfs start [0 99])
   :lattice (map #(lattice % %) [2 5 10 16])
   :corners (map #(get-in maze %) [[0 0] [5 7] [9 9]])})
