;; Write threading macros that stop at errors and that record every step.
(defmacro ok->
  "Threads like ->, but stops at the first map with :error."
  [x & forms]
  (let [g (gensym "v")]
    `(let [~g ~x
           ~@(interleave (repeat g)
                         (for [form forms]
                           `(if (and (map? ~g) (:error ~g))
                              ~g
                              (-> ~g ~form))))]
       ~g)))

(defmacro steps->
  "Gives a vector of [form value] for each step."
  [x & forms]
  (let [step (fn [acc form]
               `(let [[v# log#] ~acc
                      r# (-> v# ~form)]
                  [r# (conj log# ['~form r#])]))]
    `(second ~(reduce step `[~x []] forms))))

(defn parse [s]
  (if (re-matches #"-?\d+" s)
    (Integer/parseInt s)
    {:error (str "not a number: " s)}))

(defn half [n]
  (if (even? n) (/ n 2) {:error (str n " is odd")}))

(defn process [s]
  (ok-> s
        clojure.string/trim
        parse
        (half)
        (+ 100)))

(doseq [s ["84" " 7 " "seven"]]
  (println (pr-str s) "->" (process s)))

(doseq [[form v] (steps-> {:a 1}
                          (assoc :b 2)
                          (update :a inc)
                          vals
                          (->> (reduce +)))]
  (println form "=>" v))

{:results (map process ["84" "7" "x"])
 :cond (cond-> [] true (conj 1) false (conj 2) (odd? 3) (conj 3))
 :some (some-> {:user {:name "Eve"}} :user :name .toUpperCase)
 :none (some-> {:user {}} :user :name .toUpperCase)
 :as (as-> (range 5) $ (map inc $) (reduce + $) (/ $ 5))}
