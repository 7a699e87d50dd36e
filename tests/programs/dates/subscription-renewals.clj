;; Compute renewal dates of subscriptions, with grace periods and reminders.
(require '[clojure.string :as str])
(import '[java.time LocalDate]
        '[java.time.temporal ChronoUnit])

(def subs-data
  "id,plan,started,status
s1,monthly,2024-01-31,active
s2,yearly,2023-02-28,active
s3,monthly,2023-11-15,cancelled
s4,quarterly,2023-12-01,active")

(def plan->months {"monthly" 1 "quarterly" 3 "yearly" 12})

(defn parse-csv [text]
  (let [[header & rows] (map #(str/split % #",") (str/split-lines text))
        ks (map keyword header)]
    (map (partial zipmap ks) rows)))

(defn next-renewal [{:keys [plan started]} today]
  (let [start (LocalDate/parse started)
        step (plan->months plan)]
    (->> (iterate inc 1)
         (map #(.plusMonths start (* step %)))
         (drop-while #(.isBefore % today))
         first)))

(defn status-line [today {:keys [id status] :as sub}]
  (let [renewal (next-renewal sub today)
        days (.between ChronoUnit/DAYS today renewal)]
    (cond-> {:id id :renews (str renewal) :in days}
      (<= days 7) (assoc :reminder true)
      (= status "cancelled") (-> (dissoc :reminder)
                                 (assoc :ends (str (.minusDays renewal 1)))))))

(let [today (LocalDate/of 2024 2 26)
      lines (map (partial status-line today) (parse-csv subs-data))]
  (doseq [{:keys [id renews in reminder]} lines]
    (println (str id " renews " renews " in " in " days" (when reminder " !"))))
  (vec lines))
