;; Parse cron-like rules and recurrences with java.time and lazy sequences.
(require '[clojure.string :as str])
(import '(java.time LocalDate LocalDateTime DayOfWeek Month ZoneId ZonedDateTime Year)
        '(java.time.temporal ChronoUnit TemporalAdjusters ChronoField IsoFields))
(defn parse-field [s lo hi]
  (into (sorted-set)
        (mapcat (fn [part]
                  (let [[_ a b step] (re-matches #"(\*|\d+)(?:-(\d+))?(?:/(\d+))?" part)
                        [from to] (if (= a "*") [lo hi] [(parse-long a) (if b (parse-long b) (if step hi (parse-long a)))])]
                    (range from (inc to) (if step (parse-long step) 1)))))
        (str/split s #",")))
(defn parse-cron [s]
  (zipmap [:min :hour :dom :mon :dow] (map #(apply parse-field %1 %2) (str/split s #" +") [[0 59] [0 23] [1 31] [1 12] [0 6]])))
(defn match? [{:keys [min hour dom mon dow]} ^LocalDateTime t]
  (and (mon (.getMonthValue t)) (dom (.getDayOfMonth t)) (dow (mod (.getValue (.getDayOfWeek t)) 7))
       (hour (.getHour t)) (min (.getMinute t))))
(defn next-runs [cron ^LocalDateTime from n]
  (->> (iterate #(.plusMinutes ^LocalDateTime % 15) (.truncatedTo from ChronoUnit/HOURS))
       (filter #(match? cron %)) (take n) (map str)))
(defn nth-weekday [y m n dow] (.with (LocalDate/of y m 1) (TemporalAdjusters/dayOfWeekInMonth n dow)))
(def thanksgiving (map #(nth-weekday % 11 4 DayOfWeek/THURSDAY) (iterate inc 2022)))
(println (str/join " " (take 3 thanksgiving)))
(println (parse-cron "*/20 9-17/4 1,15 * 1-5"))
(let [d (LocalDate/of 2024 12 30)
      z (ZonedDateTime/of 2024 3 30 12 0 0 0 (ZoneId/of "Europe/Berlin"))]
  {:runs (next-runs (parse-cron "0,30 9 * * 1-5") (LocalDateTime/of 2024 6 7 8 10) 4)
   :iso [(.get d IsoFields/WEEK_OF_WEEK_BASED_YEAR) (.get d IsoFields/WEEK_BASED_YEAR) (.get d ChronoField/DAY_OF_YEAR) (.get d IsoFields/QUARTER_OF_YEAR)]
   :dst [(str (.plusDays z 1)) (str (.plus z 24 ChronoUnit/HOURS)) (str (.getOffset (.plusDays z 1)))]
   :adj (map str [(.with d (TemporalAdjusters/lastDayOfMonth)) (.with d (TemporalAdjusters/previousOrSame DayOfWeek/SUNDAY)) (.withDayOfYear d 60) (.with d ChronoField/DAY_OF_WEEK 3)])
   :months (map #(.maxLength ^Month %) [Month/FEBRUARY (Month/of 4) (.plus Month/DECEMBER 1)])
   :between [(.between ChronoUnit/WEEKS (LocalDate/of 2024 1 1) d) (.until (LocalDate/of 2024 1 31) (LocalDate/of 2024 3 1) ChronoUnit/MONTHS)]
   :enum [(str DayOfWeek/MONDAY) (.ordinal DayOfWeek/MONDAY) (map str (take 2 (DayOfWeek/values))) (.getValue (DayOfWeek/valueOf "FRIDAY"))]
   :leap (.isLeap (Year/of 2024))})
