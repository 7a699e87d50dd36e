; A calculator with precedence, parentheses, powers, variables and functions, by recursive descent.
(ns calc.core
  (:require [clojure.string :as str]))

(defn tokenize [s]
  (let [tokens (re-seq #"\d+(?:\.\d+)?|[A-Za-z_]\w*|[-+*/^()=,]|\S" s)]
    (mapv (fn [t]
            (cond
              (re-matches #"\d+" t)        [:num (Long/parseLong t)]
              (re-matches #"\d+\.\d+" t)   [:num (Double/parseDouble t)]
              (re-matches #"[A-Za-z_]\w*" t) [:name t]
              (re-matches #"[-+*/^()=,]" t) [:op t]
              :else (throw (ex-info (str "unexpected character: " t) {:token t}))))
          tokens)))

(declare parse-expr)

(defn op? [[kind text] & ops]
  (and (= kind :op) (some #{text} ops)))

(defn expect [[t & more] op]
  (if (op? t op)
    more
    (throw (ex-info (str "expected " op) {:found (second t)}))))

(defn parse-args [tokens]
  (if (op? (first tokens) ")")
    [[] (rest tokens)]
    (loop [args [] tokens tokens]
      (let [[arg tokens] (parse-expr tokens)
            args (conj args arg)]
        (if (op? (first tokens) ",")
          (recur args (rest tokens))
          [args (expect tokens ")")])))))

(defn parse-primary [[[kind text :as t] & more]]
  (cond
    (nil? t)     (throw (ex-info "unexpected end" {}))
    (= kind :num) [text more]
    (= kind :name) (if (op? (first more) "(")
                     (let [[args more] (parse-args (rest more))]
                       [(into [:call text] args) more])
                     [[:var text] more])
    (op? t "(")  (let [[e more] (parse-expr more)]
                   [e (expect more ")")])
    (op? t "-")  (let [[e more] (parse-primary more)]
                   [[:neg e] more])
    :else (throw (ex-info (str "unexpected " text) {}))))

(defn parse-power [tokens]
  (let [[base more] (parse-primary tokens)]
    (if (op? (first more) "^")
      (let [[exponent more] (parse-power (rest more))]
        [["^" base exponent] more])
      [base more])))

(defn left-assoc [next-level & ops]
  (fn [tokens]
    (loop [[left more] (next-level tokens)]
      (if (apply op? (first more) ops)
        (let [op (second (first more))
              [right more] (next-level (rest more))]
          (recur [[op left right] more]))
        [left more]))))

(def parse-term (left-assoc parse-power "*" "/"))
(def parse-expr (left-assoc parse-term "+" "-"))

(def functions {"sqrt" #(Math/sqrt %) "max" max "min" min "pi" (constantly Math/PI)})

(defn evaluate [env node]
  (if (number? node)
    node
    (let [[op a b] node]
      (case op
        :var  (or (env a) (throw (ex-info (str "unknown variable " a) {})))
        :neg  (- (evaluate env a))
        :call (apply (functions a) (map (partial evaluate env) (drop 2 node)))
        "+"   (+ (evaluate env a) (evaluate env b))
        "-"   (- (evaluate env a) (evaluate env b))
        "*"   (* (evaluate env a) (evaluate env b))
        "/"   (/ (evaluate env a) (evaluate env b))
        "^"   (Math/pow (evaluate env a) (evaluate env b))))))

(defn calc [env s]
  (try
    (let [[tree more] (parse-expr (tokenize s))]
      (if (seq more)
        (throw (ex-info (str "left over: " (str/join " " (map second more))) {}))
        (evaluate env tree)))
    (catch clojure.lang.ExceptionInfo e (str "error: " (ex-message e)))
    (catch ArithmeticException e (str "arithmetic: " (.getMessage e)))))

(doseq [s ["1 + 2 * 3" "(1 + 2) * 3" "2 ^ 3 ^ 2" "-x * 2" "10 / 4" "max(1, min(9, 5), 3)" "sqrt(16) - 1.5"
           "8 - 3 - 2" "1 +" "2 $ 3" "(1" "y" "1 / 0" "1 2"]]
  (println s "=" (calc {"x" 7} s)))

[(first (parse-expr (tokenize "1+2*x")))
 (count (tokenize "foo(1, 2.5)"))]
