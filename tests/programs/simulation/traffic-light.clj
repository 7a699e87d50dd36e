;; Model a traffic light with a button as a state machine and run it on a list of events.
(def machine
  {:green  {:tick {:after 3 :to :yellow} :button {:to :yellow}}
   :yellow {:tick {:after 1 :to :red}}
   :red    {:tick {:after 2 :to :green} :button {:action :remember}}})

(defn transition [{:keys [state age] :as light} event]
  (let [{:keys [after to action] :as rule} (get-in machine [state event])]
    (cond
      (nil? rule) light
      action (assoc light :pending action)
      (and after (< (inc age) after)) (update light :age inc)
      :else (assoc light :state to :age 0))))

(def events [:tick :tick :button :tick :button :tick :tick :tick :tick :tick :tick :reset])

(def history
  (reductions transition {:state :red :age 0} events))

(defn runs [coll]
  (map (juxt first count) (partition-by identity coll)))

(println (map :state history))

(run! (fn [[e {:keys [state]}]] (println (format "%-7s -> %s" (name e) (name state))))
      (map vector events (next history)))

{:final (last history)
 :runs (runs (map :state history))
 :reachable (loop [seen #{} [s & more] [:red]]
              (cond (nil? s) (sort seen)
                    (seen s) (recur seen more)
                    :else (recur (conj seen s)
                                 (into more (keep :to (vals (machine s)))))))}
