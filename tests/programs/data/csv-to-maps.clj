; Read CSV text into typed maps, report the bad rows, and total the good ones by department.
(ns user.csv
  (:require [clojure.string :as str]))

(def csv-text
  "name,department,salary,start
Ann,Engineering,120000,2019-04-01
Bob,Sales,65000,2020-11-15
Cleo,Engineering,n/a,2021-01-10
Dan,,50000,2018-07-30
Eve,Sales,72000,2017-02-28")

(defn parse-int [s]
  (try
    (Integer/parseInt s)
    (catch NumberFormatException _ nil)))

(def parsers
  {:name       identity
   :department not-empty
   :salary     parse-int
   :start      (fn [s] (when-let [[_ y m d] (re-matches #"(\d{4})-(\d{2})-(\d{2})" s)]
                         (mapv #(Integer/parseInt %) [y m d])))})

(defn parse-row [header line]
  (let [cells (str/split line #"," -1)
        row   (zipmap header cells)]
    (into {}
          (map (fn [[k v]] [k ((get parsers k identity) v)]))
          row)))

(defn problems [row]
  (seq (for [[k v] row :when (nil? v)] k)))

(let [[head & body]  (str/split-lines csv-text)
      header         (map keyword (str/split head #","))
      rows           (map-indexed (fn [i line] (assoc (parse-row header line) :line (+ i 2))) body)
      {good false bad true} (group-by (comp boolean problems) rows)]
  (doseq [row bad]
    (println (str "line " (:line row) ": missing " (str/join ", " (map name (problems row))))))
  {:good   (mapv :name good)
   :bad    (mapv (juxt :line :name) bad)
   :totals (reduce (fn [m {:keys [department salary]}]
                     (update m department (fnil + 0) salary))
                   {} good)
   :oldest (->> good (sort-by :start) first :name)})
