;; An atom where its value is due.
(let [n (atom 0)] (inc n))
