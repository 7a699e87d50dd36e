;; Parse cron expressions and list the minutes of a day at which they match.
(require '[clojure.string :as str])

(def fields
  [[:minute 0 59] [:hour 0 23] [:dom 1 31] [:month 1 12] [:dow 0 6]])

(def names
  (merge (zipmap (str/split "sun mon tue wed thu fri sat" #" ") (range))
         (zipmap (str/split "jan feb mar apr may jun jul aug sep oct nov dec" #" ") (iterate inc 1))))

(defn ->num [s]
  (or (get names (str/lower-case s))
      (try (Integer/parseInt s)
           (catch NumberFormatException _
             (throw (ex-info "bad number" {:text s}))))))

(defn parse-part [part lo hi]
  (let [[range-part step] (str/split part #"/")
        [from to] (cond
                    (= "*" range-part) [lo hi]
                    (str/includes? range-part "-") (map ->num (str/split range-part #"-" 2))
                    step [(->num range-part) hi]
                    :else (let [n (->num range-part)] [n n]))]
    (when-not (<= lo from to hi)
      (throw (ex-info "out of range" {:part part :allowed [lo hi]})))
    (range from (inc to) (if step (->num step) 1))))

(defn parse-cron [expr]
  (let [parts (str/split (str/trim expr) #"\s+")]
    (if (not= 5 (count parts))
      (throw (ex-info "five fields, please" {:got (count parts)}))
      (into {}
            (map (fn [[k lo hi] field]
                   [k (into (sorted-set) (mapcat #(parse-part % lo hi)) (str/split field #","))])
                 fields
                 parts)))))

(defn matches? [cron t]
  (every? (fn [[k]] (contains? (k cron) (k t))) fields))

(defn times-on [cron day]
  (for [h (range 24) m (range 60)
        :when (matches? cron (assoc day :hour h :minute m))]
    (format "%02d:%02d" h m)))

(def monday {:dom 15 :month 1 :dow 1})

(doseq [e ["*/20 9-10 * * mon-fri" "0 0 1,15 jan *" "30 12 * * sun" "61 * * * *" "* * *" "x * * * *"]]
  (println (format "%-24s" e)
           (try
             (let [ts (times-on (parse-cron e) monday)]
               (if (seq ts) (str/join " " ts) "never"))
             (catch clojure.lang.ExceptionInfo ex
               (str (ex-message ex) ": " (pr-str (ex-data ex)))))))

{:dow (:dow (parse-cron "0 0 * * 1-5"))
 :steps (:minute (parse-cron "5/15 * * * *"))
 :next (first (drop-while #(neg? (compare % "09:21")) (times-on (parse-cron "*/20 9-10 * * *") monday)))}
