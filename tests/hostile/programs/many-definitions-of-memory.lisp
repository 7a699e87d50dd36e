;; ends in limit/memory
(def m (loop [i 0 m {}] (if (< i 10000000) (recur (inc i) (assoc m (str "key-" i) i)) m)))
