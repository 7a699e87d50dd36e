; Understand dates written in several ways, and durations as 2h30m, without a library.
(require '[clojure.string :as str])

(def months
  (into {} (map-indexed (fn [i m] [m (inc i)]))
        ["jan" "feb" "mar" "apr" "may" "jun" "jul" "aug" "sep" "oct" "nov" "dec"]))

(defn leap? [y] (or (and (zero? (mod y 4)) (pos? (mod y 100))) (zero? (mod y 400))))

(defn days-in [y m]
  (case (int m)
    2 (if (leap? y) 29 28)
    (4 6 9 11) 30
    31))

(defn valid [[y m d :as date]]
  (when (and (<= 1 m 12) (<= 1 d (days-in y m)))
    date))

(def int-of #(Integer/parseInt %))

(def formats
  [[#"(\d{4})-(\d\d?)-(\d\d?)"               (fn [[y m d]] [(int-of y) (int-of m) (int-of d)])]
   [#"(\d\d?)\.(\d\d?)\.(\d{4})"             (fn [[d m y]] (mapv int-of [y m d]))]
   [#"(\d\d?)/(\d\d?)/(\d{2}|\d{4})"         (fn [[m d y]] [(cond-> (int-of y) (= 2 (count y)) (+ 2000)) (int-of m) (int-of d)])]
   [#"(?i)(\d\d?)(?:st|nd|rd|th)? ([a-z]{3})[a-z]*,? (\d{4})"
    (fn [[d m y]] [(int-of y) (months (str/lower-case m) 0) (int-of d)])]
   [#"(?i)([a-z]{3})[a-z]* (\d\d?), (\d{4})" (fn [[m d y]] [(int-of y) (get months (str/lower-case m) 0) (int-of d)])]])

(defn parse-date [s]
  (some (fn [[re f]]
          (when-let [[_ & groups] (re-matches re (str/trim s))]
            (valid (f groups))))
        formats))

(defn day-number [[y m d]]
  (let [y' (dec y)]
    (+ (* 365 y') (quot y' 4) (- (quot y' 100)) (quot y' 400)
       (reduce + (map (partial days-in y) (range 1 m)))
       d)))

(defn weekday [date]
  (nth [:sun :mon :tue :wed :thu :fri :sat] (mod (day-number date) 7)))

(def unit-seconds {"s" 1 "m" 60 "h" 3600 "d" 86400 "w" 604800})

(defn parse-duration [s]
  (let [parts (re-seq #"(\d+(?:\.\d+)?)\s*([smhdw])" s)]
    (if (= (str/replace s #"\s" "") (str/join (map (comp #(str/replace % #"\s" "") first) parts)))
      (reduce + (map (fn [[_ n u]] (* (read-string n) (unit-seconds u))) parts))
      (throw (IllegalArgumentException. (format "not a duration: '%s'" s))))))

(defn format-duration [secs]
  (->> [["d" 86400] ["h" 3600] ["m" 60] ["s" 1]]
       (reduce (fn [[out left] [u n]]
                 (let [q (quot left n)]
                   [(if (pos? q) (str out q u) out) (rem left n)]))
               ["" secs])
       first))

(doseq [s ["2024-02-29" "31.12.1999" "7/4/76" "3rd March 2021" "Sept 9, 2015" "2023-02-29" "tomorrow"]]
  (println (format "%-16s %s" s (if-let [d (parse-date s)] (str (str/join "-" d) " " (name (weekday d))) "?"))))

{:durations (mapv parse-duration ["90s" "2h30m" "1d 12h" "1.5h"])
 :bad       (try (parse-duration "2 hours") (catch IllegalArgumentException e (.getMessage e)))
 :formatted (map format-duration [59 3600 90061])
 :between   (- (day-number [2024 3 1]) (day-number [2023 3 1]))
 :sorted    (sort-by day-number (keep parse-date ["1.2.2020" "2019-12-31" "1/31/20"]))}
