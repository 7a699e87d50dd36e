;; ends in limit/depth
(def a (atom 0))
(defn f [n] (swap! a f))
(f 0)
