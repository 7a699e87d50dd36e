;; Move orders through their states with a multimethod on the state and the event.
(defrecord Order [id state items history])

(defn new-order [id & items]
  (map->Order {:id id :state :new :items (vec items) :history [:new]}))

(defmulti on-event (fn [{:keys [state]} event] [state (:type event)]))

(defn go [order state & {:as extra}]
  (-> order
      (assoc :state state)
      (update :history conj state)
      (merge extra)))

(defmethod on-event [:new :pay] [order {:keys [amount]}]
  (let [due (reduce + (map :price (:items order)))]
    (if (>= amount due)
      (go order :paid :change (- amount due))
      (go order :new :error (format "%d missing" (- due amount))))))

(defmethod on-event [:paid :ship] [order {:keys [carrier]}]
  (go order :shipped :carrier carrier))

(defmethod on-event [:shipped :deliver] [order _] (go order :done))

(doseq [s [:new :paid]]
  (defmethod on-event [s :cancel] [order _]
    (go order :cancelled :refund (= s :paid))))

(defmethod on-event :default [order {:keys [type]}]
  (update order :ignored (fnil conj []) type))

(def scenarios
  {"happy" [{:type :pay :amount 50} {:type :ship :carrier "DHL"} {:type :deliver}]
   "short" [{:type :pay :amount 5} {:type :ship :carrier "UPS"}]
   "cancelled" [{:type :pay :amount 40} {:type :cancel} {:type :ship}]})

(defn play [events]
  (reduce on-event (new-order 1 {:sku :pen :price 10} {:sku :pad :price 30}) events))

(doseq [[title events] (sort scenarios)]
  (println title (:history (play events))))

(let [results (into (sorted-map) (map (fn [[k v]] [k (dissoc (play v) :items :history)])) scenarios)]
  {:states (update-vals results :state)
   :extras (mapv (fn [[_ r]] (into (sorted-map) (dissoc r :id :state))) results)
   :type (record? (get results "happy"))})
