;; ends in limit
(println (iterate inc 0))
