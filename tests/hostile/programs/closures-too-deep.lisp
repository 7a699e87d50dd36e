;; ends in limit/depth
(loop [i 0 f inc] (if (< i 100000) (recur (inc i) (fn [x] (f x))) :made))
