;; An input that is not there.
(count ctx/order)
