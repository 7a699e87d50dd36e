; Visit all cities once: by trying all orders, by nearest neighbour, and improved by swaps.
(def cities
  {:a [0 0] :b [1 5] :c [5 2] :d [6 6] :e [8 3] :f [2 1]})

(def distance
  (memoize
   (fn [p q]
     (let [[x1 y1] (cities p) [x2 y2] (cities q)]
       (Math/sqrt (+ (Math/pow (- x2 x1) 2) (Math/pow (- y2 y1) 2)))))))

(defn tour-length [tour]
  (->> (concat tour [(first tour)])
       (partition 2 1)
       (map (partial apply distance))
       (reduce +)))

(defn permutations [xs]
  (if (empty? xs)
    '(())
    (for [x xs
          p (permutations (remove #{x} xs))]
      (cons x p))))

(defn nearest-neighbour [start]
  (loop [tour [start] left (disj (into (sorted-set) (keys cities)) start)]
    (if (empty? left)
      tour
      (let [nxt (apply min-key (partial distance (peek tour)) left)]
        (recur (conj tour nxt) (disj left nxt))))))

(defn two-opt-moves [tour]
  (for [i (range 1 (dec (count tour)))
        j (range (inc i) (count tour))]
    (vec (concat (take i tour) (reverse (subvec tour i (inc j))) (drop (inc j) tour)))))

(defn improve [tour]
  (let [better (apply min-key tour-length (two-opt-moves tour))]
    (if (< (tour-length better) (- (tour-length tour) 1e-9))
      (recur better)
      tour)))

(let [best  (apply min-key tour-length (map #(cons :a %) (permutations (rest (sort (keys cities))))))
      nn    (nearest-neighbour :a)
      bad   [:a :d :f :e :b :c]]
  (println "best   " (format "%.3f" (tour-length best)))
  (println "nearest" (format "%.3f" (tour-length nn)) nn)
  (println "swapped" (format "%.3f" (tour-length (improve bad))) "from" (format "%.3f" (tour-length bad)))
  [(count (permutations [1 2 3 4]))
   (take 3 (permutations [:x :y :z]))
   (<= (tour-length best) (tour-length (improve nn)) (tour-length nn))
   (= (set best) (set nn))
   (long (* 1000 (tour-length best)))])
