;; ends in limit/fuel
(loop [] (recur))
