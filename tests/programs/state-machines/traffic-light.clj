; A traffic light with timed phases, a pedestrian button and a night mode, run for some ticks.
(def transitions
  {:red        {:next :red-yellow :ticks 4}
   :red-yellow {:next :green :ticks 1}
   :green      {:next :yellow :ticks 5}
   :yellow     {:next :red :ticks 2}})

(def initial {:light :red :left 4 :requested? false})

(defmulti handle (fn [_state event] (first event)))

(defmethod handle :tick [{:keys [light left] :as state} _]
  (if (> left 1)
    (update state :left dec)
    (let [nxt (get-in transitions [light :next])]
      (cond-> (assoc state :light nxt :left (get-in transitions [nxt :ticks]))
        (= nxt :red) (-> (update :left + (if (:requested? state) 3 0))
                         (assoc :requested? false))))))

(defmethod handle :button [state _]
  (if (= :green (:light state))
    (assoc state :requested? true :left (min 2 (:left state)))
    state))

(defmethod handle :night [state [_ on?]]
  (if on?
    (assoc state :light :blinking :left Long/MAX_VALUE)
    initial))

(defmethod handle :default [state event]
  (println "ignored" event)
  state)

(def events
  (concat (repeat 6 [:tick]) [[:button]] (repeat 4 [:tick]) [[:explode 1] [:night true] [:tick] [:night false] [:tick]]))

(defn show [{:keys [light left requested?]}]
  (str (name light) "(" (if (< left 100) left "~") ")" (when requested? "*")))

(let [history (reductions handle initial events)]
  (println (clojure.string/join " " (map show history)))
  {:final  (last history)
   :phases (->> history (map :light) dedupe vec)
   :time   (->> history
                (partition-by :light)
                (mapv (juxt (comp :light first) count)))})
