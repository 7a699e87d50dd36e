;; Dice with odd faces play against each other: exact odds by enumeration, and a seeded simulation in arrays.
(def dice
  {:red    [4 4 4 4 4 9]
   :green  [3 3 3 3 8 8]
   :blue   [2 2 2 7 7 7]
   :yellow [1 1 6 6 6 6]})

(defn odds [a b]
  (let [outcomes (for [x (dice a) y (dice b)] (compare x y))]
    (/ (count (filter pos? outcomes)) (count outcomes))))

(defn rng [seed]
  (let [state (long-array [seed])]
    (fn [n]
      (aset state 0 (long (mod (+ (* 6364136 (aget state 0)) 1442695) 2147483647)))
      (mod (quot (aget state 0) 1000) n))))

(defn play [seed a b rounds]
  (let [roll (rng seed)
        wins (int-array 2)]
    (dotimes [_ rounds]
      (let [x (nth (dice a) (roll 6))
            y (nth (dice b) (roll 6))]
        (cond
          (> x y) (aset wins 0 (inc (aget wins 0)))
          (< x y) (aset wins 1 (inc (aget wins 1))))))
    (vec wins)))

(defn histogram [seed rounds]
  (let [roll (rng seed)
        counts (long-array 13)]
    (dotimes [_ rounds]
      (let [s (+ 2 (roll 6) (roll 6))]
        (aset counts s (inc (aget counts s)))))
    (drop 2 counts)))

(def ring [:red :green :blue :yellow :red])

(doseq [[a b] (partition 2 1 ring)]
  (println (name a) "beats" (name b) (odds a b)))

{:cycle?  (every? (fn [[a b]] (> (odds a b) 1/2)) (partition 2 1 ring))
 :table   (into (sorted-map) (for [a (keys dice)] [a (apply + (for [b (keys dice) :when (not= a b)] (odds a b)))]))
 :played  (play 7 :red :green 200)
 :again   (= (play 7 :red :green 200) (play 7 :red :green 200))
 :total   (reduce + (histogram 3 300))
 :peak    (let [h (vec (histogram 3 300))] (+ 2 (.indexOf h (apply max h))))}
