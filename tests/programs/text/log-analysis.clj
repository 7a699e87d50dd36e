; Parse log lines with regexes, count levels by hour, and find the slowest requests and the sources of errors.
(ns log.analysis
  (:require [clojure.string :as str]
            [clojure.pprint :refer [pprint print-table]]))

(def log-lines
  (str/split-lines
   "2024-05-01 09:12:03 INFO  [web-1] GET /home took 35 ms
2024-05-01 09:15:44 WARN  [web-2] GET /search took 1200 ms
2024-05-01 10:01:10 ERROR [db-1] timeout after 5000 ms: orders
2024-05-01 10:02:55 INFO  [web-1] POST /orders took 210 ms
garbage
2024-05-01 10:03:00 ERROR [db-1] deadlock: users
2024-05-01 11:30:21 INFO  [web-2] GET /home took 41 ms"))

(def line-re #"^(\S+) (\d{2}):(\d{2}):\d{2} (\w+)\s+\[([^\]]+)\] (.*)$")

(defn parse [line]
  (when-let [[_ date hour minute level source message] (re-find line-re line)]
    (let [m {:date date
             :hour (Integer. hour)
             :minute (Integer/valueOf minute)
             :level (keyword (str/lower-case level))
             :source source
             :message message}]
      (if-let [[_ method path ms] (re-matches #"(GET|POST) (\S+) took (\d+) ms" message)]
        (assoc m :request {:method method :path path :ms (Long/parseLong ms)})
        m))))

(def entries (keep parse log-lines))

(def by-hour
  (reduce (fn [acc {:keys [hour level]}] (update-in acc [hour level] (fnil inc 0)))
          (sorted-map) entries))

(print-table [:method :path :ms]
             (->> entries (keep :request) (sort-by :ms) reverse (take 3)))

(pprint by-hour)

{:unparsed (- (count log-lines) (count entries))
 :errors   (->> entries
                (filter (comp #{:error} :level))
                (map #(last (str/split (:message %) #":\s*")))
                sort)
 :sources  (->> entries (map :source) frequencies (into (sorted-map)))
 :mean-ms  (let [ms (keep #(get-in % [:request :ms]) entries)]
             (double (/ (apply + ms) (count ms))))
 :first    (some-> entries first (select-keys [:hour :minute :source]))}
