;; One bracket too few.
(defn total [orders]
  (reduce + (map :total orders))

(total ctx/orders)
