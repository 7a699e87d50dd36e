;; Business days with holidays, schedules and month ends.
(import '[java.time LocalDate DayOfWeek Period YearMonth]
        '[java.time.temporal ChronoUnit TemporalAdjusters])
(require '[clojure.string :as str])

(def holidays #{(LocalDate/of 2024 12 25) (LocalDate/of 2024 12 26) (LocalDate/parse "2025-01-01")})

(defn weekend? [^LocalDate d]
  (contains? #{DayOfWeek/SATURDAY DayOfWeek/SUNDAY} (.getDayOfWeek d)))

(def business-day? (complement (some-fn weekend? holidays)))

(defn days-from [^LocalDate d] (iterate #(.plusDays ^LocalDate % 1) d))

(defn add-business-days [d n]
  (->> (days-from d) rest (filter business-day?) (drop (dec n)) first))

(defn business-days-between [a b]
  (->> (days-from a)
       (take-while #(.isBefore ^LocalDate % b))
       (filter business-day?)
       count))

(defn month-end-run [ym n]
  (for [i (range n)
        :let [m (.plusMonths ym i)
              end (.atEndOfMonth m)
              adj (first (drop-while (complement business-day?)
                                     (iterate #(.minusDays ^LocalDate % 1) end)))]]
    [(str m) (str adj) (.until adj end ChronoUnit/DAYS)]))

(def start (LocalDate/of 2024 12 20))

(doseq [[m d gap] (month-end-run (YearMonth/of 2024 11) 4)]
  (println m d (if (zero? gap) "" (str "(-" gap ")"))))

(let [p (Period/between (LocalDate/of 2023 11 30) (LocalDate/of 2025 2 28))]
  (array-map
 :plus5 (str (add-business-days start 5))
   :between (business-days-between start (LocalDate/of 2025 1 3))
   :period [(str p) (.getYears p) (.getMonths p) (.getDays p) (.toTotalMonths p)]
   :first-monday (str (.with start (TemporalAdjusters/firstInMonth DayOfWeek/MONDAY)))
   :next-friday (str (.with start (TemporalAdjusters/next DayOfWeek/FRIDAY)))
   :quarter (inc (quot (dec (.getMonthValue start)) 3))
   :names (map #(str/capitalize (str/lower-case (str (.getDayOfWeek ^LocalDate %)))) (take 3 (days-from start)))
   :cmp (map str (sort [(LocalDate/of 2024 3 1) (LocalDate/of 2023 3 1)]))
   :leap (filter #(.isLeap (java.time.Year/of %)) (range 1896 1910))))
