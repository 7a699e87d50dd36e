;; ends in limit
(vec (range 1000000000000))
