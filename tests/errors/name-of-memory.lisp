;; A name from an earlier turn, misspelt.
(def expensive-orders (filter #(> (:total %) 100) ctx/orders))
;;;; next turn
(count expensive-order)
