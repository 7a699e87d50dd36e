;; Assign ISO week numbers to dates and sum the hours worked by week.
(import '[java.time LocalDate]
        '[java.time.temporal IsoFields WeekFields])

(def timesheet
  {"2023-12-31" 4.0
   "2024-01-01" 8.0
   "2024-01-02" 7.5
   "2024-01-08" 8.25
   "2024-12-30" 6.0
   "2025-01-01" 2.0})

(defn iso-week [s]
  (let [d (LocalDate/parse s)]
    [(.get d IsoFields/WEEK_BASED_YEAR)
     (.get d IsoFields/WEEK_OF_WEEK_BASED_YEAR)]))

(defn label [[y w]]
  (format "%d-W%02d" y w))

(def weekly
  (reduce-kv (fn [m d h] (update m (label (iso-week d)) (fnil + 0.0) h))
             (sorted-map)
             timesheet))

(doseq [[w h] weekly]
  (println (format "%s %6.2f" w h)))

{:weekly weekly
 :max (key (apply max-key val weekly))
 :days (->> (keys timesheet)
            sort
            (map #(str (.getDayOfWeek (LocalDate/parse %)))))}
