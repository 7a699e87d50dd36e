; Keep an inventory of records and apply stock movements, refusing those that would go below zero.
(defrecord Item [sku name quantity price])
(defrecord Movement [sku delta reason])

(def initial
  (into {}
        (map (juxt :sku identity))
        [(->Item "W-1" "Widget" 10 2.50)
         (->Item "G-2" "Gadget" 3 10.00)
         (map->Item {:sku "S-3" :name "Sprocket" :quantity 0 :price 0.75})]))

(def movements
  [(->Movement "W-1" -4 :sale)
   (->Movement "G-2" -5 :sale)
   (->Movement "S-3" 20 :delivery)
   (->Movement "X-9" 1 :delivery)
   (->Movement "W-1" 2 :return)])

(defn apply-movement
  [inventory {:keys [sku delta reason] :as movement}]
  (let [item (get inventory sku)]
    (cond
      (nil? item)
      (throw (ex-info "Unknown SKU" {:type :unknown-sku :movement movement}))

      (neg? (+ (:quantity item) delta))
      (throw (ex-info "Insufficient stock"
                      {:type :insufficient :sku sku :have (:quantity item) :need (- delta) :reason reason}))

      :else
      (update-in inventory [sku :quantity] + delta))))

(defn process [inventory movements]
  (reduce (fn [{:keys [inventory] :as state} m]
            (try
              (assoc state :inventory (apply-movement inventory m))
              (catch clojure.lang.ExceptionInfo e
                (update state :errors conj (assoc (dissoc (ex-data e) :movement)
                                                  :message (.getMessage e))))))
          {:inventory inventory :errors []}
          movements))

(let [{:keys [inventory errors]} (process initial movements)]
  (doseq [item (sort-by :sku (vals inventory))]
    (println (:sku item) (:name item) (:quantity item) (* (:quantity item) (:price item))))
  (println "record?" (record? (first (vals inventory))) (instance? Item (get inventory "W-1")))
  [errors (get inventory "W-1") (= (get inventory "S-3") (->Item "S-3" "Sprocket" 20 0.75))])
