;; Too few arguments of a function from an earlier turn.
(defn discount [price percent] (* price (- 1 (/ percent 100))))
;;;; next turn
(discount 100)
