;; ends in limit
(apply str (repeat 1000000000 "x"))
