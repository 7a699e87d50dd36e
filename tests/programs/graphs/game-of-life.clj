; Run the Game of Life on an endless board held as a set of cells, and find periods.
(defn neighbours [[x y]]
  (for [dx [-1 0 1] dy [-1 0 1]
        :when (not= 0 dx dy)]
    [(+ x dx) (+ y dy)]))

(defn step [cells]
  (set (for [[cell n] (frequencies (mapcat neighbours cells))
             :when (or (= n 3) (and (= n 2) (cells cell)))]
         cell)))

(defn parse [& rows]
  (set (keep-indexed (fn [_ x] x)
                     (apply concat
                            (map-indexed (fn [y row]
                                           (keep-indexed (fn [x c] (when (= c \O) [x y])) row))
                                         rows)))))

(defn render [cells w h]
  (doseq [y (range h)]
    (println (apply str (for [x (range w)] (if (cells [x y]) \O \.))))))

(defn normalize [cells]
  (let [mx (apply min (map first cells))
        my (apply min (map second cells))]
    (sort (map (fn [[x y]] [(- x mx) (- y my)]) cells))))

(defn period [cells]
  (let [history (iterate step cells)
        shape   (normalize cells)]
    (some (fn [[i c]] (when (and (seq c) (= shape (normalize c))) i))
          (rest (take 40 (map-indexed vector history))))))

(def blinker (parse ".O." ".O." ".O."))
(def glider (parse ".O." "..O" "OOO"))
(def block (parse "OO" "OO"))
(def r-pentomino (parse ".OO" "OO." ".O."))

(doseq [[i generation] (map-indexed vector (take 3 (iterate step glider)))]
  (println "generation" i)
  (render generation 5 4))

{:periods  (map period [blinker glider block])
 :counts   (mapv count (take 10 (iterate step r-pentomino)))
 :moved    (sort (nth (iterate step glider) 4))
 :dies     (step #{[0 0] [5 5]})
 :at-20    (count (last (take 21 (iterate step r-pentomino))))}
