;; ends in limit/fuel
(reduce + (range))
