;; ends in limit
(loop [s 'x] (recur (with-meta s {:s s})))
;; ends in limit/depth
(loop [s 'x] (recur (vary-meta 'y assoc :s s)))
;; ends in value
(do (reduce (fn [s _] (with-meta 'y {:s s})) 'x (range 4000)) 1)
;; ends in limit
(eval (list 'def (reduce (fn [s _] (with-meta 'y {:s s})) 'x (range 5000)) 1))
