;; Too few arguments of one's own function.
(defn discount [price percent] (* price (- 1 (/ percent 100))))
(map (fn [o] (discount (:total o))) ctx/orders)
