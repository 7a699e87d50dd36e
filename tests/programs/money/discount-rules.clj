;; Apply a list of discount rules to shopping carts, each rule a function.
(defn percent-off [p]
  (fn [cart] (assoc cart :total (* (:total cart) (- 1 (/ p 100))))))

(defn minus [amount & {:keys [min-total] :or {min-total 0}}]
  (fn [{:keys [total] :as cart}]
    (if (>= total min-total)
      (update cart :total - amount)
      cart)))

(defn three-for-two [sku]
  (fn [{:keys [items] :as cart}]
    (let [{:keys [qty price]} (get items sku {:qty 0 :price 0})
          free (quot qty 3)]
      (-> cart
          (update :total - (* free price))
          (cond-> (pos? free) (update :notes conj (str free " free " (name sku))))))))

(defn when-member [rule]
  (fn [cart] (cond-> cart (:member? cart) rule)))

(def rules
  [(three-for-two :soap)
   (when-member (percent-off 10))
   (minus 5 :min-total 50)])

(defn checkout [rules {:keys [items] :as cart}]
  (let [subtotal (reduce + (map (fn [{:keys [qty price]}] (* qty price)) (vals items)))
        step (apply comp (reverse rules))
        final (step (assoc cart :total subtotal :notes []))]
    (-> final
        (select-keys [:total :notes :id])
        (assoc :subtotal subtotal :saved (- subtotal (:total final))))))

(def carts
  [{:id 1 :member? true :items {:soap {:qty 7 :price 3} :wine {:qty 4 :price 12}}}
   {:id 2 :items {:wine {:qty 1 :price 12}}}
   {:id 3 :member? true :items {}}])

(def ^:private summary-keys [:id :subtotal :total :saved])

(doseq [c carts]
  (let [{:keys [id subtotal total notes]} (checkout rules c)]
    (println id subtotal "->" (str total) notes)))

{:rows (mapv (comp (apply juxt summary-keys) (partial checkout rules)) carts)
 :saved (->> carts (map (comp :saved #(checkout rules %))) (apply +) double)}
