;; ends in limit/depth
(let [a (atom 0)] (add-watch a :k (fn [_ r _ n] (swap! r inc))) (swap! a inc))
;; ends in limit
(let [a (agent 0)] (send a (fn f [n] (send a f) (inc n))))
;; ends in limit
(let [a (atom 0)] (loop [i 0] (add-watch a i (fn [& _] i)) (recur (inc i))))
;; ends in limit
(loop [] (promise) (recur))
;; ends in limit
(loop [] (future (range 1000)) (recur))
;; ends in limit/fuel
@(future (loop [] (recur)))
;; ends in limit/fuel
(try @(future (loop [] (recur))) (catch Throwable _ :caught))
;; ends in limit
(dosync (loop [rs []] (let [r (ref 0)] (alter r inc) (recur (conj rs r)))))
;; ends in limit
(let [a (agent 0)] (dosync (loop [] (send a inc) (recur))))
;; ends in limit
(let [p (promise) f (fn f [p n] (let [q (promise)] (deliver p q) (recur q (inc n))))] (f p 0))
;; ends in limit/depth
(let [a (atom nil)] (set-validator! a (fn [v] (reset! a v) true)) (reset! a 1))
;; ends in limit/fuel
(let [a (agent 0 :error-handler (fn [a e] (loop [] (recur))))] (send a (fn [_] (throw (ex-info "x" {})))))
