;; Parse a log of start and end times and compute how long each job ran.
(require '[clojure.string :as str])
(import '[java.time LocalDateTime Duration]
        '[java.time.format DateTimeFormatter])

(def log "2024-05-01 08:00:00 START backup
2024-05-01 08:00:05 START index
2024-05-01 08:12:35 END index
2024-05-01 09:31:00 END backup
2024-05-01 23:50:00 START report
2024-05-02 00:10:30 END report
2024-05-02 01:00:00 START cleanup")

(def fmt (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm:ss"))

(defn parse-line [line]
  (let [[_ ts event job] (re-find #"^(\S+ \S+) (START|END) (\w+)$" line)]
    {:at (LocalDateTime/parse ts fmt)
     :event (keyword (str/lower-case event))
     :job job}))

(defn collect [acc {:keys [job event at]}]
  (assoc-in acc [job event] at))

(defn human [^Duration d]
  (let [s (.getSeconds d)]
    (format "%02d:%02d:%02d" (quot s 3600) (mod (quot s 60) 60) (mod s 60))))

(def jobs
  (->> (str/split-lines log)
       (map parse-line)
       (reduce collect (sorted-map))))

(doseq [[job {:keys [start end]}] jobs]
  (if end
    (println job (human (Duration/between start end)))
    (println job "still running since" (.format start (DateTimeFormatter/ofPattern "HH:mm")))))

(->> jobs
     (keep (fn [[job {:keys [start end]}]]
             (when end
               [job (.toMinutes (Duration/between start end))])))
     (into {}))
