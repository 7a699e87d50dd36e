;; Run a discrete event simulation of a car wash with events in a sorted map.
(defn schedule [world at event]
  (update-in world [:queue at] (fnil conj []) event))

(defn log [world & msg]
  (update world :log conj (apply str "[" (:now world) "] " msg)))

(defmulti process (fn [_world event] (:type event)))

(defmethod process :arrive [world {:keys [car]}]
  (let [world (log world car " arrives")]
    (if (:busy world)
      (if (< (count (:waiting world)) 2)
        (update world :waiting conj car)
        (-> world (log car " leaves") (update :lost inc)))
      (-> world
          (assoc :busy car)
          (schedule (+ (:now world) 4) {:type :done :car car})))))

(defmethod process :done [world {:keys [car]}]
  (let [next-car (peek (:waiting world))
        world (-> world (log car " is clean") (update :washed inc))]
    (if next-car
      (-> world
          (update :waiting pop)
          (assoc :busy next-car)
          (schedule (+ (:now world) 4) {:type :done :car next-car}))
      (dissoc world :busy))))

(defn run [{:keys [queue] :as world}]
  (if-let [[at events] (first queue)]
    (recur (reduce process
                   (-> world (assoc :now at) (update :queue dissoc at))
                   events))
    world))

(def world
  (reduce (fn [w [at car]] (schedule w at {:type :arrive :car car}))
          {:now 0 :queue (sorted-map) :waiting clojure.lang.PersistentQueue/EMPTY
           :washed 0 :lost 0 :log []}
          [[0 "A"] [1 "B"] [2 "C"] [3 "D"] [20 "E"] [4 "F"]]))

(let [end (run world)]
  (run! println (:log end))
  (select-keys end [:now :washed :lost :busy]))
