;; ends in limit/fuel
(reduce * (repeat 1000000 1.5M))
;; ends in limit/memory
(bigdec "1E+2000000000")
;; ends in limit/memory
(.setScale 1M 2000000000)
;; ends in limit/memory
(.setScale 1M -2000000000 RoundingMode/UP)
;; ends in limit
(loop [x 1.5M] (recur (* x x)))
;; ends in limit/memory
(BigDecimal/valueOf 1 2000000000)
;; ends in limit/memory
(.movePointRight 1M 2000000000)
;; ends in limit/memory
(.pow 3M 999999999)
;; ends in limit/memory
(with-precision 2000000000 (/ 1M 3M))
;; ends in limit
(/ 1M (.pow 2M 300000))
;; ends in limit/fuel
(loop [x 1E+9000M] (recur (+ x 1E-9000M)))
;; ends in limit
(sort (map (fn [i] (bigdec (str "1E+" i))) (range 200000)))
;; ends in limit
(into #{} (map (fn [i] (bigdec (str "1E-" i))) (range 200000)))
;; ends in limit
(reduce + (map (fn [i] (with-precision 100000 (/ 1M (+ i 3M)))) (range 100000)))
;; ends in limit
(loop [i 0] (hash (bigdec "1E+290000")) (recur (inc i)))
;; ends in limit
(loop [i 0] (.stripTrailingZeros (.setScale 1M 100000)) (recur (inc i)))
;; ends in limit
(loop [i 0] (.precision (.setScale 1M 100000)) (recur (inc i)))
;; ends in limit
(loop [i 0] (= (bigdec "1E+290000") (bigdec "1E-200000")) (recur (inc i)))
;; ends in limit
(loop [i 0] (quot (bigdec "1E+290000") (bigdec "3E-2")) (recur (inc i)))
;; ends in value
[1E+9000M 1E-9000M (double 1E+9000M) (== 1E+9000M 1/3)]
;; ends in limit/fuel
(let [a (bigdec "1E+290000")] (loop [i 0] (== a 5) (recur (inc i))))
;; ends in limit/fuel
(let [a (bigdec "1E+290000")] (loop [i 0] (max a 1/3) (recur (inc i))))
;; ends in limit/fuel
(let [a (bigdec "1E-290000")] (loop [i 0] (long a) (recur (inc i))))
;; ends in limit/fuel
(let [a (bigdec "1E-290000")] (loop [i 0] (+ a 1) (recur (inc i))))
;; ends in value
(count (.toPlainString (.setScale 1M 70000)))
