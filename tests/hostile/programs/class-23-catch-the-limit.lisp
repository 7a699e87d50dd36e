;; ends in limit/fuel
(loop [] (try (loop [] (recur)) (catch Throwable e nil)) (recur))
;; ends in limit/fuel
(try (/ 1 0) (finally (loop [] (recur))))
;; ends in limit/fuel
(try (loop [] (recur)) (finally (loop [] (recur))))
;; ends in limit/memory
(try (loop [s "x"] (recur (str s s))) (catch Throwable e :caught))
;; ends in limit/depth
(defn f [n] (inc (f n))) (try (f 0) (catch Throwable e :caught))
;; ends in limit/output
(try (dotimes [i 1000000] (println "a long line of text that fills the output")) (catch Throwable e :caught))
;; ends in limit/fuel
(doall (map (fn [x] (try (loop [] (recur)) (catch Exception e x))) [1 2 3]))
;; ends in limit/fuel
(defn f [] (try (f) (catch Throwable e (f)) (finally (f)))) (try (loop [] (recur)) (catch Error e (f)))
;; ends in limit/fuel
(try (sort (fn [a b] (loop [] (recur))) [1 2]) (catch Throwable e :caught))
;; ends in limit/fuel
(def a (atom 0)) (try (swap! a (fn [x] (loop [] (recur)))) (catch Throwable e (reset! a 1)))
;; ends in limit/fuel
(try @(delay (loop [] (recur))) (catch Throwable e :caught))
;; ends in limit/fuel
(some-> 1 (as-> x (try (while true) (catch Throwable e x))))
;; ends in limit/fuel
(with-out-str (try (while true) (catch Throwable e (println e))))
