; Compare two texts line by line with a longest common subsequence, and print a unified difference.
(require '[clojure.string :as str])

(defn lcs-table [a b]
  (let [n (count a) m (count b)]
    (reduce (fn [table [i j]]
              (assoc table [i j]
                     (if (= (nth a (dec i)) (nth b (dec j)))
                       (inc (get table [(dec i) (dec j)] 0))
                       (max (get table [(dec i) j] 0) (get table [i (dec j)] 0)))))
            {}
            (for [i (range 1 (inc n)) j (range 1 (inc m))] [i j]))))

(defn diff [a b]
  (let [t (lcs-table a b)
        at (fn [i j] (get t [i j] 0))]
    (loop [i (count a) j (count b) out ()]
      (cond
        (and (pos? i) (pos? j) (= (a (dec i)) (b (dec j))))
        (recur (dec i) (dec j) (conj out [:same (a (dec i))]))

        (and (pos? j) (or (zero? i) (>= (at i (dec j)) (at (dec i) j))))
        (recur i (dec j) (conj out [:add (b (dec j))]))

        (pos? i)
        (recur (dec i) j (conj out [:del (a (dec i))]))

        :else out))))

(def old-text (str/split-lines "apple\nbanana\ncherry\ndate\nelder"))
(def new-text (str/split-lines "apple\nblueberry\ncherry\ndate\nfig\nelder"))

(doseq [[op line] (diff old-text new-text)]
  (println (str ({:same " " :add "+" :del "-"} op) line)))

(defn edit-distance [a b]
  (let [step (fn [prev ca]
               (reduce (fn [row [cb up diag]]
                         (conj row (min (inc up) (inc (peek row)) (+ diag (if (= ca cb) 0 1)))))
                       [(inc (first prev))]
                       (map vector b (rest prev) prev)))]
    (peek (reduce step (vec (range (inc (count b)))) a))))

{:counts   (frequencies (map first (diff old-text new-text)))
 :lcs      (get (lcs-table "AGGTAB" "GXTXAYB") [6 7])
 :distance (map (partial apply edit-distance) [["kitten" "sitting"] ["flaw" "lawn"] ["" "abc"] ["same" "same"]])
 :closest  (first (sort-by (partial edit-distance "colour") ["collar" "color" "cooler"]))}
