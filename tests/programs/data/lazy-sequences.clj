; Endless sequences put to work: primes, Fibonacci, Collatz, Pascal's triangle, look-and-say and batches of pages.
(defn sieve [[p & xs]]
  (lazy-seq (cons p (sieve (remove #(zero? (mod % p)) xs)))))

(def primes (sieve (iterate inc 2)))

(def fibs (lazy-cat [0 1] (map +' fibs (rest fibs))))

(defn collatz [n]
  (->> n
       (iterate #(if (even? %) (quot % 2) (inc (* 3 %))))
       (take-while (partial not= 1))))

(def pascal
  (iterate (fn [row] (mapv + (cons 0 row) (conj row 0))) [1]))

(defn look-and-say [s]
  (->> s
       (partition-by identity)
       (mapcat (juxt count first))
       (apply str)))

(defn fetch-page [n]
  (when (< n 4)
    {:items (range (* n 3) (+ 3 (* n 3))) :next (inc n)}))

(defn all-items
  ([] (all-items 0))
  ([n]
   (lazy-seq
    (when-let [{:keys [items next]} (fetch-page n)]
      (concat items (all-items next))))))

(defn interleave-all [& colls]
  (lazy-seq
   (when-let [ss (seq (keep seq colls))]
     (concat (map first ss) (apply interleave-all (map rest ss))))))

(def counter (atom 0))
(def numbers (repeatedly #(swap! counter inc)))

(println (take 10 primes))
(println (nth fibs 100))
(doseq [row (take 5 pascal)] (println row))

{:collatz  (apply max-key (comp count collatz) (range 1 30))
 :sums     (take 5 (map #(reduce + %) pascal))
 :say      (take 5 (iterate look-and-say "1"))
 :items    (take-nth 2 (all-items))
 :realized (do (doall (take 3 numbers)) (pos? @counter))
 :merged   (interleave-all [1 2 3] [:a] "xy")
 :cycled   (map vector (cycle [:red :green]) (range 3))
 :misc     [(take 3 (drop-while #(< % 100) fibs)) (first (filter #(> % 50) primes)) (some #(when (> % 7) (* % %)) primes) (take 4 (tree-seq sequential? seq [1 [2 [3]]])) (split-with even? [2 4 5 6])]}
