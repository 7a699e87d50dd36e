;; ends in limit/depth
(first (reduce (fn [s _] (filter odd? s)) (range) (range 20000)))
