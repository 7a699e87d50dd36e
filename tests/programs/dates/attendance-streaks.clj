;; Find the longest streaks of consecutive days on which each student was present.
(require '[clojure.string :as str])

(def raw "2024-03-01 kim lee max
2024-03-02 kim lee
2024-03-03 lee max
2024-03-04 kim lee max
2024-03-05 kim max
2024-03-06 kim max")

(def day-number
  (comp #(Integer/parseInt %) last #(str/split % #"-")))

(def presence
  (->> (str/split-lines raw)
       (mapcat (fn [line]
                 (let [[date & names] (str/split line #" ")]
                   (map vector names (repeat (day-number date))))))
       (reduce (fn [m [who day]] (update m who (fnil conj (sorted-set)) day)) (sorted-map))))

(defn streaks
  "Splits sorted days into runs: days that differ from their index by the same amount."
  [days]
  (->> days
       (map-indexed (fn [i d] [(- d i) d]))
       (partition-by first)
       (map #(map second %))))

(defn longest [days]
  (let [best (last (sort-by count (streaks days)))]
    [(first best) (last best) (count best)]))

(run! (fn [[who days]]
        (println (format "%-4s|%s|" who
                         (str/join (map #(if (contains? days %) "x" ".") (range 1 7))))))
      presence)

{:longest (update-vals presence longest)
 :gaps (into {} (for [[who days] presence]
                  [(keyword who) (remove days (range 1 7))]))
 :together (->> presence vals (apply clojure.set/intersection) seq)
 :first-after-3 (update-vals presence #(first (subseq % > 3)))
 :before-5 (update-vals presence #(vec (rsubseq % < 5)))}
