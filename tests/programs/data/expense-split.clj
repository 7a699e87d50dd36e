; Split shared expenses between friends and find the fewest payments that settle the debts.
(def expenses
  [{:payer :ana :amount 90M :for [:ana :ben :cat]}
   {:payer :ben :amount 40M :for [:ana :ben]}
   {:payer :cat :amount 15.60M :for [:ana :ben :cat :dan]}
   {:payer :dan :amount 12.40M :for [:ben :dan]}])

(defn shares [{:keys [payer amount for]}]
  (let [share (/ amount (count for))]
    (into [[payer amount]] (map (fn [p] [p (- share)])) for)))

(defn balances [expenses]
  (reduce (fn [acc [person amount]]
            (update acc person (fnil + 0M) amount))
          (sorted-map)
          (mapcat shares expenses)))

(defn settle [balances]
  (loop [bs balances, payments []]
    (let [[debtor owed]    (apply min-key val bs)
          [creditor due]   (apply max-key val bs)]
      (if (< due 0.01M)
        payments
        (let [amount (min due (- owed))]
          (recur (-> bs
                     (update debtor + amount)
                     (update creditor - amount))
                 (conj payments {:from debtor :to creditor :amount amount})))))))

(let [b (balances expenses)]
  (doseq [[person amount] b]
    (println (format "%-4s %8.2f" (name person) amount)))
  (println "sum" (reduce + (vals b)))
  {:balances b
   :payments (settle b)})
