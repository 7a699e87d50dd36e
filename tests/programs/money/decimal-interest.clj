;; Loan schedules in decimals with rounding modes and exact splits.
(import 'java.math.RoundingMode '(java.math BigDecimal MathContext))
(defn r2 [x] (.setScale ^BigDecimal x 2 RoundingMode/HALF_UP))
(defn pow [b n] (reduce * 1M (repeat n b)))
(defn payment [principal annual n]
  (let [i (with-precision 12 (/ annual 12M))
        f (pow (+ 1M i) n)]
    (r2 (with-precision 20 (/ (* principal i f) (- f 1M))))))
(defn schedule [principal annual n]
  (let [pmt (payment principal annual n)]
    (->> [0 principal 0M 0M]
         (iterate (fn [[k bal _ _]]
                    (let [int (r2 (* bal (.divide annual 12M 10 RoundingMode/HALF_EVEN)))
                          prin (if (= k (dec n)) bal (- (min pmt (+ bal int)) int))]
                      [(inc k) (- bal prin) int prin])))
         rest (take n))))
(defn split-exact [total n]
  (let [cents (long (* 100 total)) [q r] ((juxt quot rem) cents n)]
    (map #(/ (bigdec %) 100M) (concat (repeat r (inc q)) (repeat (- n r) q)))))
(def s (schedule 1000M 0.06M 6))
(doseq [[k bal int prin] s] (println (format "%2d %10.2f %8.2f %8.2f" k bal int prin)))
(array-map
 :pmt (payment 1000M 0.06M 6)
 :paid (reduce + (map last s)) :interest (transduce (map #(nth % 2)) + s)
 :split (split-exact 100M 3) :sum (apply + (split-exact 100M 7))
 :modes (for [m [RoundingMode/UP RoundingMode/DOWN RoundingMode/CEILING RoundingMode/FLOOR RoundingMode/HALF_DOWN RoundingMode/HALF_EVEN]]
          [(str m) (str (.setScale -2.5M 0 m))])
 :ops [(.compareTo 1.0M 1.00M) (.equals 1.0M 1.00M) (.signum -3M) (.abs -3.1M) (.movePointLeft 123M 2) (.remainder 7M 3M) (.unscaledValue 1.23M)]
 :mc (.round 123.456M (MathContext. 4)) :str (map str [1E3M 0.000001M 1E-10M 100M])
 :conv [(.doubleValue 1.5M) (.intValue 2.9M) (long 2.9M) (double 0.1M) (bigdec 0.1) (BigDecimal. "1.10") (BigDecimal/valueOf 25 1) BigDecimal/TEN]
 :exact (try (.setScale 1.25M 1 RoundingMode/UNNECESSARY) (catch ArithmeticException e (.getMessage e)))
 :hash (= (hash 1M) (hash 1.0M)) :set (count (set [1M 1.0M 1.00M])) :group (keys (group-by identity [1.0M 1.00M])))
