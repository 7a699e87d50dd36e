; A small Lisp: reader, environments, closures, quoting and a few special forms.
(ns tiny.lisp
  (:require [clojure.string :as str]))

(defn tokenize [s]
  (re-seq #"[()']|\"(?:[^\"\\]|\\.)*\"|[^\s()']+" (str/replace s #";[^\n]*" "")))

(defn atom-of [t]
  (cond
    (re-matches #"-?\d+" t) (Long/parseLong t)
    (= t "#t") true
    (= t "#f") false
    (str/starts-with? t "\"") (subs t 1 (dec (count t)))
    :else (symbol t)))

(defn read-form [[t & more]]
  (case t
    "(" (loop [items [] tokens more]
          (cond
            (empty? tokens)         (throw (Exception. "missing )"))
            (= ")" (first tokens))  [(apply list items) (rest tokens)]
            :else (let [[item tokens] (read-form tokens)]
                    (recur (conj items item) tokens))))
    "'" (let [[form more] (read-form more)] [(list 'quote form) more])
    ")" (throw (Exception. "unexpected )"))
    [(atom-of t) more]))

(defn read-all [s]
  (loop [tokens (tokenize s) forms []]
    (if (seq tokens)
      (let [[f more] (read-form tokens)] (recur more (conj forms f)))
      forms)))

(defn lookup [env sym]
  (if-let [frame (first (filter #(contains? @% sym) env))]
    (get @frame sym)
    (throw (ex-info (str "unbound: " sym) {:symbol sym}))))

(declare eval-in)

(defn make-lambda [env params body]
  (fn [& args]
    (when (not= (count params) (count args))
      (throw (ex-info "wrong number of arguments" {:expected (count params) :got (count args)})))
    (let [frame (atom (zipmap params args))]
      (last (map #(eval-in (cons frame env) %) body)))))

(defn eval-in [env form]
  (cond
    (symbol? form) (lookup env form)
    (not (seq? form)) form
    (empty? form) ()
    :else
    (let [[op & args] form]
      (case op
        quote  (first args)
        if     (let [[c t e] args] (if (eval-in env c) (eval-in env t) (eval-in env e)))
        define (let [[target & body] args]
                 (if (seq? target)
                   (swap! (first env) assoc (first target) (make-lambda env (rest target) body))
                   (swap! (first env) assoc target (eval-in env (first body))))
                 nil)
        lambda (make-lambda env (first args) (rest args))
        let    (let [[bindings & body] args]
                 (apply (make-lambda env (map first bindings) body)
                        (map #(eval-in env (second %)) bindings)))
        begin  (last (mapv #(eval-in env %) args))
        (apply (eval-in env op) (map #(eval-in env %) args))))))

(def globals
  {'+ + '- - '* * '< < '= = 'list list 'car first 'cdr rest 'cons cons 'null? empty?
   'display (fn [x] (println x))})

(defn run [source]
  (let [env (list (atom globals))]
    (try
      (last (mapv (partial eval-in env) (read-all source)))
      (catch clojure.lang.ExceptionInfo e {:error (ex-message e) :data (ex-data e)})
      (catch Exception e {:error (.getMessage e)}))))

[(run "(define (fact n) (if (< n 2) 1 (* n (fact (- n 1))))) (display \"computing\") (fact 15)")
 (run "(define (map f l) (if (null? l) '() (cons (f (car l)) (map f (cdr l))))) ; doubles
       (map (lambda (x) (* 2 x)) '(1 2 3))")
 (run "(define make-adder (lambda (n) (lambda (x) (+ x n)))) (let ((add5 (make-adder 5)) (y 10)) (add5 y))")
 (run "(define counter 1) (begin (define counter (+ counter 1)) (list counter #t 'sym \"str\"))")
 (run "(undefined 1)")
 (run "((lambda (x) x))")
 (run "(+ 1 2")
 (run ")")]
