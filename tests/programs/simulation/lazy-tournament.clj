;; Play a knockout tournament and a round robin with scores taken from a table.
(require '[clojure.string :as str])

(def strength {"Ants" 7 "Bees" 9 "Cats" 4 "Dogs" 8 "Eels" 2 "Foxes" 6 "Goats" 5 "Hens" 3})

(defn play
  "Goals are strength modulo small numbers, so that nothing is random."
  [round a b]
  (let [goals (fn [t o] (mod (+ (* 3 (strength t)) (strength o) round) 5))
        [ga gb] [(goals a b) (goals b a)]]
    {:teams [a b]
     :score [ga gb]
     :winner (cond (> ga gb) a (< ga gb) b :else (max-key strength a b))}))

(defn knockout [teams]
  (loop [teams teams round 1 log []]
    (if (= 1 (count teams))
      {:champion (first teams) :log log}
      (let [games (for [[a b] (partition 2 teams)] (play round a b))]
        (recur (mapv :winner games)
               (inc round)
               (conj log (mapv (fn [{[a b] :teams [x y] :score}] (str a " " x ":" y " " b)) games)))))))

(defn round-robin
  "The circle method: one team stays, the others rotate."
  [teams]
  (let [n (count teams)
        [fixed & others] teams]
    (for [r (range (dec n))
          :let [rotated (take (dec n) (drop r (cycle others)))
                line (cons fixed rotated)
                half (quot n 2)]]
      (map vector (take half line) (reverse (drop half line))))))

(defn table [teams]
  (->> (round-robin teams)
       (map-indexed (fn [i games] (map (fn [[a b]] (play i a b)) games)))
       (apply concat)
       (mapcat (fn [{[a b] :teams [x y] :score}]
                 (let [pts (fn [p q] (case (compare p q) 1 3 0 1 -1 0))]
                   [[a {:points (pts x y) :goals x}] [b {:points (pts y x) :goals y}]])))
       (reduce (fn [m [t r]] (update m t #(merge-with + % r))) {})
       (sort-by (fn [[t {:keys [points goals]}]] [(- points) (- goals) t]))))

(def teams (vec (sort (keys strength))))

(doseq [[i games] (map-indexed vector (:log (knockout teams)))]
  (println (str "Round " (inc i) ": " (str/join ", " games))))

{:champion (:champion (knockout teams))
 :table (take 3 (table teams))
 :rounds (count (round-robin teams))
 :all-pairs? (= (count (distinct (map set (apply concat (round-robin teams))))) (/ (* 8 7) 2))}
