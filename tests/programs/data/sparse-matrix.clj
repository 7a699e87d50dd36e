;; Sparse matrices as maps of positions, multiplied with transients, beside dense ones in arrays.
(defn sparse [rows]
  (persistent!
    (reduce-kv
      (fn [acc r row]
        (reduce-kv (fn [acc c x] (if (zero? x) acc (assoc! acc [r c] x))) acc row))
      (transient {})
      rows)))

(defn by-row [m]
  (reduce-kv (fn [acc [r c] x] (update acc r (fnil conj []) [c x])) {} m))

(defn multiply [a b]
  (let [rows (by-row b)]
    (->> (for [[[r k] x] a
               [c y] (rows k)]
           [[r c] (* x y)])
         (reduce (fn [acc [pos v]] (update acc pos (fnil + 0) v)) {})
         (remove (comp zero? val))
         (into (sorted-map)))))

(defn dense-multiply [a b n]
  (let [out (make-array Long/TYPE n n)]
    (dotimes [i n]
      (dotimes [j n]
        (loop [k 0 acc 0]
          (if (< k n)
            (recur (inc k) (+ acc (* (aget a i k) (aget b k j))))
            (aset out i j acc)))))
    (mapv vec out)))

(defn to-longs [rows]
  (into-array (map long-array rows)))

(def a [[1 0 0] [0 2 0] [0 0 3]])
(def b [[0 5 0] [7 0 0] [0 0 1]])

(let [sa (sparse a)
      sb (sparse b)
      product (multiply sa sb)
      dense (dense-multiply (to-longs a) (to-longs b) 3)]
  (doseq [[[r c] v] product]
    (println (str "(" r "," c ")") v))
  {:nonzero (count sa)
   :dense   dense
   :agree   (= dense (mapv (fn [r] (mapv (fn [c] (get product [r c] 0)) (range 3))) (range 3)))
   :trace   (transduce (comp (filter (fn [[[r c] _]] (= r c))) (map val)) + product)
   :density (/ (count product) 9)})
