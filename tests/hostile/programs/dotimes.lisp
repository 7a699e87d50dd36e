;; ends in limit/fuel
(dotimes [i 1000000000000] (inc i))
