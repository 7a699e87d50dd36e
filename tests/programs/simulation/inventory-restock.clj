;; Simulate an inventory with reorder points and deliveries that arrive days later.
(def policy {:reorder-at 20 :order-size 40 :lead-time 3})

(def demand (cycle [7 5 9 0 12 4 8]))

(defn receive [{:keys [day deliveries] :as shop}]
  (let [qty (get deliveries day 0)]
    (-> shop
        (update :stock + qty)
        (update :deliveries dissoc day))))

(defn sell [shop want]
  (let [sold (min want (:stock shop))]
    (-> shop
        (update :stock - sold)
        (update :sold + sold)
        (update :missed + (- want sold)))))

(defn maybe-order [{:keys [reorder-at order-size lead-time]} {:keys [stock deliveries day] :as shop}]
  (if (and (<= stock reorder-at) (empty? deliveries))
    (-> shop
        (assoc-in [:deliveries (+ day lead-time)] order-size)
        (update :orders inc))
    shop))

(defn simulate-day [policy shop want]
  (->> (-> shop
           receive
           (sell want))
       (maybe-order policy)
       (#(update % :day inc))))

(defn simulate [policy days]
  (reduce (partial simulate-day policy)
          {:day 1 :stock 30 :sold 0 :missed 0 :orders 0 :deliveries {}}
          (take days demand)))

(doseq [d [1 7 14 28]]
  (let [{:keys [stock sold missed orders]} (simulate policy d)]
    (println "after" d "days: stock" stock "sold" sold "missed" missed "orders" orders)))

(->> (for [at [10 20 30] size [20 40]]
       [[at size] (simulate (assoc policy :reorder-at at :order-size size) 56)])
     (map (fn [[k {:keys [missed orders]}]]
            [k {:missed missed :cost (+ (* 5 missed) (* 12 orders))}]))
     (sort-by (juxt (comp :cost second) first))
     (take 3))
