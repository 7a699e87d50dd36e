;; ends in limit
;; The rules of zones asked for ever.
(let [zone (ZoneId/of "America/New_York")]
  (loop [n 0] (.atZone (LocalDateTime/of (+ 1970 (rem n 100)) 3 10 2 30) zone) (recur (inc n))))
