;; Work with exact fractions of a currency, with ratios from parsing to printing.
(require '[clojure.string :as str])

(defn parse-amount
  "\"12.345\" => 2469/200"
  [s]
  (let [[_ sign whole frac] (re-matches #"([-+]?)(\d+)(?:\.(\d+))?" s)]
    (when whole
      (let [n (+ (bigint whole)
                 (if frac
                   (/ (bigint frac) (apply *' (repeat (count frac) 10)))
                   0))]
        (if (= sign "-") (- n) n)))))

(defn show [r]
  (let [cents (Math/round (double (* 100 r)))
        [q m] [(quot cents 100) (rem cents 100)]]
    (str (when (neg? cents) "-") (Math/abs q) "." (format "%02d" (Math/abs m)))))

(def basket
  [["bread" "2.49" 1] ["cheese" "1.333" 3] ["wine" "10" 2] ["bottle deposit" "-0.25" 4] ["??" "abc" 1]])

(def priced
  (keep (fn [[item price qty]]
          (if-some [p (parse-amount price)]
            {:item item :sum (* p qty)}
            (println "skipping" item)))
        basket))

(doseq [{:keys [item sum]} priced]
  (println (str item (str/join (repeat (- 20 (count item)) ".")) (show sum))))

(let [total (transduce (map :sum) + priced)]
  (println "total" (show total))
  {:total total
   :kind (cond (ratio? total) :ratio (integer? total) :integer :else :other)
   :parts [(numerator total) (denominator total)]
   :split (map show (repeat 3 (/ total 3)))
   :third (rationalize 0.125)
   :back (double total)
   :floor-ceil ((juxt #(Math/floor %) #(Math/ceil %) long) (double total))
   :compare (sort [1/3 0.33 1/4 2 0.5])})
