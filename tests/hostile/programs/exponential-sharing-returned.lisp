;; ends in limit/memory
(loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x))
