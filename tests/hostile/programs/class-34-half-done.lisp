;; ends in arithmetic
(def kept :changed) (reset! counter 8) (/ 1 0)
;; ends in limit/fuel
(def kept :changed) (reset! counter 8) (loop [] (recur))
;; ends in limit/memory
(def kept :changed) (swap! counter inc) (loop [s "x"] (recur (str s s)))
;; ends in limit/depth
(def kept :changed) (swap! counter inc) (defn f [n] (inc (f n))) (f 1)
;; ends in parse
(def kept :changed) (reset! counter 8) (
;; ends in failed
(def kept :changed) (reset! counter 8) (fail "no")
;; ends in thrown
(def kept :changed) (reset! counter 8) (throw (ex-info "no" {}))
;; ends in name
(def kept :changed) (reset! counter 8) (no-such-name)
;; ends in limit/output
(def kept :changed) (reset! counter 8) (dotimes [i 100000] (println "a line of text"))
;; ends in limit/memory
(def kept :changed) (reset! counter 8) (vec (range 1000000))
;; ends in limit
(def kept :changed) (reset! counter [counter]) (loop [i 0 v []] (recur (inc i) (conj v (atom counter))))
