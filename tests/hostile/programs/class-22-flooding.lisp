;; ends in value or limit
(count (loop [i 0 m {}] (if (< i 50000) (recur (inc i) (assoc m (* i 4294967296) i)) m)))
;; ends in value
(count (set (map (fn [i] (apply str (map (fn [b] (if (bit-test i b) "Aa" "BB")) (range 12)))) (range 4096))))
;; ends in value
(count (zipmap (repeat 1000 ##NaN) (range)))
;; ends in value
(count (into {} (map (fn [i] [[i 0 0 0] i])) (range 10000)))
;; ends in value
(count (frequencies (map (fn [i] (/ i 65536.0)) (range 20000))))
;; ends in value or limit
(count (set (map (fn [i] (str (apply str (repeat 500 "a")) i)) (range 5000))))
