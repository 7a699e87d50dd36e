;; An average of nothing.
(let [orders []] (/ (reduce + (map :total orders)) (count orders)))
