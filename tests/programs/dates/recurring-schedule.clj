;; Expand recurrence rules to the next dates of each event.
(import '(java.time LocalDate DayOfWeek)
        '(java.time.temporal TemporalAdjusters ChronoUnit))

(defmulti occurrences
  "An infinite seq of dates, by the kind of the rule."
  :freq)

(defmethod occurrences :daily [{:keys [start interval] :or {interval 1}}]
  (iterate #(.plusDays % interval) (LocalDate/parse start)))

(defmethod occurrences :weekly [{:keys [start day]}]
  (let [dow (DayOfWeek/valueOf (.toUpperCase (name day)))
        first-date (.with (LocalDate/parse start) (TemporalAdjusters/nextOrSame dow))]
    (iterate #(.plusWeeks % 1) first-date)))

(defmethod occurrences :monthly [{:keys [start]}]
  (let [d (LocalDate/parse start)]
    (map #(.plusMonths d %) (range))))

(defmethod occurrences :month-end [{:keys [start]}]
  (->> (iterate #(.plusMonths % 1) (.withDayOfMonth (LocalDate/parse start) 1))
       (map #(.with % (TemporalAdjusters/lastDayOfMonth)))))

(defmethod occurrences :default [rule]
  (throw (ex-info "Unknown frequency" {:rule rule})))

(def rules
  [{:title "standup" :freq :daily :start "2024-02-27" :interval 2}
   {:title "review" :freq :weekly :day :friday :start "2024-02-27"}
   {:title "rent" :freq :monthly :start "2024-01-31"}
   {:title "closing" :freq :month-end :start "2024-01-15"}])

(defn upcoming [n rule]
  (->> (occurrences rule) (take n) (map str) vec))

(doseq [r rules]
  (println (:title r) (upcoming 3 r)))

(try
  (occurrences {:freq :lunar})
  (catch Exception e
    (println (.getMessage e) (ex-data e))))

(->> (for [{:keys [title] :as r} rules
           d (upcoming 4 r)]
       [d title])
     sort
     (take-while #(neg? (compare (first %) "2024-03-10"))))
