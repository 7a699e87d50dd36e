;; Simulate an elevator that serves calls in its direction before it turns.
(def initial {:floor 1 :dir :up :stops #{} :log [] :time 0})

(def calls {0 [3 5] 2 [2] 4 [1 4]})

(defn turn [dir] ({:up :down :down :up} dir))

(defn ahead? [{:keys [floor dir stops]}]
  (some (if (= dir :up) #(> % floor) #(< % floor)) stops))

(defn tick [{:keys [floor dir stops time] :as state}]
  (let [state (-> state
                  (update :stops into (get calls time))
                  (update :time inc))
        {:keys [stops]} state]
    (cond
      (stops floor) (-> state
                        (update :stops disj floor)
                        (update :log conj [time :open floor]))
      (empty? stops) state
      (ahead? state) (update state :floor (if (= dir :up) inc dec))
      :else (-> state
                (update :dir turn)
                (update :log conj [time :turn floor])))))

(defn done? [{:keys [stops time]}]
  (and (empty? stops)
       (every? #(< % time) (keys calls))))

(defn run [state]
  (->> (iterate tick state)
       (drop-while (complement done?))
       first))

(let [{:keys [log time floor]} (run initial)]
  (doseq [[t what f] log]
    (println (str "t=" t) (name what) "at" f))
  {:time time
   :floor floor
   :served (->> log (filter #(= :open (second %))) (map peek))
   :turns (count (filter (fn [[_ what]] (= what :turn)) log))})
