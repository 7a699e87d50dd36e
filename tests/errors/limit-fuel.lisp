;; A loop that does not end.
(loop [i 0] (if (< i 0) i (recur (inc i))))
