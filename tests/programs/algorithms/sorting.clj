;; Write several sorting algorithms in a functional style and compare their results.
(defn quicksort
  ([coll] (quicksort compare coll))
  ([cmp coll]
   (lazy-seq
    (when-let [[pivot & more] (seq coll)]
      (let [{before true after false} (group-by #(neg? (cmp % pivot)) more)]
        (lazy-cat (quicksort cmp before) [pivot] (quicksort cmp after)))))))

(defn merge-sorted [a b]
  (loop [a (seq a) b (seq b) out []]
    (cond
      (nil? a) (into out b)
      (nil? b) (into out a)
      (<= (compare (first a) (first b)) 0) (recur (next a) b (conj out (first a)))
      :else (recur a (next b) (conj out (first b))))))

(defn merge-sort [coll]
  (if (next coll)
    (->> coll
         (split-at (quot (count coll) 2))
         (map merge-sort)
         (apply merge-sorted))
    coll))

(defn insertion-sort [coll]
  (reduce (fn [sorted x]
            (let [[less more] (split-with #(< % x) sorted)]
              (concat less [x] more)))
          ()
          coll))

(defn bubble-sort [coll]
  (loop [v (vec coll)]
    (let [v' (reduce (fn [v i]
                       (if (> (v i) (v (inc i)))
                         (assoc v i (v (inc i)) (inc i) (v i))
                         v))
                     v
                     (range (dec (count v))))]
      (if (= v v') v (recur v')))))

(defn counting-sort [coll]
  (mapcat (fn [[x n]] (repeat n x)) (into (sorted-map) (frequencies coll))))

(def data [5 3 9 1 5 -2 8 0 3 3 7])

(doseq [[label f] [["quick" quicksort] ["merge" merge-sort] ["insertion" insertion-sort]
                   ["bubble" bubble-sort] ["counting" counting-sort]]]
  (println (format "%-10s %s" label (vec (f data)))))

{:agree? (apply = (sort data) ((juxt quicksort merge-sort insertion-sort bubble-sort counting-sort) data))
 :smallest-3 (take 3 (quicksort data))
 :descending (quicksort #(compare %2 %1) data)
 :words (sort-by (juxt count identity) ["pear" "fig" "apple" "kiwi" "date"])
 :stable (map second (sort-by first [[1 :a] [0 :b] [1 :c] [0 :d]]))
 :by-comparator (sort (fn [a b] (> (mod a 4) (mod b 4))) [1 2 3 4])
 :empty [(quicksort []) (merge-sort []) (insertion-sort [])]}
