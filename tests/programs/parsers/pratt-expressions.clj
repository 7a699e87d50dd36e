;; A Pratt parser: binding powers, prefix and postfix operators, calls, then evaluation and printing.
(defn tokenize [s]
  (map (fn [[_ num id op]]
         (cond num [:num (parse-double num)]
               id  [:id (keyword id)]
               :else [:op op]))
       (re-seq #"\s*(?:(\d+(?:\.\d+)?)|([a-z]\w*)|(\*\*|[-+*/()!,]))" s)))

(def infix {"+" [1 2 :add] "-" [1 2 :sub] "*" [3 4 :mul] "/" [3 4 :div] "**" [8 7 :pow]})
(def postfix {"!" 9})

(declare expr)

(defn arguments [tokens]
  (loop [args [], tokens tokens]
    (let [[arg [[_ op] & more]] (expr tokens 0)]
      (case op
        "," (recur (conj args arg) more)
        ")" [(conj args arg) more]))))

(defn prefix [[[kind v] & more]]
  (case kind
    :num [v more]
    :id  (if (= [:op "("] (first more))
           (let [[args more] (arguments (rest more))] [(into [:call v] args) more])
           [[:var v] more])
    :op  (case v
           "-" (let [[x more] (expr more 5)] [[:neg x] more])
           "(" (let [[x [close & more]] (expr more 0)]
                 (assert (= [:op ")"] close) "expected )")
                 [x more]))))

(defn expr [tokens min-power]
  (loop [[left [[_ op] :as tokens]] (prefix tokens)]
    (if-let [power (postfix op)]
      (if (< power min-power) [left tokens] (recur [[:fact left] (rest tokens)]))
      (if-let [[l r tag] (infix op)]
        (if (< l min-power)
          [left tokens]
          (let [[right tokens] (expr (rest tokens) r)]
            (recur [[tag left right] tokens])))
        [left tokens]))))

(defn parse [s] (first (expr (tokenize s) 0)))

(defn evaluate [env ast]
  (if (number? ast)
    ast
    (let [[tag & args] ast
          ev (partial evaluate env)]
      (case tag
        :var (get env (first args) 0.0)
        :neg (- (ev (first args)))
        :fact (reduce * 1.0 (range 1 (inc (ev (first args)))))
        :pow (Math/pow (ev (first args)) (ev (second args)))
        :call (apply (get {:max max :min min :sqrt #(Math/sqrt %)} (first args)) (map ev (rest args)))
        (apply ({:add + :sub - :mul * :div /} tag) (map ev args))))))

(doseq [s ["1 + 2 * 3" "2 ** 3 ** 2" "-2 ** 2" "3! - x * (y + 1)" "max(1, 2 + 3, sqrt(16))" "10 / 4 - 1"]]
  (println s "=" (evaluate {:x 2.0 :y 0.5} (parse s))))

{:ast (parse "1 - 2 - 3 * x!")
 :tokens (count (tokenize "max(1,2)"))
 :bad (try (parse "(1 + 2") (catch AssertionError e (first (clojure.string/split-lines (ex-message e)))))}
