;; Do matrix arithmetic on vectors of vectors: products, transposes, determinants, inverses.
(defn transpose [m] (apply mapv vector m))

(defn dot [a b] (reduce + (map * a b)))

(defn mul [a b]
  (let [cols (transpose b)]
    (mapv (fn [row] (mapv (partial dot row) cols)) a)))

(defn identity-matrix [n]
  (vec (for [i (range n)] (vec (for [j (range n)] (if (= i j) 1 0))))))

(defn power [m n]
  (cond
    (zero? n) (identity-matrix (count m))
    (even? n) (recur (mul m m) (quot n 2))
    :else (mul m (power m (dec n)))))

(defn minor [m i j]
  (let [drop-nth (fn [k coll] (concat (take k coll) (drop (inc k) coll)))]
    (map (partial drop-nth j) (drop-nth i m))))

(defn det [m]
  (if (= 1 (count m))
    (ffirst m)
    (reduce + (map-indexed (fn [j x] (* (if (even? j) 1 -1) x (det (minor m 0 j)))) (first m)))))

(defn inverse
  "Gauss-Jordan with exact ratios; nil when the matrix is singular."
  [m]
  (let [n (count m)
        augmented (mapv into m (identity-matrix n))]
    (loop [a augmented k 0]
      (if (= k n)
        (mapv #(subvec % n) a)
        (when-let [p (first (filter #(not (zero? (get-in a [% k]))) (range k n)))]
          (let [a (assoc a k (a p) p (a k))
                pivot (mapv #(/ % (get-in a [k k])) (a k))
                a (assoc a k pivot)]
            (recur (vec (map-indexed (fn [i row]
                                       (if (= i k)
                                         row
                                         (mapv - row (map #(* % (row k)) pivot))))
                                     a))
                   (inc k))))))))

(def a [[2 1] [7 4]])
(def b [[2 -1 0] [-1 2 -1] [0 -1 2]])

(doseq [row (inverse b)] (println row))

{:product (mul a [[1 2] [3 4]])
 :fib (get-in (power [[1 1] [1 0]] 60) [0 1])
 :det [(det a) (det b) (det [[1 2] [2 4]])]
 :inverse (inverse a)
 :identity? (= (identity-matrix 3) (mul b (inverse b)))
 :singular (inverse [[1 2] [2 4]])
 :rotate (->> [[1 2 3] [4 5 6]] transpose (map reverse))
 :spiral ((fn spiral [m]
            (when (seq m)
              (concat (first m)
                      (some->> (next m) (apply map vector) reverse spiral))))
          [[1 2 3] [4 5 6] [7 8 9]])}
