;; ends in limit
(loop [x 3N] (recur (* x x)))
