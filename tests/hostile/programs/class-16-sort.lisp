;; ends in value
(count (sort (fn [a b] 1) (range 1000)))
;; ends in value
(count (sort (fn [a b] (- (rand-int 3) 1)) (range 1000)))
;; ends in thrown
(sort (fn [a b] (throw (ex-info "no" {}))) [3 1 2])
;; ends in limit/fuel
(sort (fn [a b] (loop [] (recur))) [3 1 2])
;; ends in arity
(sort (fn [a] 1) [3 1 2])
;; ends in value
(count (sort [##NaN 1.0 ##NaN 0.5 ##NaN]))
;; ends in type
(sort [1 "a" :b])
;; ends in type
(sort (fn [a b] "x") [3 1 2])
;; ends in value
(count (sort-by (fn [x] (rand)) (range 1000)))
;; ends in limit/depth
(defn f [a b] (sort f [2 1])) (sort f [3 1 2])
;; ends in value
(count (sort (fn [a b] true) (range 1000)))
;; ends in value or type
(sort-by :a [{:a 1} {:a nil} {:a 2}])
;; ends in value or failed
(sort (fn [a b] (return 1)) [3 1 2])
;; ends in limit
(let [x (reduce *' (range 1 3000))] (loop [] (sort (fn [a b] (compare b a)) (vec (repeat 3000 x))) (recur)))
;; ends in limit
(let [a (atom [])] (sort (fn [x y] (swap! a (fn [v] (into v (range 1000)))) -1) (range 100000)))
;; ends in value
(try (sort (fn [a b] (/ a 0)) [1 2 3]) (catch ArithmeticException e :once))
