;; ends in limit
(apply *' (range 1 1000000))
;; ends in limit
(loop [x 3N] (recur (* x x)))
;; ends in limit
(loop [x 3N] (recur (+ x x)))
;; ends in limit
(reduce + (map (fn [x] (/ 1 x)) (range 1 1000000)))
;; ends in limit
(let [x (reduce *' (range 1 50000))] (loop [] (str x) (recur)))
;; ends in limit
(let [x (reduce *' (range 1 20000))] (loop [] (quot x 12345678901234567890123N) (recur)))
;; ends in limit or value
(bigint (apply str (repeat 1000000 "9")))
;; ends in limit or value or type or value
(format "%d" (reduce *' (range 1 50000)))
;; ends in limit
(loop [x 1/3] (recur (* x x)))
;; ends in limit
(let [x (reduce *' (range 1 20000)) y (inc x)] (loop [] (= x y) (< x y) (hash x) (recur)))
;; ends in limit
(let [v (vec (repeat 1000 (reduce *' (range 1 10000))))] (str v v))
;; ends in limit
(loop [] (rationalize 1.2345678901234e-300) (recur))
;; ends in limit or value or arithmetic
(double (reduce *' (range 1 50000)))
;; ends in limit
(loop [v [] x (reduce *' (range 1 1000))] (recur (conj v x) (inc x)))
