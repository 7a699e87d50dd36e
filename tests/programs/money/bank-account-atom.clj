;; Keep bank accounts in an atom and apply transfers, with an error for each refused one.
(def accounts (atom {}))
(def audit (atom []))

(defn log! [& parts]
  (swap! audit conj (apply str (interpose " " parts))))

(defn open! [id & {:keys [balance limit] :or {balance 0 limit 0}}]
  {:pre [(keyword? id) (>= balance 0)]}
  (swap! accounts assoc id {:balance balance :limit limit})
  (log! "open" id balance)
  id)

(defn withdraw [accts id amount]
  (let [{:keys [balance limit] :as acct} (get accts id)]
    (cond
      (nil? acct) (throw (ex-info "No such account" {:type ::missing :id id}))
      (not (pos? amount)) (throw (IllegalArgumentException. "Amount must be positive"))
      (< (+ balance limit) amount) (throw (ex-info "Insufficient funds"
                                                   {:type ::funds :id id :short (- amount balance limit)}))
      :else (update-in accts [id :balance] - amount))))

(defn deposit [accts id amount]
  (if (contains? accts id)
    (update-in accts [id :balance] + amount)
    (throw (ex-info "No such account" {:type ::missing :id id}))))

(defn transfer! [from to amount]
  (try
    (swap! accounts #(-> % (withdraw from amount) (deposit to amount)))
    (log! "ok" from to amount)
    :ok
    (catch clojure.lang.ExceptionInfo e
      (let [{:keys [type] :as data} (ex-data e)]
        (log! "refused" (name type) (dissoc data :type))
        type))
    (catch IllegalArgumentException e
      (log! "bad" (.getMessage e))
      :bad)))

(open! :alice :balance 100 :limit 50)
(open! :bob)

(def outcomes
  (mapv (partial apply transfer!)
        [[:alice :bob 120] [:alice :bob 40] [:bob :carol 5] [:bob :alice 20] [:alice :bob -1]]))

(run! println @audit)

{:outcomes (map #(if (namespace %) (name %) %) outcomes)
 :accounts @accounts
 :total (transduce (map :balance) + (vals @accounts))
 :pre (try (open! "x") (catch AssertionError e :assertion))}
