;; Solve a sudoku by keeping the candidates of each cell and searching the smallest first.
(require '[clojure.string :as str]
         '[clojure.set :refer [difference]])

(def puzzle
  "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")

(defn parse [s]
  (mapv #(if (= % \.) 0 (Character/digit % 10)) s))

(def digits (set (range 1 10)))

(defn row [i] (quot i 9))
(defn col [i] (rem i 9))
(defn box [i] [(quot (row i) 3) (quot (col i) 3)])

(def peers
  (mapv (fn [i]
          (vec (for [j (range 81)
                     :when (and (not= i j)
                                (or (= (row i) (row j)) (= (col i) (col j)) (= (box i) (box j))))]
                 j)))
        (range 81)))

(defn candidates [board i]
  (difference digits (into #{} (map board) (peers i))))

(defn solve [board]
  (let [open (keep-indexed (fn [i v] (when (zero? v) [i (candidates board i)])) board)]
    (if (empty? open)
      board
      (let [[i cs] (apply min-key (comp count second) open)]
        (some #(solve (assoc board i %)) (sort cs))))))

(defn show [board]
  (str/join "\n" (map #(str/join " " %) (partition 9 board))))

(def solution (solve (parse puzzle)))

(println (show solution))

(defn groups [board]
  (concat (partition 9 board)
          (apply map vector (partition 9 board))
          (vals (group-by #(box (first %)) (map-indexed vector board)))))

{:rows-ok? (every? #(= digits (set %)) (take 18 (groups solution)))
 :boxes-ok? (every? #(= digits (set (map second %))) (drop 18 (groups solution)))
 :keeps-givens? (every? true? (map (fn [g s] (or (zero? g) (= g s))) (parse puzzle) solution))
 :impossible (solve (assoc (parse puzzle) 2 5))}
