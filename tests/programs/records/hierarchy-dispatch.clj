;; Compute the fees of vehicles with a hierarchy of keywords and multimethods.
(derive ::car ::vehicle)
(derive ::truck ::vehicle)
(derive ::taxi ::car)
(derive ::electric ::green)
(derive ::e-taxi ::taxi)
(derive ::e-taxi ::electric)

(defmulti toll
  "What a vehicle pays, by its kind."
  (fn [{:keys [kind]} & _] kind))

(defmethod toll ::vehicle [_ & _] 10)
(defmethod toll ::truck [{:keys [axles]} & _] (* 8 axles))
(defmethod toll ::taxi [v & opts] (- (toll (assoc v :kind ::car)) 3))
(defmethod toll ::green [_ & _] 1)
(defmethod toll :default [{:keys [kind]} & _]
  (throw (ex-info "Cannot classify" {:kind (name kind)})))

(prefer-method toll ::green ::taxi)
(prefer-method toll ::green ::vehicle)

(defn try-toll [v]
  (try (toll v)
       (catch clojure.lang.ExceptionInfo e (ex-data e))))

(def fleet
  [{:id 1 :kind ::car}
   {:id 2 :kind ::truck :axles 4}
   {:id 3 :kind ::taxi}
   {:id 4 :kind ::e-taxi}
   {:id 5 :kind ::bike}])

(doseq [v fleet]
  (println (:id v) (name (:kind v)) (try-toll v)))

{:isa [(isa? ::taxi ::vehicle) (isa? ::vehicle ::taxi) (isa? [::taxi ::truck] [::car ::vehicle])]
 :parents (sort (map name (parents ::e-taxi)))
 :ancestors (sort (map name (ancestors ::e-taxi)))
 :descendants (sort (map name (descendants ::vehicle)))
 :total (reduce + (filter number? (map try-toll fleet)))}
