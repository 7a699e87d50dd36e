; Matrix arithmetic with vectors of vectors: product, transpose, determinant, identity, power, and solving equations.
(defn transpose [m] (apply mapv vector m))

(defn dot [a b] (reduce + (map * a b)))

(defn mat-mul [a b]
  (let [cols (transpose b)]
    (mapv (fn [row] (mapv #(dot row %) cols)) a)))

(defn identity-matrix [n]
  (vec (for [i (range n)]
         (vec (for [j (range n)] (if (= i j) 1 0))))))

(defn mat-pow [m k]
  (loop [result (identity-matrix (count m)) base m k k]
    (cond
      (zero? k) result
      (odd? k)  (recur (mat-mul result base) (mat-mul base base) (quot k 2))
      :else     (recur result (mat-mul base base) (quot k 2)))))

(defn minor [m i j]
  (->> (concat (subvec m 0 i) (subvec m (inc i)))
       (mapv (fn [row] (into (subvec row 0 j) (subvec row (inc j)))))))

(defn det [m]
  (if (= 1 (count m))
    (ffirst m)
    (reduce + (map-indexed (fn [j x] (* x (if (even? j) 1 -1) (det (minor m 0 j)))) (first m)))))

(defn solve
  "Cramer's rule: exact, since integers divide into ratios."
  [m b]
  (let [d (det m)]
    (if (zero? d)
      (throw (IllegalArgumentException. "singular matrix"))
      (mapv (fn [j] (/ (det (mapv (fn [row x] (assoc row j x)) m b)) d))
            (range (count m))))))

(defn show [m]
  (doseq [row m]
    (println (apply str (map #(format "%6s" (str %)) row)))))

(def a [[2 1 -1] [-3 -1 2] [-2 1 2]])
(show a)
(show (mat-mul a a))

{:det       (det a)
 :solution  (solve a [8 -11 -3])
 :half      (solve [[2 1] [4 -3]] [3 1])
 :fib-60    (get-in (mat-pow [[1 1] [1 0]] 60) [0 1])
 :fib-100   (get-in (mat-pow [[1N 1N] [1N 0N]] 100) [0 1])
 :transpose (transpose [[1 2 3] [4 5 6]])
 :trace     (reduce + (map-indexed #(nth %2 %1) a))
 :singular  (try (solve [[1 2] [2 4]] [1 2]) (catch IllegalArgumentException e (.getMessage e)))}
