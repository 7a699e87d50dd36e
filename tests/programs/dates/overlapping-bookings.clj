;; Find overlapping bookings of rooms and the free gaps between them.
(require '[clojure.set :as set])

(defn hm->min [s]
  (let [[_ h m] (re-matches #"(\d\d):(\d\d)" s)]
    (+ (* 60 (Integer/parseInt h)) (Integer/parseInt m))))

(defn min->hm [n]
  (format "%02d:%02d" (quot n 60) (rem n 60)))

(def bookings
  (map (fn [[id room from to]]
         {:id id :room room :from (hm->min from) :to (hm->min to)})
       [[1 :red "09:00" "10:30"]
        [2 :red "10:00" "11:00"]
        [3 :blue "09:00" "12:00"]
        [4 :red "11:00" "12:15"]
        [5 :blue "11:59" "13:00"]
        [6 :red "14:00" "15:00"]]))

(defn overlap? [a b]
  (and (< (:from a) (:to b))
       (< (:from b) (:to a))))

(defn conflicts [bs]
  (for [[a & more] (take-while seq (iterate rest (sort-by :from bs)))
        b more
        :when (overlap? a b)]
    (sort [(:id a) (:id b)])))

(defn merge-intervals [bs]
  (reduce (fn [acc {:keys [from to]}]
            (let [[lf lt] (peek acc)]
              (if (and lt (<= from lt))
                (conj (pop acc) [lf (max lt to)])
                (conj acc [from to]))))
          []
          (sort-by (juxt :from :to) bs)))

(defn gaps [open close bs]
  (let [busy (merge-intervals bs)
        edges (concat [[open open]] busy [[close close]])]
    (for [[[_ e] [s _]] (partition 2 1 edges)
          :when (< e s)]
      [(min->hm e) (min->hm s)])))

(def by-room (group-by :room bookings))

{:conflicts (into (sorted-map) (map (fn [[k v]] [k (conflicts v)])) by-room)
 :free (into (sorted-map)
             (for [[room bs] by-room]
               [room (gaps (hm->min "08:00") (hm->min "16:00") bs)]))
 :ids (sort (apply set/union (map set (mapcat (comp conflicts val) by-room))))}
