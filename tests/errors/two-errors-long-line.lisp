;; An error far to the right.
(def report {:first (count ctx/orders) :second (reduce + (map :total ctx/orders)) :third (apply max (map :total ctx/orders)) :fourth (frist ctx/orders)})
