; Read a log through a reader line by line, fold it into sessions, and write a summary.
(ns log.rotation
  (:require [clojure.string :as str])
  (:import [java.io BufferedReader StringReader StringWriter]))

(def log-text
  "10:00:01 INFO start id=7
10:00:03 WARN slow query ms=250
10:00:09 ERROR boom code=500
  at handler.clj:12
  at server.clj:99
10:01:00 INFO stop id=7
10:02:00 INFO start id=8
10:02:01 INFO stop id=8")

(defn parse [line]
  (if-let [[_ h m s level msg] (re-matches #"(\d\d):(\d\d):(\d\d) (\w+) (.*)" line)]
    {:t (+ (* 3600 (parse-long h)) (* 60 (parse-long m)) (parse-long s))
     :level (keyword (str/lower-case level))
     :msg msg
     :fields (into {} (for [[_ k v] (re-seq #"(\w+)=(\d+)" msg)] [(keyword k) (parse-long v)]))}
    {:continued (str/trim line)}))

(defn attach [entries {:keys [continued] :as entry}]
  (if continued
    (conj (pop entries) (update (peek entries) :trace (fnil conj []) continued))
    (conj entries entry)))

(defn sessions [entries]
  (->> entries
       (reduce (fn [{:keys [open] :as acc} {:keys [t msg fields] :as e}]
                 (cond
                   (str/starts-with? msg "start") (assoc acc :open {:id (:id fields) :from t :events 0})
                   (str/starts-with? msg "stop")  (-> acc
                                                      (update :done conj (assoc open :seconds (- t (:from open))))
                                                      (dissoc :open))
                   :else (update-in acc [:open :events] inc)))
               {:done []})
       :done))

(def entries
  (with-open [rdr (BufferedReader. (StringReader. log-text))]
    (reduce attach [] (map parse (line-seq rdr)))))

(let [out (StringWriter.)]
  (doseq [{:keys [id seconds events]} (sessions entries)]
    (.write out (str id ": " seconds "s, " events " events\n")))
  (print (str out))
  {:levels (frequencies (map :level entries))
   :trace  (:trace (first (filter #(= :error (:level %)) entries)))
   :slow   (->> entries (keep (comp :ms :fields)) (apply max))
   :lines  (with-in-str log-text (loop [n 0] (if (read-line) (recur (inc n)) n)))})
