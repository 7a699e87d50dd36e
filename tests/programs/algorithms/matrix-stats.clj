;; Statistics: quantiles, regression, correlation, histograms, outliers, z-scores with clojure.math.
(require '[clojure.math :as math] '[clojure.string :as str])
(def xs [2.5 3.7 1.2 9.9 4.4 5.1 3.3 2.8 30.0])
(defn mean [xs] (/ (reduce + xs) (count xs)))
(defn variance [xs] (let [m (mean xs)] (/ (transduce (map #(math/pow (- % m) 2)) + xs) (dec (count xs)))))
(defn quantile [q xs] (let [s (vec (sort xs)) p (* q (dec (count s))) lo (int (math/floor p)) hi (int (math/ceil p))] (+ (s lo) (* (- p lo) (- (s hi) (s lo))))))
(defn mode [xs] (let [f (frequencies xs) m (apply max (vals f))] (sort (keep (fn [[k v]] (when (= v m) k)) f))))
(defn regression [pts]
  (let [n (count pts) [sx sy sxy sxx] (reduce (fn [acc [x y]] (mapv + acc [x y (* x y) (* x x)])) [0 0 0 0] pts)
        slope (/ (- (* n sxy) (* sx sy)) (- (* n sxx) (* sx sx)))]
    {:slope slope :intercept (/ (- sy (* slope sx)) n)}))
(defn hist [bins xs] (let [lo (apply min xs) w (/ (- (apply max xs) lo) bins)] (->> xs (map #(min (dec bins) (int (/ (- % lo) w)))) frequencies (into (sorted-map)))))
(defn outliers [xs] (let [[q1 q3] (map #(quantile % xs) [0.25 0.75]) iqr (- q3 q1)] (remove #(<= (- q1 (* 1.5 iqr)) % (+ q3 (* 1.5 iqr))) xs)))
(defn fmt [x] (if (float? x) (format "%.3f" x) (str x)))
(defn running [xs] (reductions (fn [[n m s] x] (let [n (inc n) d (- x m) m' (+ m (/ d n))] [n m' (+ s (* d (- x m')))])) [0 0.0 0.0] xs))
(println (str/join " " (map fmt [(mean xs) (math/sqrt (variance xs)) (quantile 0.5 xs) (quantile 0.9 xs)])))
(doseq [[b n] (hist 4 xs)] (println b (apply str (repeat n \*))))
(array-map
 :reg (regression [[1 2] [2 4] [3 5] [4 4] [5 5]]) :mode (mode [1 2 2 3 3]) :out (outliers xs)
 :welford (let [[n m s] (last (running xs))] [n (fmt m) (fmt (/ s (dec n)))])
 :z (mapv #(math/round (/ (- % (mean xs)) (math/sqrt (variance xs)))) xs) :exact (mean [1 2 4]) :geo (fmt (math/exp (mean (map math/log [1 10 100]))))
 :nums [(math/round 2.5) (math/round -2.5) (Math/round 2.4) (int -2.7) (long 2.9) (math/floor-div -7 2) (/ 7 2.0) (float 0.1) (double 1/3) (* 1.1 1.1) (+ 0.1 0.2) 1e21 1e-7 123456789.123 100.0 (/ 1.0 0) (/ 0.0 0) (Math/pow 2 0.5) 1e7 12345678.9 0.001 1.0E-4]
 :nan [(NaN? ##NaN) (infinite? ##-Inf) (= ##NaN ##NaN) (< 1 ##Inf) (max 1 ##Inf) (Double/isNaN (/ 0.0 0))])
