;; Another language counts so.
(length ctx/orders)
