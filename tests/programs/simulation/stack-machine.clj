;; Compile arithmetic expressions to instructions and run them on a stack machine.
(defn compile-expr [expr]
  (cond
    (number? expr) [[:push expr]]
    (symbol? expr) [[:load expr]]
    (seq? expr)
    (let [[op & args] expr]
      (case op
        let (let [[[sym e] body] args]
              (concat (compile-expr e) [[:store sym]] (compile-expr body)))
        if (let [[c t e] (map compile-expr args)]
             (concat c
                     [[:jump-zero (inc (count t))]]
                     t
                     [[:jump (count e)]]
                     e))
        (+ - * /) (concat (compile-expr (first args))
                          (mapcat #(concat (compile-expr %) [[:op op]]) (rest args)))
        (throw (ex-info "Unknown operator" {:op op}))))
    :else (throw (ex-info "Bad expression" {:expr expr}))))

(def ops {'+ + '- - '* * '/ /})

(defn execute [code]
  (let [code (vec code)]
    (loop [pc 0 stack () env {} steps 0]
      (if-let [[op arg] (get code pc)]
        (let [pc (inc pc) steps (inc steps)]
          (case op
            :push (recur pc (conj stack arg) env steps)
            :load (recur pc (conj stack (env arg)) env steps)
            :store (recur pc (rest stack) (assoc env arg (first stack)) steps)
            :jump (recur (+ pc arg) stack env steps)
            :jump-zero (recur (if (zero? (first stack)) (+ pc arg) pc) (rest stack) env steps)
            :op (let [[b a & more] stack]
                  (recur pc (cons ((ops arg) a b) more) env steps))))
        {:result (first stack) :steps steps}))))

(def programs
  '[(+ 1 2 3)
    (* (- 10 4) (/ 9 3))
    (let [x 5] (* x x))
    (if (- 2 2) 100 (let [y 3] (/ y 4)))
    (pow 2 3)
    "text"])

(doseq [p programs]
  (println p "=>"
           (try (:result (execute (compile-expr p)))
                (catch clojure.lang.ExceptionInfo e
                  (str (ex-message e) " " (ex-data e))))))

{:code (compile-expr '(let [x 5] (* x x)))
 :steps (map (comp :steps execute compile-expr) (take 4 programs))
 :size (count (compile-expr (nth programs 3)))}
