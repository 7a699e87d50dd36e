; Clean and aggregate log events through composed transducers, stopping early where enough was seen.
(def events
  ["200 /home 12ms" "500 /api/users 340ms" "200 /api/users 45ms" "bogus line"
   "404 /missing 3ms" "200 /home 9ms" "500 /api/orders 900ms" "200 /api/orders 88ms" ""])

(defn parse-event [line]
  (when-let [[_ status path ms] (re-matches #"(\d{3}) (\S+) (\d+)ms" line)]
    {:status (Long/parseLong status)
     :path path
     :ms (Long/parseLong ms)}))

(def xf-parsed (comp (remove empty?) (map parse-event) (filter some?)))

(def xf-slow-errors
  (comp xf-parsed
        (filter #(>= (:status %) 500))
        (map (juxt :path :ms))))

(defn average
  "A reducing function with state in a pair."
  ([] [0 0])
  ([[sum n]] (if (zero? n) 0 (/ sum n)))
  ([[sum n] x] [(+ sum x) (inc n)]))

(defn running-max []
  (fn [rf]
    (let [best (volatile! nil)]
      (fn
        ([] (rf))
        ([result] (rf result))
        ([result input]
         (let [b @best]
           (if (or (nil? b) (> input b))
             (do (vreset! best input) (rf result input))
             result)))))))

(def grouped
  (transduce xf-parsed
             (completing (fn [m {:keys [path ms]}] (update m path (fnil conj []) ms)))
             (sorted-map)
             events))

(println (into [] xf-slow-errors events))
(println (sequence (comp xf-parsed (map :status) (dedupe)) events))
(println (vec (eduction (map inc) (filter even?) [1 2 3 4 5])))

{:average   (transduce (comp xf-parsed (map :ms)) average events)
 :records   (into [] (comp xf-parsed (map :ms) (running-max)) events)
 :first-two (into [] (comp xf-parsed (map :path) (distinct) (take 2)) events)
 :batches   (into [] (comp xf-parsed (map :status) (partition-all 3)) events)
 :runs      (into [] (comp (partition-by odd?) (map count)) [1 1 2 3 5 8 13])
 :grouped   grouped
 :indexed   (into [] (comp (map-indexed vector) (filter (comp even? first)) (map peek)) [:a :b :c])
 :until     (transduce (take-while pos?) conj [] [3 2 1 0 5])}
