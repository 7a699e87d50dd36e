;; Ages, anniversaries, proration and billing periods with Period, ChronoUnit and decimals.
(import '(java.time LocalDate Period YearMonth Month) '(java.time.temporal ChronoUnit) '(java.math RoundingMode))
(defrecord Sub [id plan ^LocalDate start ^LocalDate end])
(def plans {:basic 10M :pro 29.90M})
(defn ym-seq [^YearMonth a ^YearMonth b] (take-while #(not (.isAfter ^YearMonth % b)) (iterate #(.plusMonths ^YearMonth % 1) a)))
(defn prorate [{:keys [plan start end]} ^YearMonth ym]
  (let [from (if (= ym (YearMonth/from start)) (.getDayOfMonth start) 1)
        to (if (and end (= ym (YearMonth/from end))) (.getDayOfMonth end) (.lengthOfMonth ym))
        days (inc (- to from))]
    (.divide (* (plans plan) (bigdec days)) (bigdec (.lengthOfMonth ym)) 2 RoundingMode/HALF_UP)))
(defn invoices [{:keys [start end] :as sub} until]
  (into (sorted-map) (map (juxt str #(prorate sub %))) (ym-seq (YearMonth/from start) (YearMonth/from (or end until)))))
(defn age [born on] (let [p (Period/between born on)] (format "%dy %dm %dd" (.getYears p) (.getMonths p) (.getDays p))))
(defn next-birthday [^LocalDate born ^LocalDate on]
  (let [this (.withYear born (.getYear on))] (if (.isBefore this on) (.plusYears this 1) this)))
(def today (LocalDate/of 2024 3 15))
(doseq [b ["2000-02-29" "1990-03-15" "2023-12-31"] :let [d (LocalDate/parse b)]]
  (println b (age d today) (str (next-birthday d today)) (.until today (next-birthday d today) ChronoUnit/DAYS)))
(def subs- [(->Sub 1 :basic (LocalDate/of 2024 1 16) nil) (->Sub 2 :pro (LocalDate/of 2023 12 1) (LocalDate/of 2024 2 10))])
{:inv (mapv #(invoices % today) subs-)
 :total (transduce (comp (mapcat #(invoices % today)) (map val)) + subs-)
 :p [(str (Period/parse "P1Y2M")) (str (Period/ofDays 40)) (str (.normalized (Period/of 1 14 3))) (str (.plus today (Period/ofMonths 11))) (.isNegative (Period/between today (LocalDate/of 2020 1 1))) (str (Period/ofWeeks 2)) (.toTotalMonths (Period/of 1 2 0))]
 :month [(str (Month/of 2)) (.getValue (.plus (Month/of 11) 3)) (.minLength (Month/valueOf "FEBRUARY"))]
 :eom (map #(str (.plusMonths (LocalDate/of 2024 1 31) %)) [1 2 3]) :cmp [(.isEqual today (LocalDate/parse "2024-03-15")) (= today (LocalDate/parse "2024-03-15")) (compare today (LocalDate/of 2024 3 1)) (.compareTo today (LocalDate/of 2024 3 1))]
 :set (count (hash-set today (LocalDate/of 2024 3 15))) :key (get {today :x} (LocalDate/of 2024 3 15))}
