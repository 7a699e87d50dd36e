;; ends in limit/memory
(loop [v [1]] (recur (into v v)))
