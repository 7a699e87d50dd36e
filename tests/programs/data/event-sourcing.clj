; Rebuild a shopping cart from its events, at any version, with snapshots and a projection.
(defmulti apply-event (fn [_cart event] (:type event)))

(defmethod apply-event :item-added
  [cart {:keys [sku qty] :or {qty 1}}]
  (update-in cart [:items sku] (fnil + 0) qty))

(defmethod apply-event :item-removed
  [cart {:keys [sku]}]
  (update cart :items dissoc sku))

(defmethod apply-event :coupon-applied
  [cart {:keys [code percent]}]
  (assoc cart :coupon {:code code :percent percent}))

(defmethod apply-event :checked-out [cart _]
  (assoc cart :status :closed))

(def empty-cart {:status :open :items {} :version 0})

(defn evolve [cart event]
  (-> (apply-event cart event)
      (update :version inc)))

(defn replay
  ([events] (replay empty-cart events))
  ([snapshot events] (reduce evolve snapshot (drop (:version snapshot) events))))

(def prices {"pen" 2 "book" 15 "lamp" 40})

(defn total [{:keys [items coupon]}]
  (let [sum (reduce-kv (fn [acc sku qty] (+ acc (* qty (prices sku)))) 0 items)]
    (if-let [{:keys [percent]} coupon]
      (* sum (- 1 (/ percent 100)))
      sum)))

(def log
  [{:type :item-added :sku "pen" :qty 10}
   {:type :item-added :sku "lamp"}
   {:type :coupon-applied :code "TEN" :percent 10}
   {:type :item-removed :sku "lamp"}
   {:type :item-added :sku "book" :qty 2}
   {:type :checked-out}])

(let [history  (reductions evolve empty-cart log)
      snapshot (nth history 3)]
  (doseq [{:keys [version status items] :as cart} history]
    (println version status items (str (total cart))))
  {:final    (replay log)
   :snapshot (= (replay snapshot log) (replay log))
   :totals   (map (comp double total) history)
   :peak     (->> history (apply max-key total) :version)
   :types    (frequencies (map :type log))})
