;; Programs have no threads: each of these is an unknown name, or runs in order within the turn and its limits.
;; ends in value
(pmap inc (range 10))
;; ends in limit/fuel
(doall (pmap (fn [x] (loop [] (recur))) (range 1000)))
;; ends in limit
(pmap inc (range))
;; ends in limit
(pmap (fn [x] (vec (range 100000))) (range 1000))
;; ends in limit/depth
(defn f [n] (pmap f [n])) (f 1)
;; ends in limit/fuel
(future (loop [] (recur)))
;; ends in value
(pcalls (fn [] 1) (fn [] 2))
;; ends in value
(promise)
