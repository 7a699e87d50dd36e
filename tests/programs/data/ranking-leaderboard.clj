; A leaderboard with ties sharing a rank, medals and movement since last week.
(def last-week [["zoe" 310] ["yan" 290] ["xia" 290] ["wil" 250] ["vic" 100]])
(def this-week [["yan" 350] ["zoe" 340] ["wil" 340] ["uma" 200] ["xia" 295]])

(defn rank-scores
  "Standard competition ranking: 1 2 2 4."
  [scores]
  (let [sorted (sort-by (juxt (comp - second) first) scores)]
    (->> sorted
         (partition-by second)
         (reduce (fn [[rank acc] group]
                   [(+ rank (count group))
                    (into acc (map (fn [[player score]] {:rank rank :player player :score score})) group)])
                 [1 []])
         second)))

(defn dense-rank [scores]
  (let [order (->> scores (map second) distinct (sort >))
        ranks (zipmap order (iterate inc 1))]
    (map (fn [[p s]] [p (ranks s)]) scores)))

(defn movement [before {:keys [player rank]}]
  (if-let [old (get before player)]
    (let [d (- old rank)]
      (cond (pos? d) (str "+" d)
            (neg? d) (str d)
            :else    "="))
    "new"))

(let [before (into {} (map (juxt :player :rank)) (rank-scores last-week))
      board  (rank-scores this-week)]
  (doseq [{:keys [rank player score] :as entry} board
          :let [medal (case (int rank) 1 "gold" 2 "silver" 3 "bronze" "")]]
    (println (format "%2d. %-5s %4d %-6s %s" rank player score medal (movement before entry))))
  {:dense   (dense-rank this-week)
   :dropped (remove (set (map first this-week)) (map first last-week))
   :best    (reduce (partial max-key second) this-week)
   :podium  (->> board (take-while #(<= (:rank %) 3)) (map :player))
   :deltas  (for [[p s] this-week
                  :let [old (some (fn [[q t]] (when (= p q) t)) last-week)]
                  :when old]
              [p (- s old)])})
