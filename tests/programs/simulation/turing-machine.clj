;; Run a Turing machine given as a table that adds one to a binary number.
(defrecord Machine [tape pos state])

(def increment
  {[:right \0] [:right \0 1]
   [:right \1] [:right \1 1]
   [:right \_] [:carry \_ -1]
   [:carry \1] [:carry \0 -1]
   [:carry \0] [:halt \1 0]
   [:carry \_] [:halt \1 0]})

(def busy-beaver
  {[:a \_] [:b \1 1]  [:a \1] [:b \1 -1]
   [:b \_] [:a \1 -1] [:b \1] [:halt \1 1]})

(defn start [s state]
  (->Machine (into {} (map-indexed vector s)) 0 state))

(defn step [program {:keys [tape pos state] :as m}]
  (let [[state' write move] (program [state (get tape pos \_)])]
    (assoc m :tape (assoc tape pos write)
             :pos (+ pos move)
             :state state')))

(defn run [program m & {:keys [limit] :or {limit 1000}}]
  (->> (iterate (partial step program) m)
       (take limit)
       (map-indexed (fn [i m] (assoc m :steps i)))
       (filter #(= :halt (:state %)))
       first))

(defn show [{:keys [tape]}]
  (->> (sort-by key tape)
       (map val)
       (apply str)
       (#(clojure.string/replace % "_" ""))))

(doseq [s ["0" "1" "1011" "111"]]
  (let [m (run increment (start s :right))]
    (println s "->" (show m) "in" (:steps m) "steps")))

(let [bb (run busy-beaver (start "" :a))]
  {:ones (get (frequencies (show bb)) \1)
   :steps (:steps bb)
   :record? (instance? Machine bb)
   :never (run {[:a \_] [:a \_ 1]} (start "" :a) :limit 50)})
