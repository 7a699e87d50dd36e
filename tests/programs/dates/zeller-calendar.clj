;; Print the calendar of a month as text without any date library.
(require '[clojure.string :as str])

(def month-name
  ["January" "February" "March" "April" "May" "June" "July"
   "August" "September" "October" "November" "December"])

(defn leap-year? [year]
  (cond
    (zero? (rem year 400)) true
    (zero? (rem year 100)) false
    :else (zero? (rem year 4))))

(defn days-in [year month]
  (if (and (= month 2) (leap-year? year))
    29
    (nth [31 28 31 30 31 30 31 31 30 31 30 31] (dec month))))

(defn day-of-week
  "0 = Monday ... 6 = Sunday, by Zeller's congruence."
  [year month day]
  (let [[y m] (if (< month 3) [(dec year) (+ month 12)] [year month])
        k (mod y 100)
        j (quot y 100)
        h (mod (+ day
                  (quot (* 13 (inc m)) 5)
                  k
                  (quot k 4)
                  (quot j 4)
                  (* 5 j))
               7)]
    (mod (+ h 5) 7)))

(defn calendar [year month]
  (let [blanks (repeat (day-of-week year month 1) "  ")
        days (map #(format "%2d" %) (range 1 (inc (days-in year month))))
        weeks (partition-all 7 (concat blanks days))
        title (str (month-name (dec month)) " " year)
        pad (quot (- 20 (count title)) 2)]
    (str/join "\n"
              (concat [(str (apply str (repeat pad \space)) title)
                       "Mo Tu We Th Fr Sa Su"]
                      (map #(str/join " " %) weeks)))))

(println (calendar 2024 2))
(println)
(println (calendar 2023 10))

(into {}
      (for [m (range 1 13)
            :when (= 4 (day-of-week 2026 m 13))]
        [(keyword (str/lower-case (month-name (dec m)))) :friday-13]))
