;; Compare two schedules and report what was added, dropped and moved.
(require '[clojure.data :as data]
         '[clojure.edn :as edn]
         '[clojure.set :as set])

(def before
  (edn/read-string
   "{:mon [{:at \"09:00\" :what :math} {:at \"10:00\" :what :art}]
     :tue [{:at \"09:00\" :what :bio}]
     :wed []}"))

(def after
  (edn/read-string
   "{:mon [{:at \"09:00\" :what :math} {:at \"11:00\" :what :art}]
     :tue [{:at \"09:00\" :what :chem}]
     :thu [{:at \"08:00\" :what :bio}]}"))

(defn entries [schedule]
  (set (for [[day items] schedule
             {:keys [at what]} items]
         {:day day :at at :what what})))

(let [[only-before only-after both] (data/diff (entries before) (entries after))
      moved (set/join (set/rename only-before {:day :from-day :at :from-at})
                      only-after)
      moved-subjects (set (map :what moved))
      show (juxt :day :at :what)]
  (println "same:" (sort (map show both)))
  (doseq [{:keys [what from-day from-at day at]} (sort-by :what moved)]
    (println (name what) "moved from" (name from-day) from-at "to" (name day) at))
  {:dropped (sort (map show (remove (comp moved-subjects :what) only-before)))
   :added (sort (map show (remove (comp moved-subjects :what) only-after)))
   :days (sort (set/difference (set (keys before)) (set (keys after))))
   :diff (map #(into (sorted-map) %) (data/diff {:a 1 :b [1 2 3]} {:a 1 :b [1 5 3] :c nil}))
   :index (into (sorted-map) (map (fn [[k v]] [(:what k) (count v)])) (set/index (entries after) [:what]))
   :projected (sort-by :day (set/project (entries after) [:day]))
   :selected (count (set/select #(= "09:00" (:at %)) (entries before)))})
