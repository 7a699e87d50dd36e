;; ends in limit/output
(dotimes [i 1000000] (println "a line that is printed over and over again"))
