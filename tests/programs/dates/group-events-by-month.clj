;; Summarise events by month with counts, totals and the first and last day.
(require '[clojure.string :as str])

(def events
  [{:on "2024-01-15" :kind :visit    :minutes 30}
   {:on "2024-01-03" :kind :purchase :minutes 12}
   {:on "2024-02-11" :kind :visit    :minutes 45}
   {:on "2024-02-28" :kind :visit    :minutes 5}
   {:on "2024-02-01" :kind :support  :minutes 60}
   {:on "2023-12-31" :kind :purchase :minutes 3}])

(defn year-month [{:keys [on]}]
  (subs on 0 7))

(defn quarter [ym]
  (let [[y m] (map parse-long (str/split ym #"-"))]
    (str y "-Q" (inc (quot (dec m) 3)))))

(defn summarise [evs]
  (let [days (sort (map :on evs))]
    {:n (count evs)
     :minutes (transduce (map :minutes) + evs)
     :first (first days)
     :last (last days)
     :kinds (into (sorted-map) (frequencies (map :kind evs)))}))

(def by-month
  (into (sorted-map)
        (map (fn [[k v]] [k (summarise v)]))
        (group-by year-month events)))

(doseq [[ym {:keys [n minutes first last]}] by-month]
  (printf "%s  %d events %4d min  (%s..%s)%n" ym n minutes first last))
(flush)

{:months by-month
 :quarters (reduce-kv (fn [acc ym {:keys [minutes]}]
                        (update acc (quarter ym) (fnil + 0) minutes))
                      (sorted-map)
                      by-month)}
