;; ends in limit/depth
(loop [i 0 v []] (if (< i 100000) (recur (inc i) [v]) (count v)))
