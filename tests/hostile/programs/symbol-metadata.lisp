;; ends in limit
(loop [s 'x] (recur (with-meta s {:s s})))
;; ends in limit/depth
(loop [s 'x] (recur (vary-meta 'y assoc :s s)))
;; ends in value
(do (reduce (fn [s _] (with-meta 'y {:s s})) 'x (range 4000)) 1)
;; ends in limit
(eval (list 'def (reduce (fn [s _] (with-meta 'y {:s s})) 'x (range 5000)) 1))
;; ends in limit
(loop [t 1] (recur (tagged-literal 'a t)))
;; ends in limit or value
(= (reduce (fn [t _] (tagged-literal 'a t)) 1 (range 4000)) (reduce (fn [t _] (tagged-literal 'a t)) 1 (range 4000)))
;; ends in limit or value
(pr-str (reduce (fn [t _] (tagged-literal 'a t)) 1 (range 4000)))
