;; ends in limit/fuel
(while true)
