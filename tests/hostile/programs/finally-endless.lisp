;; ends in limit/fuel
(try (/ 1 0) (finally (loop [] (recur))))
