;; ends in limit/depth
(let [a (atom 0)] (add-watch a :k (fn [_ r _ n] (swap! r inc))) (swap! a inc))
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
(let [p (promise) f (fn f [p n] (let [q (promise)] (deliver p q) (recur q (inc n))))] (f p 0))
;; ends in limit/depth
(let [a (atom nil)] (set-validator! a (fn [v] (reset! a v) true)) (reset! a 1))
