; Group subscriptions by month and find those that lapse, with java.time.
(import '(java.time LocalDate DayOfWeek YearMonth)
        '(java.time.temporal ChronoUnit)
        '(java.time.format DateTimeFormatter))

(def subscriptions
  [{:user "ann" :start "2024-01-15" :months 3}
   {:user "bob" :start "2024-02-29" :months 12}
   {:user "cat" :start "2023-11-30" :months 3}
   {:user "dan" :start "2024-01-31" :months 1}])

(defn parse-date [s] (LocalDate/parse s))

(defn with-end [{:keys [start months] :as sub}]
  (let [d (parse-date start)]
    (assoc sub :start d :end (.plusMonths d months))))

(def today (LocalDate/of 2024 3 10))

(defn days-between [a b]
  (.between ChronoUnit/DAYS a b))

(defn status [{:keys [end]}]
  (let [left (days-between today end)]
    (cond
      (neg? left)  :lapsed
      (< left 60)  :soon
      :else        :active)))

(def fmt (DateTimeFormatter/ofPattern "dd.MM.yyyy"))

(doseq [sub (sort-by :start (map with-end subscriptions))]
  (println (:user sub) (.format (:start sub) fmt) "-" (str (:end sub)) (name (status sub))
           (days-between today (:end sub))))

(let [subs (map with-end subscriptions)]
  {:by-month (into (sorted-map)
                   (map (fn [[ym ss]] [(str ym) (mapv :user ss)]))
                   (group-by #(YearMonth/from (:start %)) subs))
   :weekdays (mapv #(str (.getDayOfWeek (:start %))) subs)
   :leap     (filterv #(.isLeapYear (parse-date (str % "-01-01"))) (range 2020 2029))
   :before   (.isBefore (:start (first subs)) today)
   :dates    (->> (iterate #(.plusDays % 7) today)
                  (take-while #(.isBefore % (LocalDate/of 2024 4 10)))
                  (mapv str))
   :status   (update-vals (group-by status subs) #(mapv :user %))})
