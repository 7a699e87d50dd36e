;; Matrices on java arrays: multiply, transpose, determinant, rotate in place.
(defn matrix [rows] (into-array (map double-array rows)))
(defn rows [m] (mapv vec m))
(defn mmul [a b]
  (let [n (alength a) k (alength b) m (alength (aget b 0))
        c (make-array Double/TYPE n m)]
    (dotimes [i n]
      (dotimes [j m]
        (aset-double c i j (loop [x 0 s 0.0] (if (< x k) (recur (inc x) (+ s (* (aget a i x) (aget b x j)))) s)))))
    c))
(defn det [vv]
  (let [n (count vv)]
    (if (= n 1) (ffirst vv)
        (reduce + (map-indexed (fn [j x] (* (if (even? j) 1 -1) x
                                            (det (mapv #(into (subvec % 0 j) (subvec % (inc j))) (rest vv)))))
                               (first vv))))))
(defn bubble! [^ints arr]
  (let [n (alength arr) swaps (int-array 1)]
    (dotimes [i n]
      (dotimes [j (- n i 1)]
        (when (> (aget arr j) (aget arr (inc j)))
          (let [t (aget arr j)]
            (aset arr j (aget arr (inc j)))
            (aset arr (inc j) t)
            (aset swaps 0 (inc (aget swaps 0)))))))
    (aget swaps 0)))
(defn life [grid]
  (let [h (count grid) w (count (first grid))
        g (to-array-2d grid)]
    (vec (for [y (range h)]
           (vec (for [x (range w)
                      :let [n (count (for [dy [-1 0 1] dx [-1 0 1]
                                           :when (not= 0 dy dx)
                                           :let [yy (+ y dy) xx (+ x dx)]
                                           :when (and (< -1 yy h) (< -1 xx w) (= 1 (aget g yy xx)))]
                                       1))]]
                  (if (or (= n 3) (and (= n 2) (= 1 (aget g y x)))) 1 0)))))))
(def arr (int-array [5 2 8 1 9 3]))
(println (bubble! arr) (vec arr) (java.util.Arrays/toString arr))
{:mul (rows (mmul (matrix [[1 2] [3 4]]) (matrix [[0 1] [1 0]])))
 :det (det [[2 0 1] [1 3 2] [1 1 4]])
 :t (apply mapv vector [[1 2 3] [4 5 6]])
 :life (nth (iterate life [[0 1 0] [0 1 0] [0 1 0]]) 3)
 :copy (let [a (long-array [1 2 3]) b (aclone a)] (aset b 0 99) [(vec a) (vec b)])
 :fill (let [a (char-array 3 \x)] (aset a 1 \-) (String. a))
 :err (try (aget (int-array 2) 5) (catch ArrayIndexOutOfBoundsException e :out))
 :bin [(java.util.Arrays/binarySearch (int-array [1 3 5]) 3) (seq (java.util.Arrays/copyOfRange (int-array [1 2 3 4]) 1 3))]}
