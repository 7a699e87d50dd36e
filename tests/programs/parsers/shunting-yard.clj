; Infix to postfix by the shunting-yard algorithm, then evaluated with a stack and printed as a tree.
(require '[clojure.string :as str])

(def operators
  {"+" {:prec 1 :assoc :left :fn +}
   "-" {:prec 1 :assoc :left :fn -}
   "*" {:prec 2 :assoc :left :fn *}
   "/" {:prec 2 :assoc :left :fn /}
   "%" {:prec 2 :assoc :left :fn mod}
   "^" {:prec 3 :assoc :right :fn (fn [b e] (reduce *' (repeat e b)))}})

(defn pops? [op top]
  (let [{p :prec a :assoc} (operators op)
        {q :prec} (operators top)]
    (and q (or (> q p) (and (= q p) (= a :left))))))

(defn ->postfix [tokens]
  (loop [[t & more] tokens, out [], stack ()]
    (cond
      (nil? t)
      (if (some #{"("} stack)
        (throw (ex-info "unbalanced" {:stack stack}))
        (into out stack))

      (operators t)
      (let [[moved kept] (split-with #(pops? t %) stack)]
        (recur more (into out moved) (conj kept t)))

      (= t "(") (recur more out (conj stack t))

      (= t ")")
      (let [[moved [paren & kept]] (split-with (complement #{"("}) stack)]
        (if paren
          (recur more (into out moved) (apply list kept))
          (throw (ex-info "unbalanced" {:after out}))))

      :else (recur more (conj out (Integer/parseInt t)) stack))))

(defn eval-postfix [tokens]
  (peek
   (reduce (fn [stack t]
             (if-let [{f :fn} (operators t)]
               (let [b (peek stack) a (peek (pop stack))]
                 (conj (-> stack pop pop) (f a b)))
               (conj stack t)))
           [] tokens)))

(defn ->sexp [tokens]
  (first
   (reduce (fn [[b a & more :as stack] t]
             (if (operators t)
               (cons (list (symbol t) a b) more)
               (cons t stack)))
           () tokens)))

(def tokenize (partial re-seq #"\d+|[-+*/%^()]"))

(doseq [s ["3 + 4 * 2 / ( 1 - 5 ) ^ 2 ^ 3" "10 - 2 - 3" "7 % 4 * 2" "((8))" "2 ^ 70"]]
  (let [postfix (->postfix (tokenize s))]
    (println (str/join " " postfix) "=>" (eval-postfix postfix))))

{:tree (->sexp (->postfix (tokenize "1 + 2 * (3 - 4)")))
 :errors (for [s ["(1 + 2" "1 + 2)"]]
           (try (->postfix (tokenize s))
                (catch Exception e (ex-data e))))}
