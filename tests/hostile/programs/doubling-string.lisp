;; ends in limit/memory
(loop [s "x"] (recur (str s s)))
