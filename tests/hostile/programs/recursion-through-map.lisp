;; ends in limit/depth
(defn f [n] (mapv f [n]))
(f 0)
