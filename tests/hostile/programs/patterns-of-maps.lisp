;; ends in limit
(do (def ^:dynamic *x* 1) ((fn f [] (with-bindings {#'*x* 1} (f)))))
;; ends in limit
(loop [m (zipmap (range 100000) (range))] (let [[a b c d e f g h & i] m] (recur m)))
;; ends in limit
(loop [m (set (range 100000))] (let [[a & i] m] (recur m)))
;; ends in limit
((fn f [[a & r]] (f (zipmap (range 1000) (range)))) {1 2})
