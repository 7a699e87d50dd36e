;; ends in limit/fuel
(doseq [x (range)] x)
