;; An error in a function that a function calls, defined in an earlier turn.
(defn price [order] (* 2 (:price order)))
(defn total [orders] (reduce + (map price orders)))
;;;; next turn
(println "so far")
(total ctx/orders)
