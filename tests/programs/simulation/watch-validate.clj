;; Atoms with watches and validators, delays, promises and volatiles.
(def history (atom []))
(def account (atom {:balance 100 :ops 0} :validator (fn [{:keys [balance]}] (>= balance 0)) :meta {:owner "ann"}))

(add-watch account :log (fn [k r o n] (swap! history conj [k (- (:balance n) (:balance o))])))
(add-watch account ::alarm
           (fn [_ _ _ {:keys [balance]}]
             (cond-> nil (< balance 20) (do (println "low balance" balance)))))

(defn withdraw! [n]
  (try
    (swap! account (fn [a] (-> a (update :balance - n) (update :ops inc))))
    :ok
    (catch IllegalStateException e (.getMessage e))))

(def results (mapv withdraw! [30 60 50 5]))
(remove-watch account ::alarm)
(withdraw! 4)

(def d (delay (println "computing") 42))
(def p (promise))
(deliver p :done)

(array-map
 :results results
 :account @account
 :history @history
 :meta (meta account)
 :delay [(realized? d) @d (force d) (realized? d)]
 :promise [(realized? p) @p (deref p 10 :late)]
 :swap-vals (swap-vals! account assoc :ops 0)
 :reset-vals (reset-vals! (atom 1) 2)
 :cas (let [x (atom :a)] [(compare-and-set! x :b :c) (compare-and-set! x :a :c) @x])
 :validator-off (do (set-validator! account nil) (:balance (swap! account update :balance - 1000)))
 :vol (let [v (volatile! 1)] (vswap! v + 5) @v)
 :fut @(future (+ 1 2)))
