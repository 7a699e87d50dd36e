;; A loop cannot go on from inside a try.
(loop [i 0] (try (recur (inc i)) (catch Exception e i)))
