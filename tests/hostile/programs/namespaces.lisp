;; ends in limit
(loop [] (ns-publics 'clojure.core) (recur))
;; ends in limit
(loop [] (all-ns) (recur))
;; ends in limit
(loop [] (resolve 'clojure.string/join) (recur))
;; ends in limit
(do (def x 1) (loop [] (alter-meta! #'x assoc :k #'x) (recur)))
;; ends in limit
(do (def x 1) (loop [] (alter-meta! #'x (fn [m] {:m m})) (recur)))
;; ends in limit
(do (def x [1]) (loop [] (alter-var-root #'x (fn [v] (into v v))) (recur)))
;; ends in limit
(do (def x nil) (loop [] (alter-var-root #'x vector) (recur)))
;; ends in limit
(loop [] (meta #'map) (recur))
