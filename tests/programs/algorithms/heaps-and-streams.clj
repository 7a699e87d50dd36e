;; Keep a priority queue in a vector heap, and merge sorted lazy streams of numbers.
(defn swap [v i j] (assoc v i (v j) j (v i)))

(defn sift-up [heap i]
  (let [p (quot (dec i) 2)]
    (if (and (pos? i) (neg? (compare (heap i) (heap p))))
      (recur (swap heap i p) p)
      heap)))

(defn sift-down [heap i]
  (let [n (count heap)
        smallest (->> [i (+ i i 1) (+ i i 2)]
                      (filter #(< % n))
                      (sort-by heap)
                      first)]
    (if (= smallest i)
      heap
      (recur (swap heap i smallest) smallest))))

(defn push [heap x] (sift-up (conj heap x) (count heap)))

(defn pop-min [heap]
  (let [[top] heap
        end (peek heap)
        heap (pop heap)]
    [top (if (seq heap) (sift-down (assoc heap 0 end) 0) heap)]))

(defn heap-seq [heap]
  (when (seq heap)
    (lazy-seq
     (let [[x h] (pop-min heap)]
       (cons x (heap-seq h))))))

(defn merge-streams [a b]
  (lazy-seq
   (let [x (first a) y (first b)]
     (cond
       (< x y) (cons x (merge-streams (rest a) b))
       (> x y) (cons y (merge-streams a (rest b)))
       :else (cons x (merge-streams (rest a) (rest b)))))))

(def hamming
  (lazy-seq
   (cons 1 (reduce merge-streams
                   (map (fn [k] (map #(*' k %) hamming)) [2 3 5])))))

(def fibs (lazy-cat [0 1] (map +' fibs (rest fibs))))

(def triangulars (reductions + (iterate inc 1)))

(defn look-and-say [s]
  (->> s (partition-by identity) (mapcat (juxt count first)) (apply str)))

(let [tasks [[3 "write"] [1 "read"] [2 "think"] [1 "eat"]]
      heap (reduce push [] tasks)]
  (doseq [[p t] (heap-seq heap)] (println p t))
  {:sorted (heap-seq (reduce push [] [5 1 4 1 5 9 2 6]))
   :heap heap
   :hamming (take 15 hamming)
   :hamming-100 (nth hamming 99)
   :fib-100 (nth fibs 100)
   :even-fibs (->> fibs (filter even?) (take-while #(< % 5000)) (apply +))
   :triangular (first (filter #(> % 500) triangulars))
   :say (take 6 (iterate look-and-say "1"))})
