;; Compute the tier and points of customers from purchases with threading and default values.
(def purchases
  [{:customer {:id 7 :name "Ola" :joined 2019} :amount 120 :tags #{:online}}
   {:customer {:id 9 :name "Per"} :amount 80}
   {:customer {:id 7 :name "Ola" :joined 2019} :amount 300 :tags #{:online :sale}}
   {:customer {:id 9 :name "Per"} :amount nil}
   {:customer nil :amount 50}])

(defn base-points [{:keys [amount tags] :or {tags #{}}}]
  (cond-> (or amount 0)
    (:online tags) (* 2)
    (contains? tags :sale) (quot 3)
    (and amount (> amount 100)) (+ 10)))

(defn tier [points]
  (condp <= points
    400 :gold
    100 :silver
    :bronze))

(defn years-member [customer]
  (some-> customer :joined (- 2024) -))

(def summary
  (->> purchases
       (filter :customer)
       (group-by (comp :id :customer))
       (reduce-kv
        (fn [acc id [{{:keys [name] :as customer} :customer} :as ps]]
          (let [points (transduce (map base-points) + ps)]
            (assoc acc id
                   (merge {:name name :points points :tier (tier points)}
                          (when-let [y (years-member customer)]
                            {:years y :bonus (* 5 y)})))))
        (sorted-map))))

(doseq [[id {:keys [name points tier years] :or {years 0}}] summary]
  (println (str "#" id) name points tier (str years "y")))

(let [{{ola-points :points :keys [bonus]} 7, {:keys [bonus] :as per :or {bonus :none}} 9} summary]
  {:ola ola-points
   :per-bonus bonus
   :per (select-keys per [:tier :missing])
   :anonymous (->> purchases (remove :customer) (map :amount))
   :tiers (->> (vals summary) (map (juxt :tier :name)) (sort-by first) vec)
   :nested (get-in summary [7 :address :city] "unknown")
   :updated (-> summary (update-in [9 :points] + 500) (get 9) ((juxt :points (comp tier :points))))
   :fnil ((fnil + 100 200) nil nil)})
