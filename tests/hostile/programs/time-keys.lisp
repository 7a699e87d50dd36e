;; ends in limit
;; A map with dates for keys that never stops to grow.
(loop [m {} d (LocalDate/of 2024 1 31)] (recur (assoc m d d) (.plusDays d 1)))
