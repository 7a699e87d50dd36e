;; ends in limit/memory
(defmacro m [] (iterate list 1))
(m)
;; ends in limit/memory
(eval (cons 'str (repeat 500000 "a")))
;; ends in limit/memory or limit/fuel
(eval (cons 'str (repeat 3000 (apply str (repeat 1000000 "a")))))
;; ends in limit/memory
(defmacro m [& xs] `(m ~@xs ~@xs))
(m 1 2)
;; ends in limit/memory
(eval (list 'quote (nth (iterate (fn [x] [x x]) 1) 30)))
;; ends in limit/memory or limit/source or name
````````````````````(a b c)
;; ends in limit/fuel
(loop [] (defmulti f identity) (recur))
;; ends in limit/fuel
(loop [] (def kept {:a 1}) (recur))
;; ends in limit/fuel
(loop [] (print "") (recur))
;; ends in limit/output
(loop [] (print "x") (recur))
;; ends in limit/output
(loop [] (newline) (recur))
;; ends in limit/memory or limit/fuel
(letfn [(f [n] (with-out-str (dotimes [i 100] (print (apply str (repeat 20000 "a")))) (f (inc n))))] (f 0))
;; ends in limit/memory
(.pow 2M 999999999)
;; ends in limit/memory
(.pow -1.5M 999999999)
;; ends in value
[(.pow 1M 999999999) (.pow 0M 999999999)]
;; ends in limit/memory
(loop [x 1.5M] (recur (* x x)))
;; ends in limit/memory
(.setScale 1M 999999999)
;; ends in limit/memory
(.movePointRight 1M 999999999)
;; ends in limit/memory
(.repeat "ab" 999999999)
