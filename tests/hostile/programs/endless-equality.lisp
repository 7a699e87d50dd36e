;; ends in limit
(= (range) (range))
