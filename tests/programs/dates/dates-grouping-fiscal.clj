;; Fiscal quarters, ISO weeks, calendars as text and gaps in series of dates.
(require '[clojure.string :as str])
(import '(java.time LocalDate YearMonth DayOfWeek) '(java.time.format DateTimeFormatter TextStyle) '(java.time.temporal WeekFields IsoFields ChronoUnit TemporalAdjusters) 'java.util.Locale)
(defn fiscal [^LocalDate d] (let [s (.plusMonths d 3)] (format "FY%d-Q%d" (.getYear s) (.get s IsoFields/QUARTER_OF_YEAR))))
(defn iso-week [^LocalDate d] (format "%d-W%02d-%d" (.get d IsoFields/WEEK_BASED_YEAR) (.get d IsoFields/WEEK_OF_WEEK_BASED_YEAR) (.getValue (.getDayOfWeek d))))
(defn calendar [^YearMonth ym]
  (let [first-dow (.getValue (.getDayOfWeek (.atDay ym 1)))
        cells (concat (repeat (dec first-dow) "  ") (map #(format "%2d" %) (range 1 (inc (.lengthOfMonth ym)))))]
    (concat [(.format ym (DateTimeFormatter/ofPattern "MM/yyyy")) (str/join " " (map #(subs (.getDisplayName ^DayOfWeek % TextStyle/SHORT Locale/ENGLISH) 0 2) (DayOfWeek/values)))]
            (map #(str/join " " %) (partition-all 7 cells)))))
(defn gaps [ds] (for [[a b] (partition 2 1 (sort ds)) :let [n (dec (.between ChronoUnit/DAYS a b))] :when (pos? n)] {:after (str a) :missing n}))
(defn streaks [ds] (->> (sort ds) (map-indexed (fn [i d] [(.minusDays ^LocalDate d i) d])) (partition-by first) (map #(map second %)) (map (juxt (comp str first) count))))
(run! println (calendar (YearMonth/of 2024 2)))
(def ds (map #(LocalDate/parse %) ["2024-02-27" "2024-02-28" "2024-02-29" "2024-03-03" "2024-03-04" "2024-12-30" "2021-01-03"]))
(array-map
 :fiscal (into (sorted-map) (map (fn [[k v]] [k (count v)])) (group-by fiscal ds)) :weeks (mapv iso-week ds) :gaps (take 2 (gaps ds)) :streaks (streaks ds)
 :fmt (let [d (LocalDate/of 2024 3 5)] (mapv #(.format d (DateTimeFormatter/ofPattern %)) ["d/M/yy" "EEE, d MMM uuuu" "D" "w" "'Q'q yyyy" "yyyyMMdd" "e"]))
 :std (let [d (LocalDate/of 2024 3 5)] [(.format d DateTimeFormatter/ISO_DATE) (.format d DateTimeFormatter/BASIC_ISO_DATE) (.format d DateTimeFormatter/ISO_WEEK_DATE) (.format d DateTimeFormatter/ISO_ORDINAL_DATE)])
 :week (let [wf (WeekFields/of DayOfWeek/SUNDAY 1)] (.get (LocalDate/of 2024 1 7) (.weekOfYear wf))) :name (.getDisplayName (.getMonth (first ds)) TextStyle/FULL Locale/US)
 :range (->> (iterate #(.plusWeeks ^LocalDate % 2) (LocalDate/of 2024 1 1)) (take-while #(.isBefore ^LocalDate % (LocalDate/of 2024 2 15))) (map str)) :minmax (map str ((juxt #(reduce (fn [a b] (if (.isBefore a b) a b)) %) #(last (sort %))) ds)))
