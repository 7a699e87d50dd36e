;; ends in limit
(apply *' (range 1 1000000))
