;; Room bookings: conflicts, free slots, merging, with a Comparable record and interval trees in sorted maps.
(require '[clojure.string :as str])
(import '[java.time LocalTime Duration])
(defrecord Slot [^LocalTime from ^LocalTime to who]
  Comparable (compareTo [_ o] (compare [from to] [(:from o) (:to o)]))
  Object (toString [_] (str from "-" to (when who (str " " who)))))
(defn slot [s] (let [[_ a b w] (re-find #"^(\d\d:\d\d)-(\d\d:\d\d)(?:\s+(\w+))?$" s)] (->Slot (LocalTime/parse a) (LocalTime/parse b) w)))
(defn overlaps? [a b] (and (.isBefore (:from a) (:to b)) (.isBefore (:from b) (:to a))))
(defn tmax [& ts] (reduce #(if (.isAfter ^LocalTime %1 %2) %1 %2) ts))
(defn merge-slots [slots]
  (reduce (fn [acc s] (let [l (peek acc)] (if (and l (not (.isAfter (:from s) (:to l)))) (conj (pop acc) (assoc l :to (tmax (:to l) (:to s)) :who nil)) (conj acc s)))) [] (sort slots)))
(defn free [day slots]
  (let [busy (merge-slots slots) edges (concat [(:from day)] (mapcat (juxt :from :to) busy) [(:to day)])]
    (for [[a b] (partition 2 edges) :when (.isBefore ^LocalTime a b)] (->Slot a b nil))))
(defn conflicts [slots] (for [[a & more] (take-while seq (iterate rest (sort slots))) b more :when (overlaps? a b)] [(:who a) (:who b)]))
(def bookings (map slot ["09:00-10:00 ann" "09:30-11:00 bob" "13:00-14:00 cat" "11:00-11:30 dan" "13:59-15:00 eve"]))
(println (str/join "; " (map str (merge-slots bookings))))
(println (str/join "; " (map str (free (slot "08:00-17:00") bookings))))
{:conflicts (conflicts bookings)
 :total (->> (merge-slots bookings) (map #(Duration/between (:from %) (:to %))) (reduce (fn [^Duration a b] (.plus a b))) .toMinutes)
 :rooms (reduce (fn [m [_ d]] (let [c (+ (:cur m) d)] (assoc m :cur c :max (max c (:max m))))) {:cur 0 :max 0} (sort-by (juxt first second) (mapcat (fn [s] [[(:from s) 1] [(:to s) -1]]) bookings)))
 :sorted (map :who (sort bookings)) :minmax [(str (first (sort bookings))) (str (last (sort bookings)))]
 :times (map str [(.plusMinutes (LocalTime/of 23 50) 20) (.minusHours LocalTime/MIDNIGHT 1) (.withMinute LocalTime/NOON 5)])
 :parts ((juxt #(.getHour %) #(.getMinute %) #(.toSecondOfDay %)) (LocalTime/of 1 2 3))}
