;; Translate infix arithmetic to prefix at compile time with precedence.
(def precedence '{+ 1, - 1, * 2, / 2, % 2})

(defn infix->prefix
  "Shunting by the operator of lowest precedence, from the right."
  [form]
  (if (and (sequential? form) (seq form) (not= 'infix (first form)))
    (if (= 1 (count form))
      (recur (first form))
      (let [ops (keep-indexed (fn [i x] (when (and (odd? i) (precedence x)) [i x])) form)
            lowest (apply min (map (comp precedence second) ops))
            [idx op] (last (filter #(= lowest (precedence (second %))) ops))
            v (vec form)]
        (list (if (= op '%) 'mod op)
              (infix->prefix (subvec v 0 idx))
              (infix->prefix (subvec v (inc idx))))))
    form))

(defmacro infix [& form]
  (infix->prefix form))

(def x 5)

(println (infix 1 + 2 * 3))
(println (infix (1 + 2) * 3 - 4 / 2))
(println (infix x * x + 2 * x + 1))

{:values [(infix 10 - 3 - 2) (infix 7 % 4 * 2) (let [y 3] (infix (x - y) * (x + y)))]
 :forms (map infix->prefix '[(a + b * c) ((a + b) * c) (a - b - c) (7)])
 :expanded (macroexpand-1 '(infix a * (b + 1)))
 :nested (infix (infix 1 + 1) * 4)}
