;; swap! of a value.
(def total 0)
(swap! total + 5)
