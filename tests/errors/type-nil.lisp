;; A key that is missing gives nil, and nil is no number.
(reduce + (map :price ctx/orders))
