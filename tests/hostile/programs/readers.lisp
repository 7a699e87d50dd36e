;; ends in limit
(edn/read-string {:default (fn [t v] (loop [] (recur)))} "#a 1")
;; ends in limit
(loop [] (edn/read-string {:default vector} "#a #b #c [#d 1]") (recur))
;; ends in limit or value
(edn/read-string {:default (fn [tag x] [tag x])} (apply str (concat (repeat 200 "#a ") ["1"])))
;; ends in limit or parse
(edn/read-string {:default (fn [tag x] [tag x])} (apply str (concat (repeat 9000 "#a ") ["1"])))
;; ends in limit or value
(read-string {:read-cond :allow} (str "[" (apply str (repeat 10000 "#?@(:clj [1 2 3])")) "]"))
;; ends in limit
(do (defn f [t v] (edn/read-string {:default f} "#a 1")) (f 1 2))
;; ends in limit
(loop [] (read-string "`(a ~b ~@c [d {e f}])") (recur))
