;; Solve the queens puzzle by backtracking with lazy sequences and draw a solution.
(defn safe? [queens col]
  (every? (fn [[dist q]]
            (and (not= q col)
                 (not= (Math/abs (- q col)) dist)))
          (map-indexed (fn [i q] [(inc i) q]) (rseq queens))))

(defn queens [n]
  ((fn place [k]
     (if (zero? k)
       [[]]
       (for [qs (place (dec k))
             col (range n)
             :when (or (empty? qs) (safe? qs col))]
         (conj qs col))))
   n))

(defn board [qs]
  (let [n (count qs)]
    (clojure.string/join
     "\n"
     (for [q qs]
       (apply str (assoc (vec (repeat n \.)) q \Q))))))

(println (board (first (queens 6))))

(defn mirror [qs] (mapv #(- (dec (count qs)) %) qs))

(let [six (queens 6)]
  {:counts (mapv (comp count queens) (range 1 8))
   :first-8 (first (queens 8))
   :six six
   :closed-under-mirror? (= (set six) (set (map mirror six)))})
