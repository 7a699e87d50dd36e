;; Spread a rumour through a graph of friends day by day until nobody new hears it.
(require '[clojure.set :as set])

(def friends
  {:ann #{:bob :cat}
   :bob #{:ann :dan}
   :cat #{:ann :dan :eve}
   :dan #{:bob :cat :fay}
   :eve #{:cat}
   :fay #{:dan :gus}
   :gus #{:fay}
   :hal #{:ivy}
   :ivy #{:hal}})

(defn spread-day [{:keys [knows fresh day]}]
  (let [heard (set/difference (into #{} (mapcat friends) fresh) knows)]
    {:knows (set/union knows heard)
     :fresh heard
     :day (inc day)}))

(defn spread [start]
  (->> {:knows #{start} :fresh #{start} :day 0}
       (iterate spread-day)
       (take-while (comp seq :fresh))))

(doseq [{:keys [day fresh]} (spread :ann)]
  (println "day" day ":" (clojure.string/join ", " (sort (map name fresh)))))

(defn components [graph]
  (loop [todo (set (keys graph)) found []]
    (if-let [start (first (sort todo))]
      (let [group (:knows (last (spread start)))]
        (recur (set/difference todo group) (conj found group)))
      found)))

(let [days (fn [who] (:day (last (spread who))))
      speed (into (sorted-map) (map (juxt identity days)) (keys friends))]
  {:speed speed
   :fastest (ffirst (sort-by (juxt val key) (remove (comp #{:hal :ivy} key) speed)))
   :components (map (comp vec sort) (components friends))
   :never (sort (set/difference (set (keys friends)) (:knows (last (spread :gus)))))})
