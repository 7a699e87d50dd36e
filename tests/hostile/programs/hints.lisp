;; ends in limit/depth
(defn f ^long [^long n] (+ 1 (f n))) (f 1)
;; ends in limit/fuel
(defn f ^double [^double x] (if (neg? x) x (recur (+ x 1)))) (f 1)
;; ends in limit/fuel
(defn f ^long [x] (or (when (neg? x) x) (recur (inc x)))) (f 1)
;; ends in arithmetic
(loop [^long x (first [1.5])] (recur (+ x x 0.5)))
;; ends in value
((eval (list 'fn (with-meta ['x] {:tag 'long}) (nth (iterate (fn [e] (list 'if 'x e e)) 'x) 12))) 1)
;; ends in limit/depth
(eval (list 'fn (with-meta ['x] {:tag 'long}) (nth (iterate (fn [e] (list 'if 'x e 1)) 'x) 100000)))
;; ends in parse
(eval (list 'fn (with-meta ['x] {:tag 'long}) (cons 'or (concat (repeat 5000 'x) ['(recur x)]))))
;; ends in parse
(eval (list 'fn (with-meta ['x] {:tag 'long}) (nth (iterate (fn [e] (list 'or 'x e)) '(recur x)) 900)))
;; ends in limit
((fn [^long x] (loop [i x] (recur (*' i 1000000007)))) 3)
;; ends in value
((fn ^long [x] (apply *' (repeat 300 1000000007))) 1)
;; ends in limit/fuel
(reduce (fn ^double [^double a x] (+ a x)) 0 (range))
;; ends in value
(let [big (apply *' (repeat 300 1000000007))] (try ((fn [^long x] x) big) (catch IllegalArgumentException e :range)))
