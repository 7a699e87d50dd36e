; Statistics of survey answers: mean, median, mode, standard deviation, percentiles and a histogram.
(ns survey.stats
  (:require [clojure.string :as str]))

(def answers {:age [23 35 41 29 35 62 48 35 27 31]
              :score [7 9 6 8 10 7 7 5 9 8]})

(defn mean [xs] (/ (reduce + xs) (count xs)))

(defn median [xs]
  (let [sorted (vec (sort xs))
        n      (count sorted)
        mid    (quot n 2)]
    (if (odd? n)
      (sorted mid)
      (/ (+ (sorted (dec mid)) (sorted mid)) 2))))

(defn mode [xs]
  (let [freqs (frequencies xs)
        top   (apply max (vals freqs))]
    (sort (for [[x n] freqs :when (= n top)] x))))

(defn std-dev [xs]
  (let [m (mean xs)]
    (Math/sqrt (/ (reduce + (map #(Math/pow (- % m) 2) xs))
                  (dec (count xs))))))

(defn percentile [p xs]
  (let [sorted (sort xs)
        rank   (max 1 (int (Math/ceil (* (/ p 100.0) (count sorted)))))]
    (nth sorted (dec rank))))

(defn histogram [size xs]
  (into (sorted-map)
        (map (fn [[bucket vs]] [(* size bucket) (count vs)]))
        (group-by #(quot % size) xs)))

(defn summary [xs]
  {:n (count xs)
   :mean (mean xs)
   :median (median xs)
   :mode (mode xs)
   :sd (Double/parseDouble (format "%.3f" (std-dev xs)))
   :p90 (percentile 90 xs)})

(doseq [[bucket n] (histogram 10 (:age answers))]
  (println (format "%2d-%2d %s" bucket (+ bucket 9) (str/join (repeat n "*")))))

(let [stats (into {} (for [[k xs] answers] [k (summary xs)]))]
  (doseq [[k {:keys [mean sd]}] stats]
    (printf "%s: %.2f +/- %.2f%n" (name k) (float mean) sd))
  stats)
