;; Code as data: symbolic differentiation, simplification, compile to functions with eval.
(require '[clojure.walk :as walk] '[clojure.string :as str])
(defmulti d (fn [e _] (cond (number? e) :const (symbol? e) :var :else (first e))))
(defmethod d :const [_ _] 0)
(defmethod d :var [e x] (if (= e x) 1 0))
(defmethod d '+ [[_ & es] x] (cons '+ (map #(d % x) es)))
(defmethod d '* [[_ a b] x] `(~'+ (~'* ~(d a x) ~b) (~'* ~a ~(d b x))))
(defmethod d '** [[_ b n] x] (list '* (list '* n (list '** b (dec n))) (d b x)))
(defmethod d 'sin [[_ u] x] (list '* (list 'cos u) (d u x)))
(defn simp1 [e]
  (if-not (seq? e) e
    (let [[op & args] e]
      (case op
        + (let [args (mapcat #(if (and (seq? %) (= '+ (first %))) (rest %) [%]) args)
                {ns true es false} (group-by number? args) s (reduce + 0 ns)
                out (cond-> (vec es) (not (zero? s)) (conj s))]
            (case (count out) 0 0 1 (first out) (cons '+ out)))
        * (let [{ns true es false} (group-by number? args) p (reduce * 1 ns)]
            (cond (zero? p) 0 (empty? es) p
                  :else (let [out (cond->> es (not= 1 p) (cons p))] (if (next out) (cons '* out) (first out)))))
        ** (let [[b n] args] (case (int n) 0 1 1 b e))
        e))))
(defn simplify [e] (let [e' (walk/postwalk simp1 e)] (if (= e e') e (recur e'))))
(defn infix [e] (if (seq? e) (let [[op & as] e] (if ('#{+ * **} op) (str "(" (str/join (str " " op " ") (map infix as)) ")") (str op "(" (infix (first as)) ")"))) (str e)))
(defn ->fn [args e] (eval `(let [~'** (fn [b# n#] (reduce * (repeat n# b#))) ~'sin #(Math/sin %) ~'cos #(Math/cos %)] (fn ~args ~e))))
(def f '(+ (* 3 (** x 2)) (* x y) 5))
(println (infix f) "->" (infix (simplify (d f 'x))))
(println (simplify (d '(sin (* 2 x)) 'x)))
{:val ((->fn '[x y] f) 2 3) :dval ((->fn '[x y] (simplify (d f 'x))) 2 3)
 :second (simplify (d (d '(** x 4) 'x) 'x))
 :vars (->> f flatten (filter symbol?) (remove '#{+ * **}) distinct)
 :evals [(eval '(let [a 1] (inc a))) (eval (list 'map 'inc [1 2])) (eval `(+ ~@(range 4))) ((eval '(fn [x] (* x x))) 5)]
 :me [(macroexpand '(when a b)) (macroexpand-1 '(-> x (f 1) g)) (first (macroexpand '(when-not a 1)))]
 :read (map class (read-string "(1 \"a\" :k sym [v] {m 1} #{s} \\c 1.5)")) :splice `(1 ~@[2 3] ~(+ 2 2) [~@"ab"])}
