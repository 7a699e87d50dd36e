;; ends in limit/fuel
(let [f (fn [] (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x)))]
  (= (f) (f)))
