; Tic-tac-toe: play out a game, check for wins, and find the best move by minimax.
(ns tic-tac-toe
  (:require [clojure.string :as str]))

(def empty-board (vec (repeat 9 nil)))

(def lines
  (let [rows (partition 3 (range 9))
        cols (apply map vector rows)]
    (concat rows cols [[0 4 8] [2 4 6]])))

(defn winner [board]
  (some (fn [line]
          (let [[a b c] (map board line)]
            (when (and a (= a b c)) a)))
        lines))

(defn moves [board]
  (keep-indexed (fn [i cell] (when-not cell i)) board))

(defn over? [board]
  (or (winner board) (empty? (moves board))))

(def opponent {:x :o, :o :x})

(def score
  (memoize
   (fn [board player]
     (if-let [w (winner board)]
       (if (= w player) 1 -1)
       (if (empty? (moves board))
         0
         (- (apply max (for [m (moves board)]
                         (score (assoc board m (opponent player)) (opponent player))))))))))

(defn best-move [board player]
  (->> (moves board)
       (sort-by (fn [m] [(- (score (assoc board m player) player)) m]))
       first))

(defn play [board player]
  (lazy-seq
   (cons board
         (when-not (over? board)
           (play (assoc board (best-move board player) player) (opponent player))))))

(defn show [board]
  (->> board
       (map #(if % (str/upper-case (name %)) "."))
       (partition 3)
       (map str/join)
       (str/join "\n")))

(let [opening (assoc empty-board 0 :x 4 :o 8 :x)
      game    (play opening :o)]
  (doseq [b (take-nth 2 game)]
    (println (show b))
    (println))
  {:length (count game)
   :winner (winner (last game))
   :fork   (best-move [:x nil nil nil :o nil nil nil :x] :o)
   :win    (best-move [:o :o nil :x :x nil nil nil nil] :x)
   :block  (best-move [:o :o nil :x nil nil nil nil nil] :x)
   :score  (score (assoc empty-board 0 :x 4 :o 1 :x) :x)
   :lines  (count lines)})
