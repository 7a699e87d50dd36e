;; Big integers, ratios, continued fractions and exact roots.
(defn fact [n] (reduce *' (range 1 (inc n))))
(defn cf [r] (loop [r r acc []]
               (let [i (if (ratio? r) (bigint (quot (numerator r) (denominator r))) (bigint r))
                     f (- r i)]
                 (if (zero? f) (conj acc i) (recur (/ 1 f) (conj acc i))))))
(defn convergents [xs] (rest (map first (reductions (fn [[[h1 k1] [h0 k0]] a] [[(+' (*' a h1) h0) (+' (*' a k1) k0)] [h1 k1]]) [[1 0] [0 1]] xs))))
(defn isqrt [n] (loop [x (bigint n)] (let [y (quot (+ x (quot n x)) 2)] (if (>= y x) x (recur y)))))
(defn modpow [b e m] (loop [b (mod b m) e e r 1] (if (zero? e) r (recur (mod (*' b b) m) (quot e 2) (if (odd? e) (mod (*' r b) m) r)))))
(defn egcd [a b] (if (zero? b) [a 1 0] (let [[g x y] (egcd b (mod a b))] [g y (- x (* (quot a b) y))])))
(def fibs (lazy-cat [0N 1N] (map + fibs (rest fibs))))

(println (fact 25) (nth fibs 100))
(array-map
 :cf (cf 415/93)
 :conv (convergents [3 7 15 1])
 :isqrt (isqrt (*' 123456789012345678901234567890N 123456789012345678901234567890N))
 :modpow (modpow 7 560 561)
 :egcd (egcd 240 46)
 :digits (reduce + (map #(Character/digit ^char % 10) (str (fact 50))))
 :ratio [(/ 6 4) (+ 1/3 1/6) (* 2 1/2) (rationalize 0.125) (double 1/3) (int 7/2) (numerator 6/8) (/ 4 2)]
 :types (map (comp str type) [1 1N 1/2 1.0 1M (+ 1/2 1/2) (* 1.0 1N)])
 :eq [(= 1 1N) (== 1 1.0) (= 1 1.0) (= 1M 1.0M) (= 1.0M 1.00M) (== 1.0M 1.00M)]
 :quot [(quot -7 2) (rem -7 2) (mod -7 2) (quot 7.5 2) (mod -7/2 2)]
 :dec [(/ 1M 8M) (try (/ 1M 3M) (catch ArithmeticException e (.getMessage e))) (with-precision 5 (/ 1M 3M)) (with-precision 3 :rounding FLOOR (/ 2M 3M))]
 :bd [(.scale 1.230M) (.stripTrailingZeros 1.230M) (.toPlainString 1E+5M) (.negate 1.5M) (.precision 123.45M)]
 :str (Long/toString 255 2) :cmp (compare 1/2 0.5) :neg (- 5N) :min (min 1/2 1N 0.3))
