;; Own lazy sequences: merges, Hamming numbers, a paged source and chunk-free laziness.
(defn merge-lazy [xs ys]
  (lazy-seq
   (let [a (first xs) b (first ys)]
     (cond (nil? a) ys
           (nil? b) xs
           (< a b) (cons a (merge-lazy (rest xs) ys))
           (> a b) (cons b (merge-lazy xs (rest ys)))
           :else (cons a (merge-lazy (rest xs) (rest ys)))))))

(def hamming (lazy-seq (cons 1 (reduce merge-lazy (map (fn [k] (map #(* k %) hamming)) [2 3 5])))))

(def calls (atom 0))
(defn page [n] (swap! calls inc) {:items (map #(+ (* n 3) %) (range 3)) :next (when (< n 3) (inc n))})
(defn all-items
  ([] (all-items 0))
  ([n] (lazy-seq (let [{:keys [items next]} (page n)]
                   (concat items (when next (all-items next)))))))

(defn collatz [n] (->> (iterate #(if (even? %) (quot % 2) (inc (* 3 %))) n) (take-while #(not= 1 %))))
(defn primes ([] (primes (drop 2 (range)))) ([[p & xs]] (lazy-seq (cons p (primes (remove #(zero? (mod % p)) xs))))))
(defn pascal [] (iterate #(mapv + (cons 0 %) (conj % 0)) [1]))
(defn my-partition [n xs] (lazy-seq (when-let [s (seq xs)] (cons (take n s) (my-partition n (drop n s))))))

(def two (doall (take 2 (all-items))))
(println two @calls)
(def five (doall (take 5 (all-items))))
(println five)

(array-map
 :hamming (take 20 hamming)
 :all (seq (iteration page :kf :next :vf :items :initk 0))
 :flat (into [] cat (iteration page :kf :next :vf :items :initk 2))
 :collatz (apply max-key (comp count collatz) (range 1 30))
 :primes (take 10 (primes))
 :pascal (nth (pascal) 6)
 :part (my-partition 2 (range 5))
 :realized (let [s (lazy-seq [1 2])] [(realized? s) (first s) (realized? s)])
 :cycle (take 5 (cycle [1 2]))
 :rep (let [n (atom 0)] (take 3 (repeatedly #(swap! n inc))))
 :inter (take 6 (interleave (range) (iterate #(* 2 %) 1) (repeat :x)))
 :split (map #(take 3 %) (split-with #(< % 3) (range 6)))
 :nthrest [(nthrest (range 5) 3) (nthnext (range 3) 3) (take-nth 3 (range 10)) (drop-last 2 (range 5)) (take-last 2 (range 5)) (butlast [1 2])]
 :reductions (take 5 (reductions + (iterate inc 1)))
 :seq-to (sequence (map +) [1 2 3] [10 20 30])
 :tree (tree-seq sequential? seq [1 [2 [3]]])
 :lazy-cat (lazy-cat [1] nil [2 3]))
