;; ends in limit/depth
(reduce (fn [v _] [v]) [] (range 500000))
;; ends in limit/depth
(reduce (fn [f _] (fn [x] (f x))) inc (range 500000))
;; ends in value
(count (str (reduce (fn [a _] (atom a)) (atom 1) (range 5000))))
;; ends in limit/depth or value
(def e (reduce (fn [e _] (ex-info "m" {} e)) nil (range 200000))) nil
;; ends in value
(def l (reduce (fn [l x] (cons x l)) nil (range 200000))) (def l nil) nil
;; ends in limit/depth
(reduce (fn [m _] {m 1}) {} (range 500000))
;; ends in limit/depth
(reduce (fn [f _] (partial f 1)) + (range 500000))
;; ends in limit/depth or value
(reduce (fn [v _] (with-meta [] {:m v})) [] (range 100000)) nil
;; ends in limit/depth
(reduce (fn [s _] #{s}) #{} (range 500000))
;; ends in limit/depth or value
(reduce (fn [v _] (reduced v)) 1 (range 100000))
;; ends in limit/depth
(reduce (fn [v _] (list v)) nil (range 500000))
;; ends in value
(def xs (doall (take 9000 (iterate inc 0)))) (def xs nil) nil
;; ends in limit/depth
(loop [m {}] (recur (with-meta {} {:m m})))
;; ends in limit/depth
(loop [l '(1)] (recur (with-meta '(1) {:m l})))
;; ends in value
(def l (reduce (fn [l x] (with-meta (cons 1 nil) {:m x})) nil (range 1000))) nil
;; ends in limit/depth or limit/memory
(defn f [] (lazy-seq [(f)])) (def x (f)) (loop [y x] (recur (first y)))
;; ends in limit/depth or limit/memory
(defn g [] (lazy-seq [{:a (g)}])) (def x (g)) (loop [y x] (recur (:a (first y))))
