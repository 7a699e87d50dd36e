;; ends in value
;; Numbers at the ends of 64 bits, in every direction: exceptions, and no end of the process.
(def values [(LocalDate/of 2024 1 31) (LocalTime/of 10 0) (LocalDateTime/of 2024 1 31 10 0) (Instant/ofEpochSecond 0)
             (ZonedDateTime/of 2024 1 31 10 0 0 0 (ZoneId/of "Europe/Berlin")) (OffsetDateTime/of 2024 1 31 10 0 0 0 ZoneOffset/UTC)
             (Duration/ofSeconds Long/MAX_VALUE 999999999) (Duration/ofSeconds Long/MIN_VALUE) (Period/of 2147483647 -2147483648 5)
             (Year/of 999999999) (YearMonth/of -999999999 1) (MonthDay/of 2 29) Month/MAY DayOfWeek/MONDAY
             LocalDate/MIN LocalDate/MAX LocalTime/MAX Instant/MIN Instant/MAX LocalDateTime/MIN ZoneOffset/MIN])
(def numbers [Long/MAX_VALUE Long/MIN_VALUE 0 -1 2147483648 -2147483649])
(def fields (into (ChronoField/values) [IsoFields/DAY_OF_QUARTER IsoFields/QUARTER_OF_YEAR IsoFields/WEEK_OF_WEEK_BASED_YEAR IsoFields/WEEK_BASED_YEAR]))
(def units (into (ChronoUnit/values) [IsoFields/QUARTER_YEARS IsoFields/WEEK_BASED_YEARS]))
(defmacro safe [x] `(try ~x (catch Throwable e# :error)))
(def formats (mapv (fn [p] (DateTimeFormatter/ofPattern p)) ["yyyy-MM-dd HH:mm:ss.SSS" "e w W Y D G Q EEE" "XXX Z O z VV"]))
(doseq [v values n numbers]
  (doseq [u units] (safe (.plus v n u)) (safe (.minus v n u)))
  (doseq [f fields] (safe (.with v f n)))
  (safe (.multipliedBy v n)) (safe (.dividedBy v n)) (safe (.plusDays v n)) (safe (.minusYears v n)))
(doseq [a values b values]
  (doseq [u units] (safe (.between u a b)))
  (safe (Duration/between a b)) (safe (Period/between a b)) (safe (.plus a b)) (safe (.minus a b)) (safe (.with a b))
  (safe (compare a b)) (= a b) (hash a))
(doseq [v values] (str v) (pr-str v) (doseq [f formats] (safe (.format v f))) (doseq [f fields] (safe (.getLong v f)))
  (safe (.negated v)) (safe (.abs v)) (safe (.normalized v)) (safe (.toMillis v)) (safe (.toNanos v)) (safe (.truncatedTo v ChronoUnit/DAYS))
  (safe (.toEpochMilli v)) (safe (.atZone v (ZoneId/of "Asia/Tokyo"))) (safe (.atOffset v ZoneOffset/MAX)))
(doseq [n numbers]
  (safe (LocalDate/ofEpochDay n)) (safe (Instant/ofEpochSecond n n)) (safe (Instant/ofEpochMilli n)) (safe (Duration/ofSeconds n n))
  (safe (Duration/ofDays n)) (safe (LocalDateTime/ofEpochSecond n 0 ZoneOffset/MIN)) (safe (java.util.Date. n)) (safe (Period/ofWeeks n))
  (safe (LocalTime/ofNanoOfDay n)) (safe (Year/of n)) (safe (LocalDate/ofYearDay n n)) (safe (ZoneOffset/ofTotalSeconds n)) (safe (Year/isLeap n)))
:done
