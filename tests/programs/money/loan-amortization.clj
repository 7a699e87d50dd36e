;; Print the payment plan of a loan with a fixed rate, the last payment corrected.
(defn pow [x n]
  (reduce * (repeat n x)))

(defn monthly-payment [principal annual-rate months]
  (let [r (/ annual-rate 12)]
    (if (zero? r)
      (/ principal months)
      (/ (* principal r)
         (- 1 (/ 1 (pow (+ 1 r) months)))))))

(defn round-cents [x]
  (/ (Math/round (* 100.0 x)) 100.0))

(defn schedule [principal annual-rate months]
  (let [payment (round-cents (monthly-payment principal annual-rate months))
        r (/ annual-rate 12)]
    (->> {:n 0 :balance (double principal)}
         (iterate
          (fn [{:keys [n balance]}]
            (let [interest (round-cents (* balance r))
                  last? (= (inc n) months)
                  pay (if last? (round-cents (+ balance interest)) payment)
                  capital (round-cents (- pay interest))]
              {:n (inc n)
               :payment pay
               :interest interest
               :capital capital
               :balance (round-cents (- balance capital))})))
         rest
         (take months))))

(def plan (schedule 5000 0.06 6))

(println " #   payment  interest   capital   balance")
(doseq [{:keys [n payment interest capital balance]} plan]
  (printf "%2d %9.2f %9.2f %9.2f %9.2f\n" n payment interest capital balance))

{:payment (:payment (first plan))
 :last (:payment (last plan))
 :interest (round-cents (reduce + (map :interest plan)))
 :paid-off? (zero? (:balance (last plan)))
 :exact (monthly-payment 1200 0 12)}
