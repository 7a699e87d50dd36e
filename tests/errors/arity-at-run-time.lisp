;; A function value with the wrong number of arguments.
(reduce (fn [order] (:total order)) 0 ctx/orders)
