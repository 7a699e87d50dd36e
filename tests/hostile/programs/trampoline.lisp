;; ends in limit/fuel
(defn f [] f)
(trampoline f)
