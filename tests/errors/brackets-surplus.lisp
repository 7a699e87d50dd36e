;; One bracket too many.
(defn total [orders]
  (reduce + (map :total orders))))
(total ctx/orders)
