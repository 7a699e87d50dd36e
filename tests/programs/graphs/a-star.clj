; A* over a grid with costs of terrain, with an ordered set as open list and a readable picture of the way.
(ns astar
  (:require [clojure.string :as str]))

(def terrain
  ["S....~~..."
   ".###.~~.#."
   "...#....#."
   ".#.####.#."
   ".#......#E"])

(def cost {\. 1 \~ 4 \S 1 \E 1})

(defn find-char [ch]
  (first (keep-indexed (fn [y row]
                         (let [x (.indexOf ^String row (str ch))]
                           (when (>= x 0) [x y])))
                       terrain)))

(defn at [[x y]] (get-in terrain [y x]))

(defn manhattan [[x1 y1] [x2 y2]]
  (+ (abs (- x1 x2)) (abs (- y1 y2))))

(defn neighbours [[x y]]
  (filter (comp cost at) [[(inc x) y] [(dec x) y] [x (inc y)] [x (dec y)]]))

(defn a-star [start goal h]
  (loop [open (sorted-set [(h start goal) start])
         g    {start 0}
         from {}
         seen 0]
    (if-let [[_ node :as entry] (first open)]
      (if (= node goal)
        {:cost (g goal) :seen seen :path (reverse (take-while some? (iterate from goal)))}
        (let [better (for [n (neighbours node)
                           :let [c (+ (g node) (cost (at n)))]
                           :when (< c (get g n ##Inf))]
                       [n c])]
          (recur (into (disj open entry) (map (fn [[n c]] [(+ c (h n goal)) n])) better)
                 (into g better)
                 (into from (map (fn [[n _]] [n node])) better)
                 (inc seen))))
      {:cost nil :seen seen})))

(let [start (find-char \S)
      goal  (find-char \E)
      {:keys [path] :as guided} (a-star start goal manhattan)
      blind (a-star start goal (constantly 0))
      on    (set path)]
  (dotimes [y (count terrain)]
    (println (str/join (map-indexed (fn [x ch] (if (and (on [x y]) (= ch \.)) \* ch)) (terrain y)))))
  {:cost     (:cost guided)
   :same     (= (:cost guided) (:cost blind))
   :fewer    (<= (:seen guided) (:seen blind))
   :steps    (dec (count path))
   :no-way   (:cost (a-star start [4 3] manhattan))
   :swamp    (count (filter #(= \~ (at %)) path))})
