; Solve a maze drawn as text, mark the way, and measure how much of it can be reached.
(ns maze
  (:require [clojure.string :as str]))

(def maze
  "#########
#S..#...#
#.#.#.#.#
#.#...#.#
#.#####.#
#.......#
#######E#
#...#..##
#########")

(def grid (mapv vec (str/split-lines maze)))

(defn cell [[r c]] (get-in grid [r c] \#))

(defn locate [ch]
  (first (for [r (range (count grid))
               c (range (count (grid r)))
               :when (= ch (cell [r c]))]
           [r c])))

(defn neighbours [[r c]]
  (for [[dr dc] [[-1 0] [0 1] [1 0] [0 -1]]
        :let [p [(+ r dr) (+ c dc)]]
        :when (not= \# (cell p))]
    p))

(defn explore [start]
  (loop [frontier [start], came-from {start nil}]
    (if (empty? frontier)
      came-from
      (let [new (for [p frontier n (neighbours p) :when (not (contains? came-from n))] [n p])
            came (reduce (fn [m [n p]] (if (contains? m n) m (assoc m n p))) came-from new)]
        (recur (distinct (map first new)) came)))))

(defn trace-back [came-from goal]
  (if (contains? came-from goal)
    (->> (iterate came-from goal)
         (take-while identity)
         (into ()))
    ::unreachable))

(let [start (locate \S)
      goal  (locate \E)
      came  (explore start)
      path  (trace-back came goal)
      drawn (reduce (fn [g p] (update-in g p {\. \o \S \S \E \E})) grid path)]
  (println (str/join "\n" (map #(apply str %) drawn)))
  (println "steps:" (dec (count path)))
  {:turns (->> path
               (partition 2 1)
               (map (fn [[a b]] (mapv - b a)))
               (partition-by identity)
               (map (juxt (comp {[1 0] :down [-1 0] :up [0 1] :right [0 -1] :left} first) count)))
   :reached (count came)
   :open    (count (filter #{\. \S \E} maze))
   :lost    (trace-back came [7 2])})
