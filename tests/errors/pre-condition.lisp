;; A condition on the arguments.
(defn half [n] {:pre [(even? n)]} (/ n 2))
(half 3)
