;; A saga of steps with compensation: each step is a record, failures roll back what was done.
(defprotocol Step
  (run-step [this ctx] "The context after the step, or throws.")
  (undo-step [this ctx] "The context with the step taken back."))

(defrecord Reserve [sku qty]
  Step
  (run-step [_ ctx]
    (let [left (- (get-in ctx [:stock sku] 0) qty)]
      (if (neg? left)
        (throw (ex-info "out of stock" {:sku sku :missing (- left)}))
        (assoc-in ctx [:stock sku] left))))
  (undo-step [_ ctx] (update-in ctx [:stock sku] + qty)))

(defrecord Charge [customer cents]
  Step
  (run-step [_ ctx]
    (if (< (get-in ctx [:balance customer] 0) cents)
      (throw (ex-info "payment refused" {:customer customer}))
      (update-in ctx [:balance customer] - cents)))
  (undo-step [_ ctx] (update-in ctx [:balance customer] + cents)))

(defrecord Notify [customer]
  Step
  (run-step [_ ctx] (update ctx :mails (fnil conj []) customer))
  (undo-step [_ ctx] (update ctx :mails pop)))

(defn run-saga [ctx steps]
  (loop [[step & more :as todo] steps, done (), ctx (assoc ctx :log [])]
    (if (empty? todo)
      (assoc ctx :status :done)
      (let [result (try
                     (run-step step ctx)
                     (catch clojure.lang.ExceptionInfo e
                       {::failed (ex-message e) ::data (ex-data e)}))]
        (if-let [why (::failed result)]
          (-> (reduce (fn [ctx s] (-> (undo-step s ctx) (update :log conj [:undo (.getSimpleName (class s))]))) ctx done)
              (assoc :status :failed :why why :data (::data result)))
          (recur more (conj done step) (update result :log conj [:ran (.getSimpleName (class step))])))))))

(def shop {:stock {:pen 10 :ink 1} :balance {"Ann" 900 "Bob" 100}})

(let [ok   (run-saga shop [(->Reserve :pen 2) (->Charge "Ann" 300) (->Notify "Ann")])
      poor (run-saga shop [(->Reserve :pen 1) (->Notify "Bob") (->Charge "Bob" 500)])
      none (run-saga shop [(map->Reserve {:sku :ink :qty 3})])]
  (doseq [r [ok poor none]]
    (println (:status r) (or (:why r) "-") (count (:log r))))
  {:ok   (select-keys ok [:stock :balance :mails :log])
   :poor (:log poor)
   :same (= (:stock shop) (:stock poor))
   :none (:data none)})
