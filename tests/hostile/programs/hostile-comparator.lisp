;; ends in limit/fuel
(sort (fn [a b] (loop [] (recur))) [3 1 2])
