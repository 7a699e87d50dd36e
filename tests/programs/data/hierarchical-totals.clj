; Roll up a tree of departments: headcount and budget of each with all below it, printed as an outline.
(def org
  {:name "Company"
   :budget 100
   :children [{:name "Engineering" :budget 500 :staff 10
               :children [{:name "Platform" :budget 200 :staff 4}
                          {:name "Product" :budget 300 :staff 6
                           :children [{:name "Mobile" :budget 120 :staff 3}]}]}
              {:name "Sales" :budget 250 :staff 7}]})

(defn rollup [{:keys [children budget staff] :or {staff 0} :as node}]
  (let [kids (mapv rollup children)]
    (cond-> (assoc node
                   :total-budget (apply + budget (map :total-budget kids))
                   :total-staff (apply + staff (map :total-staff kids)))
      (seq kids) (assoc :children kids))))

(defn outline
  ([node] (outline 0 node))
  ([depth {:keys [name total-budget total-staff children]}]
   (println (str (apply str (repeat (* 2 depth) \space)) "- " name
                 " [" total-budget ", " total-staff "]"))
   (run! (partial outline (inc depth)) children)))

(defn nodes [root]
  (tree-seq :children :children root))

(defn find-path [pred {:keys [name children] :as node}]
  (if (pred node)
    [name]
    (some (fn [child]
            (when-let [path (find-path pred child)]
              (into [name] path)))
          children)))

(def rolled (rollup org))

(outline rolled)

{:nodes   (map :name (nodes rolled))
 :leaves  (->> (nodes rolled) (remove :children) (mapv (juxt :name :budget)))
 :path    (find-path #(= "Mobile" (:name %)) rolled)
 :none    (find-path (comp #{"Legal"} :name) rolled)
 :depth   (letfn [(depth [n] (inc (apply max 0 (map depth (:children n)))))] (depth org))
 :total   (-> rolled (select-keys [:total-budget :total-staff]))}
