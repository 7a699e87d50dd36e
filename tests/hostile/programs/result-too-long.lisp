;; ends in limit/memory
(vec (range 300000))
