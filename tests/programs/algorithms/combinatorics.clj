;; Generate permutations, combinations, partitions and Gray codes, lazily where it helps.
(defn permutations [coll]
  (if (empty? coll)
    '(())
    (for [i (range (count coll))
          :let [[before [x & after]] (split-at i coll)]
          p (permutations (concat before after))]
      (cons x p))))

(defn combinations [k coll]
  (cond
    (zero? k) [[]]
    (empty? coll) nil
    :else (concat (map #(cons (first coll) %) (combinations (dec k) (rest coll)))
                  (combinations k (rest coll)))))

(defn power-set [s]
  (reduce (fn [acc x] (into acc (map #(conj % x)) acc)) #{#{}} s))

(defn cartesian [& colls]
  (if-let [[c & more] (seq colls)]
    (for [x c xs (apply cartesian more)] (cons x xs))
    [()]))

(defn partitions
  ([n] (partitions n n))
  ([n largest]
   (if (zero? n)
     [[]]
     (mapcat (fn [k] (map #(into [k] %) (partitions (- n k) k)))
             (range (min n largest) 0 -1)))))

(defn gray [n]
  (if (zero? n)
    [""]
    (let [g (gray (dec n))]
      (concat (map #(str "0" %) g) (map #(str "1" %) (reverse g))))))

(defn next-permutation [v]
  (when-let [i (last (filter #(neg? (compare (v %) (v (inc %)))) (range (dec (count v)))))]
    (let [j (last (filter #(neg? (compare (v i) (v %))) (range (inc i) (count v))))
          swapped (assoc v i (v j) j (v i))]
      (into (subvec swapped 0 (inc i)) (rseq (subvec swapped (inc i)))))))

(println (map (partial apply str) (permutations "abc")))
(println (combinations 2 [:a :b :c :d]))

(def pascal (iterate #(vec (map +' (cons 0 %) (conj % 0))) [1]))

{:perms (count (permutations (range 5)))
 :anagrams (->> (permutations "aab") (map #(apply str %)) distinct sort)
 :sizes (sort (map count (power-set #{1 2 3})))
 :product (cartesian [0 1] "xy" [true])
 :partitions (partitions 5)
 :gray (gray 3)
 :walk (take-while some? (iterate next-permutation [1 2 3]))
 :pascal (nth pascal 6)}
