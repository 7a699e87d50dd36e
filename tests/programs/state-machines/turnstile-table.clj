; A turnstile as a table of transitions, checked for completeness, with counts of coins and people.
(def machine
  '{:start locked
    :table {locked   {coin [unlocked :count-coin]
                      push [locked :alarm]}
            unlocked {coin [unlocked :return-coin]
                      push [locked :count-person]}
            broken   {fix [locked nil]}}})

(defn states [m] (-> m :table keys set))

(defn reachable [{:keys [start table]}]
  (loop [todo [start] seen #{}]
    (if-let [s (first todo)]
      (recur (into (vec (rest todo)) (remove seen) (map first (vals (table s))))
             (conj seen s))
      seen)))

(def actions
  {:count-coin   #(update % :coins inc)
   :return-coin  #(update % :returned inc)
   :count-person #(update % :people inc)
   :alarm        #(update % :alarms inc)})

(defn fire [{:keys [table]} [state data] event]
  (if-some [[target action] (get-in table [state event])]
    [target ((get actions action identity) data)]
    (throw (ex-info (format "no transition for %s in %s" event state)
                    {:state state :event event :expected (sort (keys (table state)))}))))

(defn run [m events]
  (reduce (partial fire m) [(:start m) (zipmap [:coins :returned :people :alarms] (repeat 0))] events))

(let [[state data] (run machine '[coin push push coin coin push coin])]
  (println "ends" state)
  (doseq [[k v] (sort data)]
    (println (str (name k) ": " v)))
  {:state state
   :data data
   :unreachable (remove (reachable machine) (sort (states machine)))
   :error (try
            (run machine '[coin fix])
            (catch clojure.lang.ExceptionInfo e
              (assoc (ex-data e) :message (ex-message e))))
   :missing (for [s (sort (states machine))
                  e '[coin push]
                  :when (nil? (get-in machine [:table s e]))]
              [s e])})
