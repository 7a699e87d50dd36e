;; Count the business days between pairs of dates, leaving out weekends and holidays.
(ns dates.business
  (:require [clojure.string :as str])
  (:import [java.time LocalDate DayOfWeek]
           [java.time.temporal ChronoUnit]))

(def holidays
  (into #{} (map #(LocalDate/parse %)) ["2024-01-01" "2024-05-01" "2024-12-25" "2024-12-26"]))

(defn weekend? [^LocalDate d]
  (contains? #{DayOfWeek/SATURDAY DayOfWeek/SUNDAY} (.getDayOfWeek d)))

(defn business-day? [d]
  (not (or (weekend? d) (holidays d))))

(defn date-range
  "All dates from start (inclusive) to end (exclusive)."
  [start end]
  (take-while #(.isBefore % end) (iterate #(.plusDays % 1) start)))

(defn business-days-between [from to]
  (->> (date-range (LocalDate/parse from) (LocalDate/parse to))
       (filter business-day?)
       count))

(defn add-business-days [from n]
  (loop [d (LocalDate/parse from)
         left n]
    (if (zero? left)
      d
      (let [nxt (.plusDays d 1)]
        (recur nxt (if (business-day? nxt) (dec left) left))))))

(def pairs [["2024-01-01" "2024-01-31"]
            ["2024-04-26" "2024-05-06"]
            ["2024-12-20" "2025-01-02"]
            ["2024-03-02" "2024-03-03"]])

(doseq [[a b] pairs]
  (println a "->" b ":"
           (business-days-between a b) "business days of"
           (.between ChronoUnit/DAYS (LocalDate/parse a) (LocalDate/parse b))))

{:counts (map (partial apply business-days-between) pairs)
 :due (str (add-business-days "2024-12-20" 5))
 :first-working (str/join ", " (->> (date-range (LocalDate/parse "2024-12-23") (LocalDate/parse "2024-12-31"))
                                    (remove weekend?)
                                    (remove holidays)
                                    (map str)))}
