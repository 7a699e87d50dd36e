;; ends in limit/fuel
(loop [] (recur))
;; ends in limit/fuel
(dotimes [i 1000000000000] i)
;; ends in limit/fuel
(doseq [x (range)] x)
;; ends in limit/fuel
(doseq [x (range) y (range)] x)
;; ends in limit
(dorun (for [x (range) :when (neg? x)] x))
;; ends in limit/fuel
(while true)
;; ends in limit/fuel
(defn f [] (recur)) (f)
;; ends in limit/fuel
(trampoline (fn f [] f))
;; ends in limit/fuel
(run! identity (range))
;; ends in limit/fuel
(reduce (fn [a x] x) (iterate inc 0))
;; ends in limit/fuel
(loop [i 0] (when (< i 1e18) (recur (inc i))))
;; ends in limit/fuel
(letfn [(f [] (recur))] (f))
