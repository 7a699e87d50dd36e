;; Monthly retention by sign-up cohort, with transducers and sorted maps.
(require '[clojure.string :as str])

(def log
  "u1 2024-01 2024-01
u1 2024-01 2024-02
u2 2024-01 2024-01
u3 2024-02 2024-02
u2 2024-01 2024-03
u4 2024-02 2024-02
u4 2024-02 2024-03
u5 2024-02 2024-02
u1 2024-01 2024-03")

(def parse-row
  (comp (map str/trim)
        (remove str/blank?)
        (map #(zipmap [:user :joined :seen] (str/split % #" ")))))

(defn month-index [s]
  (let [[y m] (map #(Integer/parseInt %) (str/split s #"-"))]
    (+ (* 12 y) (dec m))))

(defn retention [rows]
  (->> rows
       (group-by :joined)
       (reduce-kv
         (fn [acc cohort rows]
           (let [size (count (into #{} (map :user) rows))
                 by-age (group-by #(- (month-index (:seen %)) (month-index cohort)) rows)]
             (assoc acc cohort
                    {:size size
                     :curve (into (sorted-map)
                                  (map (fn [[age rs]] [age (/ (count (distinct (map :user rs))) size)]))
                                  by-age)})))
         (sorted-map))))

(defn percent [r] (format "%.0f%%" (* 100.0 r)))

(let [rows (into [] parse-row (str/split-lines log))
      table (retention rows)]
  (doseq [[cohort {:keys [size curve]}] table]
    (println cohort size (str/join " " (map percent (vals curve)))))
  {:rows (count rows)
   :table table
   :best (key (apply max-key #(get-in (val %) [:curve 1] 0) table))
   :after-jan (keys (subseq table > "2024-01"))
   :ages (eduction (mapcat (comp keys :curve val)) (distinct) table)})
