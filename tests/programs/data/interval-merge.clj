;; Merge bookings into free and busy intervals, kept in a sorted map and swept with reduce.
(defn merge-intervals [xs]
  (->> (sort-by (juxt first second) xs)
       (reduce (fn [acc [s e :as iv]]
                 (let [[ps pe] (peek acc)]
                   (if (and pe (<= s pe))
                     (conj (pop acc) [ps (max pe e)])
                     (conj acc iv))))
               [])))

(defn gaps [busy [lo hi]]
  (let [edges (concat [[lo lo]] busy [[hi hi]])]
    (for [[[_ e] [s _]] (partition 2 1 edges)
          :when (< e s)]
      [e s])))

(defn sweep [xs]
  (let [events (sort (mapcat (fn [[s e]] [[s 1] [e -1]]) xs))]
    (loop [[[t d] & more] events, depth 0, best [0 nil]]
      (if-not t
        best
        (let [depth (+ depth d)]
          (recur more depth (if (> depth (first best)) [depth t] best)))))))

(defn minutes [hhmm]
  (let [[_ h m] (re-matches #"(\d+):(\d\d)" hhmm)]
    (+ (* 60 (Long/parseLong h)) (Long/parseLong m))))

(defn clock [n] (format "%02d:%02d" (quot n 60) (mod n 60)))

(def bookings
  [["9:00" "10:30"] ["9:45" "11:00"] ["13:00" "14:00"] ["10:15" "10:45"] ["16:30" "17:15"]])

(let [xs (map (partial mapv minutes) bookings)
      busy (merge-intervals xs)
      free (gaps busy [(minutes "8:00") (minutes "18:00")])
      index (into (sorted-map) busy)
      at (fn [t] (when-let [[s e] (first (rsubseq index <= (minutes t)))]
                   (when (< (minutes t) e) [(clock s) (clock e)])))]
  (println "busy" (map (partial mapv clock) busy))
  (println "free" (map (partial mapv clock) free))
  {:depth (update (sweep xs) 1 clock)
   :at-10 (at "10:10")
   :at-12 (at "12:00")
   :longest (->> free (apply max-key (fn [[s e]] (- e s))) (mapv clock))
   :total (transduce (map (fn [[s e]] (- e s))) + busy)})
