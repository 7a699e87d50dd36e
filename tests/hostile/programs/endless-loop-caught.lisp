;; ends in limit/fuel
;; No limit can be caught, and `finally` gets no fresh budget (difference 4).
(loop []
  (try (loop [] (recur)) (catch Throwable e nil) (finally (loop [] (recur))))
  (recur))
