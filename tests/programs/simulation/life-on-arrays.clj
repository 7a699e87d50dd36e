;; The game of life on a boolean array that wraps around, with populations over time and a period search.
(def width 8)
(def height 6)

(defn idx [x y] (+ (mod x width) (* width (mod y height))))

(defn from-rows [rows]
  (let [cells (boolean-array (* width height))]
    (doseq [[y row] (map-indexed vector rows)
            [x c] (map-indexed vector row)]
      (aset cells (idx x y) (= c \#)))
    cells))

(defn neighbours [^booleans cells x y]
  (count (for [dx [-1 0 1] dy [-1 0 1]
               :when (not (= 0 dx dy))
               :when (aget cells (idx (+ x dx) (+ y dy)))]
           1)))

(defn step [^booleans cells]
  (let [out (boolean-array (alength cells))]
    (dotimes [y height]
      (dotimes [x width]
        (let [n (neighbours cells x y)]
          (aset out (idx x y) (or (= n 3) (and (= n 2) (aget cells (idx x y))))))))
    out))

(defn population [cells] (count (filter true? cells)))

(defn show [cells]
  (doseq [row (partition width cells)]
    (println (apply str (map #(if % "#" ".") row)))))

(defn period [cells]
  (loop [seen {}, i 0, c cells]
    (let [k (vec c)]
      (if-let [j (seen k)]
        {:from j :length (- i j)}
        (recur (assoc seen k i) (inc i) (step c))))))

(def glider (from-rows [".#......" "..#....." "###....."]))
(def blinker (from-rows ["........" "..###..."]))

(show (nth (iterate step glider) 4))

{:populations (mapv population (take 5 (iterate step glider)))
 :blinker     (period blinker)
 :glider      (:length (period glider))
 :unchanged   (population glider)
 :equal       (java.util.Arrays/equals glider (aclone glider))}
