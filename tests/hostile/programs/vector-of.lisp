;; ends in limit
(into (vector-of :int) (range))
;; ends in limit
(loop [v (vector-of :double)] (recur (conj v 1)))
;; ends in limit
(apply vector-of :byte (repeat 100000000 1))
;; ends in limit
(let [v (into (vector-of :int) (range 100000))] (loop [kept nil] (recur (cons (conj v 1) kept))))
;; ends in limit
(let [v (into (vector-of :int) (range 100000))] (loop [] (vec (seq v)) (recur)))
;; ends in limit
(let [v (into (vector-of :long) (range 100000))] (loop [n 0] (recur (+ n (count (concat (seq v) [1]))))))
;; ends in limit
(let [v (into (vector-of :int) (range 100000))] (loop [] (walk/postwalk (fn [x] (if (number? x) (inc x) x)) v) (recur)))
;; ends in value or limit
(let [v (into (vector-of :int) (range 100000))] (count (reduce (fn [v i] (assoc v i 1.5)) v (range 1000))))
;; ends in limit
(loop [v (vector-of :int)] (recur (.cons v 1)))
;; ends in limit
(.reduce (vec (range 100000)) (fn f [a b] (.reduce (vec (range 100000)) f)))
;; ends in limit
(let [v (vec (range 100000))] (loop [s (seq v)] (recur (or (.chunkedNext s) (seq v)))))
;; ends in limit or arity
(.invoke (fn f [x] (.invoke f x)) 1)
;; ends in limit
(let [b (StringBuilder. (apply str (repeat 100000 "a")))] (loop [] (.append b "b") (str/reverse b) (recur)))
