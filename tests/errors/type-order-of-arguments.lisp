;; The collection before the function.
(filter ctx/orders :total)
