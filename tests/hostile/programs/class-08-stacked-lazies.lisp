;; ends in limit/depth or value
(first (reduce concat (map vector (range 20000))))
;; ends in limit/depth
(first (reduce (fn [s _] (filter odd? s)) (range) (range 20000)))
;; ends in limit/depth
(first (reduce (fn [s _] (map inc s)) (range) (range 20000)))
;; ends in limit/depth
(def deep (reduce (fn [s _] (take-while pos? s)) (iterate inc 1) (range 20000)))
;; ends in limit/depth or value
(first (reduce (fn [s _] (rest s)) (range) (range 20000)))
;; ends in limit
(defn f [n] (lazy-seq (cons n (map inc (f n))))) (nth (f 0) 20000)
;; ends in limit/depth
(defn f [n] (lazy-seq (f (inc n)))) (defn g [n] (lazy-seq (first (g (inc n))))) (seq (g 0))
;; ends in limit
(first (reduce (fn [s _] (lazy-cat s [1])) [] (range 20000)))
;; ends in limit/depth
(first (reduce (fn [s _] (sequence (map inc) s)) (range) (range 20000)))
;; ends in limit/depth or value
(count (str (reduce (fn [s i] (cons i s)) nil (range 20000))))
;; ends in limit/depth
(def d @(reduce (fn [d _] (delay @d)) (delay 1) (range 20000)))
;; ends in limit
(defn sieve [s] (lazy-seq (cons (first s) (sieve (filter (fn [x] (not= 0 (mod x (first s)))) (rest s)))))) (nth (sieve (iterate inc 2)) 30000)
