;; Use mutual recursion, trampolines and continuations for parsing and for deep recursion.
(declare my-odd?)

(defn my-even? [n]
  (if (zero? n) true #(my-odd? (dec n))))

(defn my-odd? [n]
  (if (zero? n) false #(my-even? (dec n))))

(defn tokenize [s]
  (re-seq #"\d+(?:\.\d+)?|[-+*/()^]" s))

(declare parse-expr)

(defn parse-atom [[t & more]]
  (cond
    (= t "(") (let [[v [close & more]] (parse-expr more)]
                (if (= close ")")
                  [v more]
                  (throw (ex-info "missing )" {:found close}))))
    (= t "-") (let [[v more] (parse-atom more)] [(- v) more])
    (nil? t) (throw (ex-info "unexpected end" {}))
    :else [(if (re-find #"\." t) (Double/parseDouble t) (Long/parseLong t)) more]))

(defn parse-power [tokens]
  (let [[base [t & more :as left]] (parse-atom tokens)]
    (if (= t "^")
      (let [[e more] (parse-power more)]
        [(reduce *' (repeat e base)) more])
      [base left])))

(defn binary-level [next-level ops]
  (fn [tokens]
    (loop [[acc [t & more :as left]] (next-level tokens)]
      (if-let [f (ops t)]
        (let [[v more] (next-level more)]
          (recur [(f acc v) more]))
        [acc left]))))

(def parse-term (binary-level parse-power {"*" * "/" /}))
(def parse-expr (binary-level parse-term {"+" + "-" -}))

(defn calc [s]
  (let [[v more] (parse-expr (tokenize s))]
    (if (seq more)
      (throw (ex-info "left over" {:tokens more}))
      v)))

(doseq [s ["1 + 2 * 3" "(1 + 2) * 3" "2 ^ 3 ^ 2" "10 / 4 - 1" "-(2 - 5) * 1.5" "2 * (3 + 4" "1 2" ""]]
  (println s "=" (try (calc s)
                      (catch clojure.lang.ExceptionInfo e
                        [(.getMessage e) (ex-data e)]))))

(defn sum-cps [tree k]
  (cond
    (number? tree) #(k tree)
    (empty? tree) #(k 0)
    :else #(sum-cps (first tree)
                    (fn [a] (fn [] (sum-cps (rest tree) (fn [b] (fn [] (k (+ a b))))))))))

{:even (trampoline my-even? 10000)
 :odd (trampoline my-odd? 10001)
 :cps (trampoline sum-cps [1 [2 [3 [4]] 5] [] [[[6]]]] identity)
 :hanoi (letfn [(hanoi [n from to via]
                  (if (zero? n)
                    []
                    (concat (hanoi (dec n) from via to)
                            [[from to]]
                            (hanoi (dec n) via to from))))]
          (hanoi 3 :a :c :b))
 :ackermann ((fn ack [m n]
               (cond (zero? m) (inc n)
                     (zero? n) (recur (dec m) 1)
                     :else (recur (dec m) (ack m (dec n)))))
             2 3)
 :collatz (->> 27 (iterate #(if (even? %) (quot % 2) (inc (* 3 %)))) (take-while #(not= 1 %)) count)}
