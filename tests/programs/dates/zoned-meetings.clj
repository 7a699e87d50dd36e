;; Meetings over time zones: overlaps, formatting, parsing with patterns, offsets, instants.
(ns meet.core
  (:require [clojure.string :as str])
  (:import (java.time ZonedDateTime ZoneId LocalDate LocalTime LocalDateTime Duration Instant OffsetDateTime ZoneOffset)
           java.time.format.DateTimeFormatter
           java.time.format.DateTimeParseException
           java.time.temporal.ChronoUnit))
(def people {"ann" "Europe/Berlin" "bob" "America/New_York" "chie" "Asia/Tokyo" "dev" "Asia/Kolkata"})
(def fmt (DateTimeFormatter/ofPattern "EEE dd MMM yyyy HH:mm xxx"))
(defn work-window [zone ^LocalDate d]
  (let [z (ZoneId/of zone) at #(.toInstant (ZonedDateTime/of d (LocalTime/of % 0) z))]
    [(at 8) (at 18)]))
(defn overlap [& ws]
  (let [a (reduce #(if (pos? (compare %1 %2)) %1 %2) (map first ws))
        b (reduce #(if (neg? (compare %1 %2)) %1 %2) (map second ws))]
    (when (neg? (compare a b)) {:from a :to b :mins (.toMinutes (Duration/between a b))})))
(def d (LocalDate/of 2024 3 11))
(doseq [[a b] [["ann" "bob"] ["ann" "dev"] ["bob" "chie"]]
        :let [o (overlap (work-window (people a) d) (work-window (people b) d))]]
  (println a b (if o (str (:from o) " " (:mins o)) "none")))
(doseq [[p z] (sort people)] (println (format "%-5s %s" p (.format (.atZone (Instant/parse "2024-03-11T13:30:00Z") (ZoneId/of z)) fmt))))
(defn try-parse [s]
  (or (some (fn [[k f]] (try [k (str (f s))] (catch DateTimeParseException _ nil)))
            {:iso #(LocalDate/parse %)
             :de #(LocalDate/parse % (DateTimeFormatter/ofPattern "d.M.yyyy"))
             :us #(LocalDate/parse % (DateTimeFormatter/ofPattern "MMM d, yyyy"))
             :dt #(LocalDateTime/parse % (DateTimeFormatter/ofPattern "yyyy/MM/dd HH:mm"))
             :off #(OffsetDateTime/parse %)})
      [:bad s]))
(let [z (ZonedDateTime/parse "2024-10-27T01:30:00+02:00[Europe/Berlin]")]
  {:parsed (mapv try-parse ["2024-02-29" "3.4.2024" "Jan 5, 2024" "2024/01/02 03:04" "2024-01-01T00:00:00+05:30" "2023-02-29" "x"])
   :fall (map #(str (.plusHours z %)) [1 2])
   :same (.isEqual z (.withZoneSameInstant z (ZoneId/of "UTC")))
   :local (str (.toLocalDateTime (.withZoneSameInstant z (ZoneId/of "Asia/Tokyo"))))
   :epoch [(.toEpochSecond z) (.toEpochMilli (.toInstant z)) (str (Instant/ofEpochSecond 0)) (.toEpochDay d) (str (LocalDate/ofEpochDay 19000))]
   :off [(str (ZoneOffset/ofHours 3)) (str (.toInstant (.atOffset (LocalDateTime/of 2024 1 1 0 0) ZoneOffset/UTC))) (.getTotalSeconds (.getOffset z))]
   :trunc (str (.truncatedTo z ChronoUnit/DAYS))
   :msg (try (LocalDate/of 2024 2 30) (catch java.time.DateTimeException e (.getMessage e)))})
