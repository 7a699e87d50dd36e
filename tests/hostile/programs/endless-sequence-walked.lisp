;; ends in limit
(count (range))
