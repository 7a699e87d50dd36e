;; Show when macro hygiene matters: captured names, evaluation count and auto gensyms.
(defmacro aif
  "Binds `it` on purpose."
  [test then & [else]]
  `(let [~'it ~test]
     (if ~'it ~then ~else)))

(defmacro bad-square [x]
  (list '* x x))

(defmacro square [x]
  `(let [v# ~x] (* v# v#)))

(defmacro swap-vals2 [a b]
  `(let [tmp# ~a] [~b tmp#]))

(def counter (atom 0))
(defn tick [] (swap! counter inc))

(defmacro my-assert [form]
  `(let [ok# ~form]
     (when-not ok#
       (println "Assertion failed:" '~form "in" ~(str *ns*)))
     ok#))

(def tmp 99)

(println (aif (get {:a 1} :a) (str "found " it) "none"))
(println (aif (get {:a 1} :b) (str "found " it) "none"))
(my-assert (= 1 (- 2 1)))
(my-assert (> 1 (count "ab")))

(let [bad (do (reset! counter 1) (bad-square (tick)))
      good (do (reset! counter 1) (square (tick)))
      tmp 5]
  {:bad bad
   :good good
   :swapped (swap-vals2 tmp 7)
   :qualified `(inc x ~tmp ~@[1 2])
   :quoted '(a `b)
   :gensym-differ (not= (gensym) (gensym))
   :same-in-template (let [[a b] `(x# x#)] (= a b))
   :starts (.startsWith (name (first `(v#))) "v__")})
