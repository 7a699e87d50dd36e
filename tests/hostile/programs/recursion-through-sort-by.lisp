;; ends in limit/depth
(defn f [n] (sort-by f [2 1]))
(f 0)
