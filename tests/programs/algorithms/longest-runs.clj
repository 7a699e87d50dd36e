;; Solve classic problems on sequences: increasing runs, common subsequence, best sum, pairs.
(defn longest-increasing [xs]
  (->> xs
       (reduce (fn [piles x]
                 (let [i (count (take-while #(< (first %) x) piles))
                       before (when (pos? i) (nth piles (dec i)))]
                   (assoc piles i (cons x before))))
               [])
       peek
       reverse))

(def common
  (memoize
   (fn [[a & as :as xs] [b & bs :as ys]]
     (cond
       (or (empty? xs) (empty? ys)) ()
       (= a b) (cons a (common as bs))
       :else (max-key count (common as ys) (common xs bs))))))

(defn best-sum [xs]
  (loop [[x & more :as all] xs, i 0, start 0, current 0, best {:sum Long/MIN_VALUE}]
    (if (empty? all)
      best
      (let [[current start] (if (neg? current) [x i] [(+ current x) start])
            best (if (> current (:sum best)) {:sum current :from start :to i} best)]
        (recur more (inc i) (long start) (long current) best)))))

(defn two-sum [target xs]
  (reduce (fn [seen [i x]]
            (if-let [j (seen (- target x))]
              (reduced [j i])
              (assoc seen x i)))
          {}
          (map-indexed vector xs)))

(defn merge-intervals [intervals]
  (->> intervals
       sort
       (reduce (fn [[[from to] & more :as acc] [a b]]
                 (if (and to (<= a to))
                   (conj more [from (max to b)])
                   (conj acc [a b])))
               ())
       reverse))

(defn balanced? [s]
  (let [pairs {\) \( \] \[ \} \{}
        openers (set (vals pairs))]
    (empty?
     (reduce (fn [stack c]
               (cond
                 (openers c) (conj stack c)
                 (pairs c) (if (= (peek stack) (pairs c)) (pop stack) (reduced [:bad]))
                 :else stack))
             []
             s))))

(defn water [heights]
  (let [left (reductions max heights)
        right (reverse (reductions max (reverse heights)))]
    (apply + (map (fn [l r h] (- (min l r) h)) left right heights))))

(println (longest-increasing [10 9 2 5 3 7 101 18]))
(println (apply str (common "AGGTAB" "GXTXAYB")))

{:best (best-sum [-2 1 -3 4 -1 2 1 -5 4])
 :all-negative (best-sum [-3 -1 -2])
 :two (two-sum 9 [2 7 11 15])
 :intervals (merge-intervals [[8 10] [1 3] [2 6] [15 18] [17 20]])
 :balanced (map balanced? ["{[()]}" "{[(])}" "((" ""])
 :water (water [0 1 0 2 1 0 1 3 2 1 2 1])
 :majority (let [[x n] (apply max-key val (frequencies [1 2 2 3 2]))] [x n])
 :rotate (let [v [1 2 3 4 5]] (into (subvec v 2) (subvec v 0 2)))}
