;; Evaluate, simplify and print arithmetic expressions that are records.
(defprotocol Expr
  (evaluate [e env])
  (simplify [e])
  (show [e]))

(declare add mul)

(defrecord Const [n]
  Expr
  (evaluate [_ _] n)
  (simplify [e] e)
  (show [_] (str n)))

(defrecord Var [sym]
  Expr
  (evaluate [_ env]
    (or (get env sym)
        (throw (ex-info (str "Unbound variable: " sym) {:sym sym :known (sort (keys env))}))))
  (simplify [e] e)
  (show [_] (name sym)))

(defrecord Add [l r]
  Expr
  (evaluate [_ env] (+ (evaluate l env) (evaluate r env)))
  (simplify [_] (add (simplify l) (simplify r)))
  (show [_] (str "(" (show l) " + " (show r) ")")))

(defrecord Mul [l r]
  Expr
  (evaluate [_ env] (* (evaluate l env) (evaluate r env)))
  (simplify [_] (mul (simplify l) (simplify r)))
  (show [_] (str (show l) "*" (show r))))

(defn const? ([e] (instance? Const e)) ([e n] (= e (->Const n))))

(defn add [l r]
  (cond
    (and (const? l) (const? r)) (->Const (+ (:n l) (:n r)))
    (const? l 0) r
    (const? r 0) l
    :else (->Add l r)))

(defn mul [l r]
  (cond
    (and (const? l) (const? r)) (->Const (* (:n l) (:n r)))
    (or (const? l 0) (const? r 0)) (->Const 0)
    (const? l 1) r
    (const? r 1) l
    :else (->Mul l r)))

(defn ->expr [form]
  (cond
    (number? form) (->Const form)
    (symbol? form) (->Var form)
    :else (let [[op & args] form
                f ({'+ ->Add '* ->Mul} op)]
            (reduce f (map ->expr args)))))

(def forms '[(+ x (* 2 3)) (* 0 (+ x y)) (+ 0 (* 1 x) 4 5) (* 2 y)])

(doseq [f forms :let [e (->expr f)]]
  (println (show e) "=>" (show (simplify e))))

{:values (map #(evaluate (->expr %) {'x 10 'y 3}) forms)
 :simple (simplify (->expr '(+ (* 1 2) 3)))
 :same (= (->Add (->Const 1) (->Const 2)) (->expr '(+ 1 2)))
 :error (try (evaluate (->expr '(+ x z)) {'x 1})
             (catch clojure.lang.ExceptionInfo e
               [(ex-message e) (ex-data e)]))}
