; Summarise orders by customer: how many, revenue, average, the biggest order; customers with most revenue first.
(ns orders.report
  (:require [clojure.string :as str]))

(def orders
  [{:id 1001 :customer "Acme" :items [{:sku "A1" :qty 2 :price 9.99} {:sku "B7" :qty 1 :price 24.50}] :status :shipped}
   {:id 1002 :customer "Globex" :items [{:sku "C3" :qty 10 :price 1.25}] :status :pending}
   {:id 1003 :customer "Acme" :items [{:sku "D4" :qty 3 :price 14.00}] :status :shipped}
   {:id 1004 :customer "Initech" :items [] :status :cancelled}
   {:id 1005 :customer "Globex" :items [{:sku "A1" :qty 5 :price 9.99} {:sku "D4" :qty 1 :price 14.00}] :status :shipped}
   {:id 1006 :customer "Umbrella" :items [{:sku "E5" :qty 1 :price 199.00}] :status :pending}])

(defn line-total [{:keys [qty price]}]
  (* qty price))

(defn order-total [order]
  (->> order :items (map line-total) (reduce + 0.0)))

(defn round2 [x]
  (/ (Math/round (* 100.0 x)) 100.0))

(defn summarize-customer [[customer orders]]
  (let [totals  (map order-total orders)
        revenue (reduce + totals)
        biggest (apply max-key order-total orders)]
    {:customer customer
     :orders   (count orders)
     :revenue  (round2 revenue)
     :average  (round2 (/ revenue (count orders)))
     :biggest  (:id biggest)
     :statuses (frequencies (map :status orders))}))

(def report
  (->> orders
       (remove #(= :cancelled (:status %)))
       (group-by :customer)
       (map summarize-customer)
       (sort-by :revenue >)))

(doseq [{:keys [customer orders revenue average]} report]
  (println (format "%-10s %3d %10.2f %10.2f" customer orders revenue average)))

(println (str/join (repeat 36 "-")))
(printf "%-10s %3d %10.2f%n" "TOTAL" (reduce + (map :orders report)) (reduce + (map :revenue report)))

(vec report)
