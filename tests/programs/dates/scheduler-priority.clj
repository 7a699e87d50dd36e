;; A scheduler with priorities in a sorted set, dependencies and java.time durations.
(import '(java.time LocalDateTime Duration LocalTime)
        '(java.time.format DateTimeFormatter))
(require '[clojure.set :as set])

(defrecord Task [id prio mins deps])
(def tasks (map #(apply ->Task %) [[:build 2 45 #{}] [:test 1 90 #{:build}] [:docs 5 20 #{}] [:deploy 1 5 #{:test :docs}] [:mail 9 1 #{:deploy}]]))

(defn ready [done tasks] (filter #(set/subset? (:deps %) done) tasks))

(defn schedule [start tasks]
  (loop [t start, done #{}, left (into #{} tasks), plan []]
    (if-let [nxt (->> left (ready done) (sort-by (juxt :prio :id)) first)]
      (let [end (.plusMinutes t (:mins nxt))]
        (recur end (conj done (:id nxt)) (disj left nxt) (conj plan [(:id nxt) t end])))
      (if (seq left) (throw (ex-info "cycle" {:left (sort (map :id left))})) plan))))

(def hm (DateTimeFormatter/ofPattern "HH:mm"))
(def plan (schedule (LocalDateTime/of 2024 5 6 9 30) tasks))

(doseq [[id ^LocalDateTime a ^LocalDateTime b] plan]
  (println (format "%-8s %s-%s" (name id) (.format a hm) (.format b hm))))

(defn fmt-duration [^Duration d]
  (let [m (.toMinutes d)]
    (cond-> "" (>= m 60) (str (quot m 60) "h") (pos? (rem m 60)) (str (rem m 60) "m"))))

(let [total (Duration/between (second (first plan)) (peek (peek plan)))]
  {:total (fmt-duration total)
   :iso (str total)
   :parts [(.toHours total) (.toMinutesPart total) (.getSeconds total)]
   :cycle (try (schedule (LocalDateTime/of 2024 1 1 0 0) [(->Task :a 1 1 #{:b}) (->Task :b 1 1 #{:a})])
               (catch Exception e (ex-data e)))
   :late? (.isAfter (.toLocalTime (peek (peek plan))) LocalTime/NOON)
   :sum (str (reduce #(.plus ^Duration %1 %2) Duration/ZERO (map (fn [[_ a b]] (Duration/between a b)) plan)))
   :cmp (map #(compare (LocalTime/parse "10:15") (LocalTime/parse %)) ["10:15" "09:00"])
   :neg (str (.negated (Duration/ofSeconds 90)))}
  )
