; A token bucket and a sliding window limiter with times given, compared on the same requests.
(defprotocol Limiter
  (allow? [limiter now] "Returns [allowed? limiter'] for a request at a time in milliseconds."))

(defrecord TokenBucket [capacity per-second tokens updated]
  Limiter
  (allow? [this now]
    (let [refill  (* per-second (/ (- now updated) 1000))
          tokens' (min capacity (+ tokens refill))]
      (if (>= tokens' 1)
        [true (assoc this :tokens (dec tokens') :updated now)]
        [false (assoc this :tokens tokens' :updated now)]))))

(defrecord SlidingWindow [limit window-ms times]
  Limiter
  (allow? [this now]
    (let [recent (into clojure.lang.PersistentQueue/EMPTY
                       (drop-while #(<= % (- now window-ms)))
                       times)]
      (if (< (count recent) limit)
        [true (assoc this :times (conj recent now))]
        [false (assoc this :times recent)]))))

(defn unlimited []
  (reify Limiter
    (allow? [this _] [true this])))

(defn simulate [limiter requests]
  (loop [limiter limiter, [now & more] requests, out []]
    (if now
      (let [[ok limiter] (allow? limiter now)]
        (recur limiter more (conj out ok)))
      out)))

(def requests [0 100 200 300 1000 1100 1200 2500 2600 2700 2800 5000])

(def limiters
  (array-map :bucket (->TokenBucket 3 2 3 0)
             :window (->SlidingWindow 3 1000 [])
             :none   (unlimited)))

(doseq [[k limiter] limiters]
  (println (format "%-7s %s" (name k) (apply str (map #(if % "+" "-") (simulate limiter requests))))))

{:accepted (into {} (map (fn [[k l]] [k (count (filter true? (simulate l requests)))])) limiters)
 :refused  (for [[now a b] (map vector requests (simulate (:bucket limiters) requests) (simulate (:window limiters) requests))
                 :when (not= a b)]
             now)
 :tokens   (:tokens (second (allow? (:bucket limiters) 250)))
 :impl     (map #(satisfies? Limiter %) [(:bucket limiters) (:none limiters) "text"])}
