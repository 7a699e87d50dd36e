;; A binding without its value.
(let [x] x)
