;; Give numbers, strings, collections and nil a common protocol for describing themselves.
(defprotocol Describe
  (describe [x] "A short text about x."))

(extend-protocol Describe
  nil
  (describe [_] "nothing")

  String
  (describe [s] (str "text of " (count s)))

  Number
  (describe [n] (str "number " n))

  clojure.lang.Keyword
  (describe [k] (str "keyword " (name k)))

  clojure.lang.IPersistentVector
  (describe [v] (str "vector [" (clojure.string/join "; " (map describe v)) "]"))

  clojure.lang.IPersistentMap
  (describe [m] (str "map of " (count m)))

  Object
  (describe [x] (str "something else: " x)))

(extend-type Boolean
  Describe
  (describe [b] (if b "yes" "no")))

(defrecord Point [x y]
  Describe
  (describe [_] (str "point at " x "," y)))

(doseq [x [nil "abc" 42 2.5 1/3 :k [1 "a" [nil]] {:a 1} true 'sym (->Point 1 2)]]
  (println (describe x)))

{:types (mapv #(satisfies? Describe %) [1 "a" nil])
 :list (describe '(1 2))
 :set (describe #{1})
 :nested (describe [{} false])}
