;; A binding without a value.
(let [a 1 b] (+ a b))
