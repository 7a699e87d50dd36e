;; A connection as a state machine of multimethods, dispatched on state and event, with a history.
(defmulti transition (fn [conn event] [(:state conn) (:type event)]))

(defmethod transition [:closed :listen] [conn _] (assoc conn :state :listen))
(defmethod transition [:closed :connect] [conn {:keys [seq]}]
  (-> conn (assoc :state :syn-sent :seq seq) (update :sent conj [:syn seq])))
(defmethod transition [:listen :syn] [conn {:keys [seq]}]
  (-> conn (assoc :state :syn-received :ack (inc seq)) (update :sent conj [:syn-ack (inc seq)])))
(defmethod transition [:syn-sent :syn-ack] [conn {:keys [seq ack]}]
  (if (= ack (inc (:seq conn)))
    (-> conn (assoc :state :established :ack (inc seq)) (update :sent conj [:ack (inc seq)]))
    (assoc conn :state :closed :error :bad-ack)))
(defmethod transition [:syn-received :ack] [conn _] (assoc conn :state :established))
(defmethod transition [:established :data] [conn {:keys [bytes]}] (update conn :received + (count bytes)))
(defmethod transition [:established :fin] [conn _] (assoc conn :state :close-wait))
(defmethod transition [:close-wait :close] [conn _] (assoc conn :state :closed))
(defmethod transition :default [conn event]
  (update conn :ignored (fnil conj []) [(:state conn) (:type event)]))

(derive ::rst ::control)

(def fresh {:state :closed :sent [] :received 0})

(defn trace [events]
  (map :state (reductions transition fresh events)))

(def client
  [{:type :connect :seq 100} {:type :syn-ack :seq 300 :ack 101} {:type :data :bytes "hello"} {:type :data :bytes "!"} {:type :fin} {:type :close}])
(def server
  [{:type :listen} {:type :data :bytes "early"} {:type :syn :seq 100} {:type :ack}])

(doseq [[who events] (array-map :client client :server server)]
  (println who (interpose '-> (trace events))))

{:client  (reduce transition fresh client)
 :server  (reduce transition fresh server)
 :bad     (:error (reduce transition fresh [{:type :connect :seq 1} {:type :syn-ack :seq 5 :ack 9}]))
 :methods (count (methods transition))
 :known?  (some? (get-method transition [:listen :syn]))
 :default (= (get-method transition [:listen :nope]) (get-method transition :default))
 :isa     (isa? ::rst ::control)}
