;; recur with too few values.
(loop [i 0 acc []] (if (< i 3) (recur (inc i)) acc))
