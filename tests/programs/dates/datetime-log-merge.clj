;; Merge logs with different time formats into one line, with offsets, epoch values and rounding to buckets.
(require '[clojure.string :as str])
(import '[java.time Instant LocalDateTime ZoneOffset OffsetDateTime ZoneId ZonedDateTime Duration LocalDate LocalTime] '[java.time.format DateTimeFormatter DateTimeFormatterBuilder] '[java.time.temporal ChronoUnit ChronoField])
(def parsers
  [[#"^\d{13}$" #(Instant/ofEpochMilli (parse-long %))] [#"^\d{10}$" #(Instant/ofEpochSecond (parse-long %))]
   [#"T.*Z$" #(Instant/parse %)] [#"T.*[+-]\d\d:\d\d$" #(.toInstant (OffsetDateTime/parse %))]
   [#"^\d\d/\w{3}/" #(.toInstant (ZonedDateTime/parse % (DateTimeFormatter/ofPattern "dd/MMM/yyyy:HH:mm:ss Z")))]
   [#"^\d{4}-\d\d-\d\d \d" #(.toInstant (LocalDateTime/parse % (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm:ss[.SSS]")) ZoneOffset/UTC)]])
(defn parse-ts [s] (or (some (fn [[re f]] (when (re-find re s) (f s))) parsers) (throw (ex-info "unknown format" {:s s}))))
(def logs {"app" ["2024-03-10 10:00:00.250 start" "2024-03-10 10:07:31 done"] "web" ["10/Mar/2024:12:01:00 +0200 GET /"] "db" ["1710065100 slow" "1710064860123 fast"] "ext" ["2024-03-10T10:02:00Z ping" "2024-03-10T15:33:00+05:30 pong"]})
(def merged (sort-by :at (for [[src ls] logs l ls :let [[_ ts msg] (re-matches #"(.*\S) (\w+|GET /)" l)]] {:src src :at (parse-ts ts) :msg msg})))
(defn bucket [^Instant i mins] (let [s (* 60 mins)] (Instant/ofEpochSecond (* s (quot (.getEpochSecond i) s)))))
(def hms (.withZone (DateTimeFormatter/ofPattern "HH:mm:ss.SSS") (ZoneId/of "UTC")))
(doseq [{:keys [src at msg]} merged] (println (.format hms at) (format "%-4s" src) msg))
{:buckets (into (sorted-map) (map (fn [[k v]] [(str k) (count v)])) (group-by #(bucket (:at %) 5) merged)) :gaps (map (fn [[a b]] (str (Duration/between (:at a) (:at b)))) (partition 2 1 merged))
 :bad (try (parse-ts "nope") (catch Exception e (ex-data e))) :inst [(str (.truncatedTo (:at (first merged)) ChronoUnit/MINUTES)) (.getNano (:at (first merged))) (.toEpochMilli (:at (first merged))) (inst-ms (:at (first merged))) (.isBefore (:at (first merged)) (:at (second merged)))]
 :dur [(str (Duration/ofMillis 90061001)) (.toDays (Duration/ofHours 50)) (.toHoursPart (Duration/ofHours 50)) (str (Duration/parse "PT1H30M")) (.getSeconds (Duration/ofMinutes 2)) (str (.multipliedBy (Duration/ofSeconds 45) 3)) (compare (Duration/ofSeconds 60) (Duration/ofMinutes 1)) (.isZero Duration/ZERO) (str (.plusDays (Duration/ofMinutes -5) 1)) (str (Duration/of 3 ChronoUnit/HALF_DAYS))]
 :ldt (let [t (LocalDateTime/of 2024 12 31 23 59 30)] [(str (.plusSeconds t 45)) (str (.toLocalDate t)) (str (.withHour t 5)) (str (.atZone t (ZoneId/of "America/New_York"))) (.getDayOfYear t) (str (.toLocalTime t)) (.format t DateTimeFormatter/ISO_LOCAL_DATE_TIME) (.format t (DateTimeFormatter/ofPattern "hh:mm a, EEE")) (str (LocalDateTime/ofEpochSecond 0 0 ZoneOffset/UTC)) (str (.atTime (LocalDate/of 2024 1 1) 10 30)) (str (.atStartOfDay (LocalDate/of 2024 1 1)))])
 :cf [(.get (LocalTime/of 13 5) ChronoField/CLOCK_HOUR_OF_AMPM) (.getLong (LocalDate/of 1970 1 2) ChronoField/EPOCH_DAY) (str (ZonedDateTime/ofInstant (Instant/ofEpochSecond 0) (ZoneId/of "Asia/Tokyo")))]}
