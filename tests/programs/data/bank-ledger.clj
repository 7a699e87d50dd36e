; A bank ledger with accounts in an atom: deposits, withdrawals and transfers with checks, and a statement.
(def accounts (atom {"alice" {:balance 100M :history []}
                     "bob"   {:balance 25.50M :history []}}))

(defn- record-entry [account kind amount]
  (update account :history conj {:kind kind :amount amount :balance (:balance account)}))

(defn deposit!
  [id amount]
  {:pre [(pos? amount) (contains? @accounts id)]}
  (swap! accounts update id
         (fn [acc] (-> acc (update :balance + amount) (record-entry :deposit amount)))))

(defn withdraw!
  [id amount]
  {:pre [(pos? amount)]}
  (swap! accounts update id
         (fn [{:keys [balance] :as acc}]
           (when (> amount balance)
             (throw (ex-info (str "Insufficient funds in " id)
                             {:account id :balance balance :requested amount})))
           (-> acc (update :balance - amount) (record-entry :withdraw amount)))))

(defn transfer! [from to amount]
  (let [before @accounts]
    (try
      (withdraw! from amount)
      (deposit! to amount)
      :ok
      (catch Throwable t
        (reset! accounts before)
        {:error (ex-message t) :data (ex-data t)}))))

(add-watch accounts :log
           (fn [_key _ref old new]
             (doseq [id (sort (keys new))
                     :let [a (get-in old [id :balance]) b (get-in new [id :balance])]
                     :when (not= a b)]
               (println id a "->" b))))

(deposit! "alice" 50M)
(def r1 (transfer! "alice" "bob" 120.25M))
(def r2 (transfer! "bob" "alice" 1000M))
(def r3 (transfer! "alice" "carol" 5M))
(remove-watch accounts :log)
(withdraw! "bob" 0.75M)

(def statement
  (for [[id {:keys [balance history]}] (sort-by key @accounts)]
    [id balance (mapv (juxt :kind :amount) history)]))

(println (try (deposit! "alice" -5M) (catch AssertionError e (.getMessage e))))
[r1 r2 r3 statement]
