;; ends in limit/depth
(defmacro again [] '(again))
(+ 1 (again))
;; ends in limit/depth
(defmacro doubled [] '(+ (doubled) (doubled)))
(str (doubled))
;; ends in limit
(defmacro top [] '(top))
(top)
;; ends in limit
(defmacro chain [] '(do 1 (chain)))
(chain)
;; ends in limit
(defmacro grown [x] `(do (def ~(gensym) 1) (grown (~x ~x))))
(grown 1)
;; ends in limit/fuel
(defmacro spin [] (loop [] (recur)))
(spin)
;; ends in limit
(defmacro endless [] (range))
(endless)
;; ends in limit
(defmacro endless-body [] (cons 'do (iterate inc 0)))
(str (endless-body))
;; ends in limit
(defmacro endless-params [] (list 'fn (vec (repeatedly gensym)) 1))
(endless-params)
;; ends in limit
(defmacro shared [] (reduce (fn [x _] (list '+ x x)) 1 (range 60)))
(shared)
;; ends in limit
(defmacro deep [] (reduce (fn [x _] (list 'inc x)) 1 (range 9000)))
(str (deep))
;; ends in limit
(defmacro deep-data [] (list 'quote (reduce (fn [x _] [x]) 1 (range 9000))))
(count (deep-data))
;; ends in limit
(defmacro wide [] (list* 'do (repeat 3000000 1)))
(wide)
;; ends in limit
(defmacro locals [] `(let [~@(mapcat (fn [i] [(symbol (str "x" i)) i]) (range 40000))] [~@(map (fn [i] (symbol (str "x" (mod (* 7 i) 40000)))) (range 100000))]))
(locals)
;; ends in limit
(defmacro nested-fns [] (reduce (fn [x i] (list 'fn [(symbol (str "p" i))] x)) (cons 'list (repeat 200000 'inc)) (range 600)))
(nested-fns)
;; ends in limit
(defmacro nested-when [] (reduce (fn [x _] (list 'when true x)) (cons 'list (repeat 100000 1)) (range 900)))
(nested-when)
;; ends in limit
(defmacro patterns [] (reduce (fn [x _] (list 'loop [{'a :a :or {'a x}} {}] 'a)) 1 (range 40)))
(patterns)
;; ends in limit
(str ````````````````````````(a b))
;; ends in limit/fuel
(loop [] (eval '(+ 1 2)) (recur))
;; ends in limit/fuel
(loop [] (try (eval 'nowhere) (catch Exception _ nil)) (recur))
;; ends in limit
(defn deeper [] (eval '(deeper)))
(deeper)
;; ends in limit/fuel
(loop [] (macroexpand '(-> a b c d e f g h)) (recur))
;; ends in limit
(eval (reduce (fn [x _] (list '+ x x)) 1 (range 60)))
;; ends in limit
(loop [i 0] (eval (list 'def (symbol (str "name" i)) i)) (recur (inc i)))
;; ends in limit
(loop [i 0] (eval (list 'fn [] (str (range 1000) i))) (recur (inc i)))
;; ends in limit
(loop [fs [] i 0] (recur (conj fs (eval (list 'fn [] (list 'vec (vec (range 1000)))))) (inc i)))
;; ends in limit/fuel
(loop [] (gensym) (recur))
;; ends in limit
(defmacro text [] (apply str (repeat 100000000 "x")))
(text)
;; ends in limit
(defmacro print-much [] (dotimes [_ 100000000] (println "x")))
(print-much)
;; ends in limit
(defmacro cases [] (list* 'case 1 (mapcat (fn [i] [i i]) (range 900000))))
(cases)
;; ends in limit
(defmacro m [n] (list 'm (list n n)))
(str (m 1))
;; ends in limit
(defmacro helper-chain [n] (list 'do (list 'defmacro (symbol (str "h" n)) [] (list 'helper-chain (inc n))) (list (symbol (str "h" n)))))
(helper-chain 0)
;; ends in limit
(eval (read-string (apply str (repeat 20000 "(+ 1 "))))
;; ends in parse
(defmacro bad-let [] '(let [x] x))
(bad-let)
;; ends in parse
(defmacro bad-fn [] '(fn [& & a] 1))
(bad-fn)
;; ends in type
(defmacro an-atom [] (atom 1))
(an-atom)
