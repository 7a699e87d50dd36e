;; Compare ways of compounding interest and find when money has doubled.
(defn compound [p r n t]
  (* p (Math/pow (+ 1.0 (/ r n)) (* n t))))

(defn continuous [p r t]
  (* p (Math/exp (* r t))))

(defn years-to-double [r]
  (->> (iterate #(* % (+ 1 r)) 1.0)
       (take-while #(< % 2.0))
       count))

(defn fmt [x] (format "%.2f" (double x)))

(def plans {:yearly 1 :quarterly 4 :monthly 12 :daily 365})

(doseq [[k n] (sort-by val plans)]
  (println (format "%-10s %s" (name k) (fmt (compound 1000 0.05 n 10)))))
(println (format "%-10s %s" "limit" (fmt (continuous 1000 0.05 10))))

(defn savings
  "Deposits every month; a lazy seq of the balance."
  [deposit annual-rate]
  (let [r (/ annual-rate 12)]
    (rest (reductions (fn [bal _] (* (+ bal deposit) (inc r))) 0 (range)))))

(let [balances (savings 100 0.06)]
  {:after-1-year (fmt (nth balances 11))
   :months-to-5000 (inc (count (take-while (partial > 5000) balances)))
   :double (into (sorted-map) (map (juxt identity years-to-double)) [0.01 0.03 0.07 0.1])
   :rule-of-72 (map #(Math/round (/ 72 (* 100 %))) [0.01 0.03 0.07 0.1])
   :ranked (map first (sort-by (fn [[_ n]] (- (compound 1000 0.05 n 10))) plans))})
