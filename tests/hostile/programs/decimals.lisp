;; ends in limit/memory
(reduce * (repeat 1000000 1.5M))
;; ends in limit/memory
(bigdec "1E+2000000000")
;; ends in limit/memory
(bigdec "1E+290000")
;; ends in limit/memory
(.setScale 1M 2000000000)
;; ends in limit/memory
(.setScale 1M -2000000000 RoundingMode/UP)
;; ends in limit/memory
(loop [x 1.5M] (recur (* x x)))
;; ends in limit/memory
(BigDecimal/valueOf 1 2000000000)
;; ends in limit/memory
(.movePointRight 1M 2000000000)
;; ends in limit/memory
(.pow 3M 999999999)
;; ends in limit/memory
(with-precision 2000000000 (/ 1M 3M))
;; ends in limit/memory
(/ 1M (.pow 2M 30000))
;; ends in limit/fuel
(loop [x 1E+9000M] (recur (+ x 1E-9000M)))
;; ends in limit/fuel
(loop [] (sort (map (fn [i] (bigdec (str "1E+" i))) (range 19000))) (recur))
;; ends in limit/fuel
(loop [] (into #{} (map (fn [i] (bigdec (str "1E-" i))) (range 19000))) (recur))
;; ends in limit/fuel
(loop [i 3M] (with-precision 10000 (/ 1M i)) (recur (+ i 1M)))
;; ends in limit/fuel
(let [a (bigdec "1E+19000")] (loop [] (hash a) (recur)))
;; ends in limit/fuel
(let [a (.setScale 1M 10000)] (loop [] (.stripTrailingZeros a) (.precision a) (recur)))
;; ends in limit/fuel
(let [a (bigdec "1E+19000") b (.setScale a 0)] (loop [] (if (= a b) (recur) 1)))
;; ends in limit/fuel
(let [a (bigdec "1E+19000") b (.setScale a 0) x (vec (repeat 2000 a)) y (vec (repeat 2000 b))] (loop [] (if (= x y) (recur) 1)))
;; ends in limit/fuel
(let [a (bigdec "1E+19000") b (.setScale a 0) all (vec (repeat 2000 b))] (loop [] (count (filter (fn [x] (= x a)) all)) (recur)))
;; ends in limit/fuel
(let [a (bigdec "1E+19000")] (loop [] (compare 5 a) (recur)))
;; ends in limit/fuel
(describe (into [1.5] (repeat 2000 (bigdec "1E+19000"))))
;; ends in limit/fuel
(let [a (bigdec "1E+19000")] (loop [] (== a 5) (max a 1/3) (max-key identity a 1) (recur)))
;; ends in limit/fuel
(let [a (bigdec "1E-19000")] (loop [] (long a) (quot a 7) (+ a 1) (double a) (recur)))
;; ends in limit/fuel
(let [a (.pow 3M 40000)] (loop [] (try (nth [1] a) (catch Exception e 1)) (recur)))
;; ends in limit/fuel
(let [a (.pow 5M 13000)] (loop [] (try (/ 1M a) (catch Exception e 1)) (recur)))
;; ends in limit/fuel
(loop [] (count (range 0 (bigdec "1E+19000"))) (recur))
;; ends in value
[1E+9000M 1E-9000M (double 1E+9000M) (== 1E+9000M 1/3) (count (.toPlainString (.setScale 1M 15000)))]
