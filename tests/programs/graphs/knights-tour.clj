; Moves of a knight: shortest ways on a board, a tour by Warnsdorff's rule, and placing queens.
(def board-size 5)

(defn on-board? [[r c]]
  (and (< -1 r board-size) (< -1 c board-size)))

(def jumps
  (for [a [1 2] b [1 2] :when (not= a b)
        sa [+ -] sb [+ -]]
    [(sa a) (sb b)]))

(defn moves [pos]
  (->> jumps
       (map #(mapv + pos %))
       (filter on-board?)
       sort))

(defn distance-map [start]
  (loop [dist {start 0} frontier #{start} d 1]
    (let [nxt (into #{} (comp (mapcat moves) (remove dist)) frontier)]
      (if (empty? nxt)
        dist
        (recur (merge dist (zipmap nxt (repeat d))) nxt (inc d))))))

(defn tour [start]
  (loop [path [start]]
    (let [visited (set path)
          free    (fn [p] (remove visited (moves p)))
          options (free (peek path))]
      (cond
        (= (count path) (* board-size board-size)) path
        (empty? options) nil
        :else (recur (conj path (first (sort-by (juxt (comp count free) identity) options))))))))

(defn queens [n]
  (reduce (fn [solutions row]
            (for [s solutions
                  col (range n)
                  :when (not-any? (fn [[r c]]
                                    (or (= c col) (= (Math/abs (- c col)) (- row r))))
                                  (map-indexed vector s))]
              (conj s col)))
          [[]]
          (range n)))

(let [d (distance-map [0 0])]
  (dotimes [r board-size]
    (println (clojure.string/join " " (for [c (range board-size)] (d [r c])))))
  (let [t (tour [0 0])
        order (zipmap t (rest (range)))]
    (doseq [r (range board-size)]
      (println (apply str (map #(format "%3d" (order [r %])) (range board-size)))))
    {:queens  (map (comp count queens) (range 1 7))
     :first-6 (first (queens 6))
     :length  (count t)
     :valid   (every? (fn [[a b]] (some #{b} (moves a))) (partition 2 1 t))
     :corner  (moves [0 0])}))
