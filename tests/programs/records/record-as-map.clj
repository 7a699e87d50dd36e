;; Use records where maps are used: updates, equality, extra keys and destructuring.
(defrecord Employee [name dept salary])

(def staff
  [(->Employee "Ada" :dev 5200)
   (->Employee "Bob" :ops 4100)
   (map->Employee {:name "Cleo" :dept :dev :salary 6100 :remote true})
   #user.Employee{:name "Dan" :dept :ops :salary 3900}])

(defn raise [pct emp]
  (update emp :salary #(long (* % (+ 1 (/ pct 100))))))

(defn summary [{:keys [name salary remote] :or {remote false}}]
  (str name " " salary (when remote " (remote)")))

(run! (comp println summary (partial raise 10)) staff)

(let [ada (first staff)
      fired (dissoc ada :salary)
      tagged (assoc ada :badge 7)
      no-badge (dissoc tagged :badge)]
  [{:ada ada
    :record? (map record? [ada fired tagged no-badge])
    :fired fired
    :tagged tagged
    :equal (= ada no-badge)
    :equal-map [(= ada (into {} ada)) (= (into {} ada) {:name "Ada" :dept :dev :salary 5200})]
    :keys (keys tagged)
    :seq (first (seq ada))}
   {:by-dept (update-vals (group-by :dept staff) #(reduce + (map :salary %)))
    :as-key (get {ada :found} (->Employee "Ada" :dev 5200))
    :merged (merge ada {:salary 1})
    :contains (contains? ada :name)
    :instance (every? (partial instance? Employee) staff)}])
