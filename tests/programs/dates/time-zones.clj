;; Convert a meeting time to several zones and tell who must be up at night.
(import '[java.time ZonedDateTime ZoneId Instant LocalDateTime OffsetDateTime ZoneOffset])
(import 'java.time.format.DateTimeFormatter)

(def attendees
  [["Mia" "America/New_York"]
   ["Jun" "Asia/Tokyo"]
   ["Eli" "Europe/Berlin"]
   ["Raj" "Asia/Kolkata"]])

(def meeting
  (ZonedDateTime/of 2024 3 29 15 0 0 0 (ZoneId/of "UTC")))

(def out (DateTimeFormatter/ofPattern "EEE dd MMM HH:mm"))

(defn local-time [zone]
  (.withZoneSameInstant meeting (ZoneId/of zone)))

(defn comfort [hour]
  (cond
    (<= 8 hour 18) :good
    (or (<= 6 hour 7) (<= 19 hour 22)) :fair
    :else :night))

(def plan
  (for [[who zone] attendees
        :let [t (local-time zone)]]
    {:who who
     :local (.format t out)
     :offset (str (.getOffset t))
     :comfort (comfort (.getHour t))}))

(doseq [{:keys [who local comfort]} plan]
  (println who "|" local "|" (name comfort)))

{:plan plan
 :epoch (.toEpochSecond meeting)
 :instant (str (Instant/ofEpochSecond 1711724400))
 :offset-parse (str (.toInstant (OffsetDateTime/parse "2024-03-29T17:00:00+02:00")))
 :utc (str (.toInstant (.atOffset (LocalDateTime/parse "2024-03-29T15:00") ZoneOffset/UTC)))}
