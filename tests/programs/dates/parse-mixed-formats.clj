;; Normalise dates written in several formats to ISO, and report those that cannot be read.
(require '[clojure.string :as str])

(def month-names
  (zipmap ["jan" "feb" "mar" "apr" "may" "jun" "jul" "aug" "sep" "oct" "nov" "dec"]
          (range 1 13)))

(defn leap? [y]
  (and (zero? (mod y 4))
       (or (not (zero? (mod y 100)))
           (zero? (mod y 400)))))

(defn days-in-month [y m]
  (case m
    (1 3 5 7 8 10 12) 31
    (4 6 9 11) 30
    2 (if (leap? y) 29 28)
    nil))

(defn ->date [y m d]
  (let [[y m d] (map #(if (string? %) (Integer/parseInt %) %) [y m d])]
    (when (and m (<= 1 m 12) (<= 1 d (days-in-month y m)))
      {:y y :m m :d d})))

(defn parse-date [s]
  (let [s (str/trim s)]
    (condp re-matches s
      #"(\d{4})-(\d{1,2})-(\d{1,2})"
      :>> (fn [[_ y m d]] (->date y m d))

      #"(\d{1,2})/(\d{1,2})/(\d{4})"
      :>> (fn [[_ m d y]] (->date y m d))

      #"(\d{1,2})\.(\d{1,2})\.(\d{2}|\d{4})"
      :>> (fn [[_ d m y]] (->date (if (= 2 (count y)) (str "20" y) y) m d))

      #"(?i)(\d{1,2})(?:st|nd|rd|th)?\s+([a-z]{3})[a-z]*\.?,?\s+(\d{4})"
      :>> (fn [[_ d mon y]] (->date y (month-names (str/lower-case mon)) d))

      #"(?i)([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})"
      :>> (fn [[_ mon d y]] (->date y (month-names (str/lower-case mon)) d))

      nil)))

(defn iso [{:keys [y m d]}]
  (format "%04d-%02d-%02d" y m d))

(def raw ["2024-3-7" "12/25/2023" " 1.2.24" "29.02.2023" "3rd March 2021"
          "Feb. 29, 2024" "September 31 2020" "yesterday" "04.11.1999" "13/13/2013"])

(let [{good true bad false} (group-by (comp some? parse-date) raw)]
  (println "read" (count good) "not read" (count bad))
  {:dates (sort (map (comp iso parse-date) good))
   :bad bad})
