;; Parse log lines with named groups and look-behind, and report by level.
(require '[clojure.string :as str])

(def pat #"(?x) (?<ts>\d{4}-\d{2}-\d{2}T[\d:]+Z) \s+ \[(?<level>[A-Z]+)\] \s+ (?<svc>[\w.-]+): \s+ (?<msg>.*)")

(def lines
  ["2024-03-01T10:00:00Z [INFO] auth.api: user=ann took 12ms"
   "2024-03-01T10:00:05Z [WARN] auth.api: user=bob took 250ms"
   "garbage line"
   "2024-03-01T10:01:00Z [ERROR] pay-core: cost=$12.50 code=E42"
   "2024-03-01T10:02:30Z [INFO] pay-core: cost=$7.05 user=ann took 31ms"])

(defn parse [line]
  (let [m (re-matcher pat line)]
    (when (.matches m)
      (into {} (for [k ["ts" "level" "svc" "msg"]]
                 [(keyword k) (.group m ^String k)])))))

(def parsed (keep parse lines))

(defn amounts [s] (map bigdec (re-seq #"(?<=\$)\d+(?:\.\d+)?" s)))
(defn kvs [s]
  (into (sorted-map)
        (map (fn [[_ k v]] [(keyword k) v]))
        (re-seq #"(\w+)=(\S+)" s)))

(defn find-all [re s]
  (let [m (re-matcher re s)]
    (loop [acc []]
      (if (.find m)
        (recur (conj acc [(.start m) (.end m) (.group m)]))
        acc))))

(doseq [{:keys [ts level msg]} parsed]
  (printf "%-20s %5s %s%n" ts (str/lower-case level) (str/replace msg #"(?i)user=(\w)(\w*)" (fn [[_ a b]] (str "user=" (str/upper-case a) b)))))

{:n (count parsed)
 :levels (frequencies (map :level parsed))
 :total (reduce + (mapcat (comp amounts :msg) parsed))
 :kvs (mapv (comp kvs :msg) parsed)
 :times (->> parsed (mapcat #(re-seq #"(\d+)(?=ms)" (:msg %))) (map (comp parse-long second)))
 :spots (find-all #"\b\w(?=\w*=)" "user=ann cost=5")
 :groups (let [m (re-matcher #"(a)(b)?" "ac")] [(.find m) (.groupCount m) (re-groups m)])
 :split (str/split "a1b22c333d" #"(?<=\d)(?=[a-z])")}
