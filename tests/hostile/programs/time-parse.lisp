;; ends in limit
;; Texts parsed for ever.
(loop [n 0] (LocalDate/parse "2024-01-31") (recur (inc n)))
