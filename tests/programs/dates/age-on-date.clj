;; Compute each person's age in full years on a given reference date.
(import '[java.time LocalDate Period])

(def people
  [{:name "Ada" :born "1990-02-28"}
   {:name "Bela" :born "2004-02-29"}
   {:name "Cyd" :born "1985-12-31"}
   {:name "Dov" :born "2023-03-01"}])

(defn age-on
  "Full years between the birth date and `on`."
  [born on]
  (.getYears (Period/between (LocalDate/parse born) (LocalDate/parse on))))

(defn next-birthday [born on]
  (let [b (LocalDate/parse born)
        today (LocalDate/parse on)
        this-year (.withYear b (.getYear today))]
    (if (.isBefore this-year today)
      (.plusYears this-year 1)
      this-year)))

(def reference "2024-02-29")

(def report
  (for [{:keys [name born]} people
        :let [age (age-on born reference)
              nb (next-birthday born reference)]]
    {:name name
     :age age
     :adult? (>= age 18)
     :next-birthday (str nb)}))

(doseq [{:keys [name age next-birthday]} report]
  (println (format "%-6s %3d  next: %s" name age next-birthday)))

(->> report
     (sort-by :age >)
     (mapv (juxt :name :age :adult?)))
