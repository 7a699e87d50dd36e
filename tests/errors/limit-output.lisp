;; Too much printed.
(doseq [i (range 100000)] (println "row" i "of many rows that nobody will read"))
