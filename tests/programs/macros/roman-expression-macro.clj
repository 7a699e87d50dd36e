;; Compile-time tables: macros that compute, literals by macros, infix with precedence, and code walkers counting calls.
(require '[clojure.walk :as walk] '[clojure.string :as str])
(defn roman->int [s] (let [v {\I 1 \V 5 \X 10 \L 50 \C 100 \D 500 \M 1000}] (->> (map v s) (partition-all 2 1) (reduce (fn [a [x y]] ((if (and y (< x y)) - +) a x)) 0))))
(defmacro roman [s] (roman->int (name s)))
(defmacro infix [& toks]
  (let [prec '{+ 1 - 1 * 2 / 2 ** 3}
        ops '{+ + - - * * / / ** Math/pow}
        expr (fn expr [[lhs & toks] min-p]
               (let [lhs (if (seq? lhs) `(infix ~@lhs) lhs)]
                 (loop [lhs lhs [op & more :as toks] toks]
                   (if (and op (>= (prec op) min-p))
                     (let [[rhs rest-toks] (expr more (if (= op '**) (prec op) (inc (prec op))))]
                       (recur (list (ops op) lhs rhs) rest-toks))
                     [lhs toks]))))]
    (first (expr toks 0))))
(defmacro deftable [nm f & ks] `(def ~nm ~(into {} (for [k ks] [k `(~f ~k)]))))
(deftable squares (fn [x] (* x x)) 1 2 3)
(defmacro count-calls [& body]
  (let [c (gensym "calls")
        seen (atom #{})
        walked (walk/postwalk (fn [f] (if (and (seq? f) (symbol? (first f)) (#{'+ '* 'inc} (first f))) (do (swap! seen conj (first f)) `(do (swap! ~c update '~(first f) (fnil inc 0)) ~f)) f)) body)]
    `(let [~c (atom (sorted-map))] [(do ~@walked) @~c ~(count @seen)])))
(defmacro cond-let [& clauses] (when-let [[t e & more] (seq clauses)] (if (vector? t) `(if-let ~t ~e (cond-let ~@more)) (if (= t :else) e `(if ~t ~e (cond-let ~@more))))))
(defmacro with-vars [m & body] `(let [~@(mapcat (fn [[k v]] [(symbol (name k)) v]) m)] ~@body))
(defmacro my-for [[x xs & {:keys [when]}] body] `(->> ~xs ~@(if when [`(filter (fn [~x] ~when))]) (map (fn [~x] ~body))))
(defmacro fn-of [& body] (let [args (sort (distinct (filter #(and (symbol? %) (re-matches #"\$\d" (str %))) (flatten body))))] `(fn [~@args] ~@body)))
(println (roman MCMXCIV) (roman XLII) (infix 1 + 2 * 3 - (4 - 1) ** 2 / 3) squares)
(println (count-calls (let [a (inc 1)] (+ a (* 2 (inc a)) (inc 0)))))
(array-map
 :cl (map (fn [x] (cond-let [n (parse-long x)] [:int n] [d (parse-double x)] [:dbl d] (= x "") :empty :else :text)) ["1" "1.5" "" "q"])
 :wv (with-vars {:a 1 :b (+ 1 1)} (* a b 10)) :mf [(my-for [x (range 6) :when (odd? x)] (* x x)) (my-for [x [1 2]] (str x))] :fn ((fn-of (+ $1 (* $2 10))) 1 2)
 :exp [(macroexpand-1 '(roman X)) (macroexpand-1 '(infix a + b * c)) (macroexpand-1 '(my-for [x xs] x))] :quote `(~'a ~'b ~@(map inc [1 2]) {:k ~(+ 1 1)}) :ns-q `[str/join inc foo .bar Baz. if])
