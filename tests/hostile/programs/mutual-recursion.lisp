;; ends in limit/depth
(declare g)
(defn f [n] (inc (g n)))
(defn g [n] (inc (f n)))
(f 0)
