;; ends in limit/depth
(defn f ([a] (inc (f a 1))) ([a b] (inc (f a))))
(f 0)
