;; Settle shared expenses of a trip with as few payments as possible.
(def expenses
  [{:by "Ana" :amount 120.00M :for ["Ana" "Bo" "Cy" "Di"]}
   {:by "Bo"  :amount 45.50M  :for ["Bo" "Cy"]}
   {:by "Cy"  :amount 8.20M   :for ["Ana" "Di"]}
   {:by "Ana" :amount 33.00M  :for ["Di" "Bo" "Ana"]}])

(defn to-cents [m] (long (* 100 m)))

(defn balances [expenses]
  (reduce
   (fn [acc {:keys [by amount] people :for}]
     (let [cents (to-cents amount)
           n (count people)
           share (quot cents n)
           extra (rem cents n)]
       (as-> acc a
         (update a by (fnil + 0) cents)
         (reduce (fn [m [i p]]
                   (update m p (fnil - 0) (+ share (if (< i extra) 1 0))))
                 a
                 (map-indexed vector people)))))
   {}
   expenses))

(defn settle [bal]
  (loop [bal bal, out []]
    (let [open (remove (comp zero? val) bal)]
      (if (empty? open)
        out
        (let [[debtor owes] (first (sort-by (juxt val key) open))
              [creditor gets] (last (sort-by (juxt val key) open))
              x (min (- owes) gets)]
          (recur (-> bal (update debtor + x) (update creditor - x))
                 (conj out {:from debtor :to creditor :cents x})))))))

(def result (balances expenses))

(assert (zero? (reduce + (vals result))))

(doseq [{:keys [from to cents]} (settle result)]
  (println (format "%s pays %s %.2f" from to (/ cents 100.0))))

{:balances (into (sorted-map) result)
 :payments (mapv (juxt :from :to :cents) (settle result))}
