;; ends in limit
(do (def ^:dynamic *x* 0) ((fn f [] (binding [*x* (inc *x*)] (f)))))
;; ends in limit/fuel
(do (def ^:dynamic *x* 0) (loop [] (binding [*x* 1] *x*) (recur)))
;; ends in limit
(do (def ^:dynamic *x* nil) (binding [*x* nil] (loop [] (set! *x* [*x*]) (recur))))
;; ends in limit
(do (def ^:dynamic *x* nil) (loop [] (binding [*x* 1] (def ^:dynamic *x* 2)) (recur)))
;; ends in limit/fuel
(do (defn f [] 1) (loop [] (with-redefs [f (fn [] 2)] (f)) (recur)))
