; Primitive arrays and type hints: a sieve, a histogram, prefix sums and a matrix filled by index.
(set! *warn-on-reflection* false)

(defn sieve ^booleans [n]
  (let [composite (boolean-array (inc n))]
    (loop [i 2]
      (when (<= (* i i) n)
        (when-not (aget composite i)
          (loop [j (* i i)]
            (when (<= j n)
              (aset composite j true)
              (recur (+ j i)))))
        (recur (inc i))))
    composite))

(defn primes-up-to [n]
  (let [c (sieve n)]
    (filterv #(not (aget c %)) (range 2 (inc n)))))

(defn histogram [xs buckets]
  (let [counts (int-array buckets)]
    (doseq [x xs]
      (let [i (mod x buckets)]
        (aset counts i (inc (aget counts i)))))
    (vec counts)))

(defn prefix-sums ^longs [xs]
  (let [a (long-array (inc (count xs)))]
    (dotimes [i (count xs)]
      (aset a (inc i) (+ (aget a i) (long (nth xs i)))))
    a))

(defn range-sum [^longs sums from to]
  (- (aget sums to) (aget sums from)))

(defn dot ^double [^doubles xs ^doubles ys]
  (areduce xs i acc 0.0 (+ acc (* (aget xs i) (aget ys i)))))

(let [sums (prefix-sums [3 1 4 1 5 9 2 6])
      grid (make-array Long/TYPE 3 3)]
  (doseq [r (range 3) c (range 3)]
    (aset grid r c (long (* (inc r) (inc c)))))
  (println (primes-up-to 50))
  {:histogram (histogram [1 5 9 10 11 15 22] 5)
   :sums      (map (partial apply range-sum sums) [[0 8] [2 5] [3 3]])
   :dot       (dot (double-array [1 2 3]) (double-array [4 5 6]))
   :grid      (mapv vec grid)
   :doubled   (vec (amap (int-array [1 2 3]) i ret (* 2 (aget ^ints ret i))))
   :sorted    (let [a (into-array [3 1 2])] (java.util.Arrays/sort a) (vec a))
   :length    [(alength (int-array 4)) (count (object-array 2)) (seq (char-array "ab"))]})
