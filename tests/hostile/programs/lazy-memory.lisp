;; ends in limit/memory
(def s (map str (range)))
(nth s 100000000)
(first s)
