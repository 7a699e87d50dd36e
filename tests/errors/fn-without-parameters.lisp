;; A function without its vector.
(defn total (reduce + [1 2]))
