;; ends in limit/fuel
(first (filter neg? (range)))
