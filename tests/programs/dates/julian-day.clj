;; Convert between calendar dates and Julian day numbers and do arithmetic with them.
(defn date->jdn
  "Julian day number of a Gregorian date."
  ([{:keys [year month day]}] (date->jdn year month day))
  ([year month day]
   (let [a (quot (- 14 month) 12)
         y (- (+ year 4800) a)
         m (+ month (* 12 a) -3)]
     (+ day
        (quot (+ (* 153 m) 2) 5)
        (* 365 y)
        (quot y 4)
        (- (quot y 100))
        (quot y 400)
        -32045))))

(defn jdn->date [jdn]
  (let [a (+ jdn 32044)
        b (quot (+ (* 4 a) 3) 146097)
        c (- a (quot (* 146097 b) 4))
        d (quot (+ (* 4 c) 3) 1461)
        e (- c (quot (* 1461 d) 4))
        m (quot (+ (* 5 e) 2) 153)]
    {:day (inc (- e (quot (+ (* 153 m) 2) 5)))
     :month (+ m 3 (* -12 (quot m 10)))
     :year (+ (* 100 b) d -4800 (quot m 10))}))

(defn parse [s]
  (let [[y m d] (->> (re-seq #"\d+" s) (map #(Long/parseLong %)))]
    {:year y :month m :day d}))

(defn show [{:keys [year month day]}]
  (format "%d-%02d-%02d" year month day))

(defn add-days [s n]
  (-> s parse date->jdn (+ n) jdn->date show))

(defn days-between [a b]
  (- (date->jdn (parse b)) (date->jdn (parse a))))

(assert (= 2451545 (date->jdn 2000 1 1)))

{:epoch (date->jdn 1970 1 1)
 :roundtrip (every? #(= % (-> % parse date->jdn jdn->date show))
                    ["1999-12-31" "2000-02-29" "2024-10-05"])
 :plus-100 (add-days "2023-12-01" 100)
 :minus-1 (add-days "2024-03-01" -1)
 :between (days-between "2020-01-01" "2024-01-01")
 :weekdays (mapv #(nth [:mon :tue :wed :thu :fri :sat :sun] (mod (date->jdn (parse %)) 7))
                 ["2024-07-04" "2000-01-01"])}
