;; ends in limit/depth
(defn f [n] (inc (f (inc n))))
(f 0)
