;; Compute progressive income tax by brackets, with marginal and effective rates.
(def brackets
  [{:upto 10000 :rate 0M}
   {:upto 30000 :rate 0.15M}
   {:upto 70000 :rate 0.25M}
   {:upto nil   :rate 0.40M}])

(defn tax [income]
  (loop [[{:keys [upto rate]} & more] brackets
         floor 0
         acc 0M]
    (let [ceiling (if upto (min upto income) income)
          part (max 0 (- ceiling floor))
          acc (+ acc (* part rate))]
      (if (and more (> income ceiling))
        (recur more ceiling acc)
        acc))))

(defn marginal [income]
  (:rate (first (filter (fn [{:keys [upto]}] (or (nil? upto) (<= income upto))) brackets))))

(defn effective [income]
  (if (zero? income)
    0.0
    (double (with-precision 6 (/ (tax income) income)))))

(def incomes [0 9999 10000 25000 30001 70000 123456])

(doseq [i incomes]
  (println (format "%8d tax %10.2f marginal %3.0f%% effective %5.2f%%"
                   i (tax i) (* 100 (marginal i)) (* 100 (effective i)))))

(def net (comp (partial apply -) (juxt identity tax)))

{:taxes (map tax incomes)
 :net (map net incomes)
 :monotonic? (apply < (map net (rest incomes)))
 :break-even (->> (range 0 60000 500)
                  (drop-while #(< (tax %) 5000M))
                  first)}
