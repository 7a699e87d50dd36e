;; Compute moving averages, drawdowns and simple signals of a series of prices.
(defn moving-average
  "A transducer of averages over the last n values."
  [n]
  (fn [rf]
    (let [window (volatile! clojure.lang.PersistentQueue/EMPTY)]
      (fn
        ([] (rf))
        ([acc] (rf acc))
        ([acc x]
         (vswap! window conj x)
         (when (> (count @window) n) (vswap! window pop))
         (if (= n (count @window))
           (rf acc (/ (reduce + @window) n))
           acc))))))

(def prices [100 102 101 105 107 103 99 104 110 108])

(defn returns [xs]
  (map (fn [[a b]] (/ (- b a) (double a))) (partition 2 1 xs)))

(defn mean [xs] (/ (apply + xs) (count xs)))

(defn std-dev [xs]
  (let [m (mean xs)]
    (Math/sqrt (/ (reduce + (map #(let [d (- % m)] (* d d)) xs))
                  (dec (count xs))))))

(defn max-drawdown [xs]
  (->> (map (fn [peak x] (/ (- peak x) peak)) (reductions max xs) xs)
       (apply max)))

(defn signals [xs]
  (let [short-ma (sequence (moving-average 2) xs)
        long-ma (sequence (moving-average 4) xs)
        aligned (map vector (drop 2 short-ma) long-ma)]
    (->> aligned
         (map (fn [[s l]] (compare s l)))
         (partition 2 1)
         (keep-indexed (fn [i [a b]]
                         (cond (and (<= a 0) (pos? b)) [(+ i 4) :buy]
                               (and (>= a 0) (neg? b)) [(+ i 4) :sell]))))))

(defn median [xs]
  (let [v (vec (sort xs)) n (count v) h (quot n 2)]
    (if (odd? n) (v h) (/ (+ (v h) (v (dec h))) 2))))

(println (into [] (moving-average 3) prices))
(println (format "%.4f %.4f" (mean (returns prices)) (std-dev (returns prices))))

{:drawdown (max-drawdown prices)
 :signals (signals prices)
 :median (median prices)
 :streak (->> (returns prices) (map pos?) (partition-by identity) (filter first) (map count) (apply max))
 :best-trade (second (reduce (fn [[lowest best] p] [(min lowest p) (max best (- p lowest))])
                             [(first prices) 0]
                             prices))
 :averages (transduce (comp (moving-average 5) (map double)) (completing (fn [acc x] (conj acc x))) [] prices)
 :quantiles (let [v (vec (sort prices))] (mapv #(nth v (int (* % (dec (count v))))) [0 0.25 0.5 0.75 1]))}
