; Join customers, orders and products as relations and answer a few questions about them.
(require '[clojure.set :as set])

(def customers
  #{{:cid 1 :name "Ann" :city "Oslo"}
    {:cid 2 :name "Bo" :city "Bergen"}
    {:cid 3 :name "Cy" :city "Oslo"}})

(def products
  #{{:pid 10 :title "Lamp" :price 30}
    {:pid 11 :title "Desk" :price 200}
    {:pid 12 :title "Chair" :price 90}})

(def orders
  #{{:oid 100 :cid 1 :pid 10 :n 2}
    {:oid 101 :cid 1 :pid 12 :n 1}
    {:oid 102 :cid 2 :pid 11 :n 1}})

(def joined
  (->> orders
       (set/join customers)
       (set/join products)))

(defn by-city [rel]
  (reduce-kv (fn [acc city rows]
               (assoc acc (:city city) (reduce + (map #(* (:n %) (:price %)) rows))))
             (sorted-map)
             (set/index rel [:city])))

(println "rows" (count joined))
(doseq [{:keys [oid name title n]} (sort-by :oid joined)]
  (println oid name "bought" n title))

(let [buyers  (set (map :cid joined))
      no-buy  (set/select #(not (contains? buyers (:cid %))) customers)
      renamed (set/rename (set/project customers [:cid :name]) {:cid :id, :name :full-name})]
  {:by-city  (by-city joined)
   :no-order (map :name no-buy)
   :renamed  (sort-by :id renamed)
   :cities   (into (sorted-set) (map :city) customers)
   :titles   (sort (set/difference (into #{} (map :title) products) (into #{} (map :title) (filter #(> (:price %) 100) products))))
   :inverted (into (sorted-map) (set/map-invert {"a" 1 "b" 2}))
   :subset   (set/subset? #{1 2} (set (map :cid customers)))})
