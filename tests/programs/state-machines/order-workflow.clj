; Orders that move through states with guards and effects, keeping an audit trail of every change.
(require '[clojure.string :as str])

(def workflow
  {:draft     {:submit  {:to :submitted :guard (comp seq :items)}
               :discard {:to :cancelled}}
   :submitted {:approve {:to :approved :guard (fn [order] (<= (:total order) 1000))
                         :effect #(assoc % :approved-by "auto")}
               :escalate {:to :review}
               :discard {:to :cancelled}}
   :review    {:approve {:to :approved :effect #(assoc % :approved-by "boss")}
               :reject  {:to :cancelled}}
   :approved  {:ship    {:to :shipped :effect (fn [o] (update o :parcels (fnil inc 0)))}}
   :shipped   {}
   :cancelled {}})

(defn allowed [order]
  (-> workflow (get (:state order)) keys sort))

(defn advance
  "Returns [:ok order] or [:error reason order]."
  [{:keys [state] :as order} event]
  (let [{:keys [to guard effect] :or {guard (constantly true) effect identity} :as transition}
        (get-in workflow [state event])]
    (cond
      (not transition)    [:error (str (name event) " is not possible in " (name state)
                                       (when-let [es (seq (allowed order))]
                                         (str "; try " (str/join ", " (map name es))))) order]
      (not (guard order)) [:error (str "guard of " (name event) " failed") order]
      :else               [:ok (-> order
                                   effect
                                   (assoc :state to)
                                   (update :trail (fnil conj []) [state event to]))])))

(defn play [order events]
  (reduce (fn [order event]
            (let [[status & more] (advance order event)]
              (case status
                :ok    (first more)
                :error (let [[reason order] more]
                         (println "  !" reason)
                         order))))
          order
          events))

(def scenarios
  [{:order {:id 1 :state :draft :items ["pen"] :total 5} :events [:submit :approve :ship :ship]}
   {:order {:id 2 :state :draft :items ["car"] :total 30000} :events [:submit :approve :escalate :approve :ship]}
   {:order {:id 3 :state :draft :items [] :total 0} :events [:ship :submit :discard]}])

(vec
 (for [{:keys [order events]} scenarios]
   (do
     (println "order" (:id order))
     (let [{:keys [state trail approved-by parcels]} (play order events)]
       [state (count trail) approved-by parcels (mapv second trail)]))))
