;; ends in limit
(reduce + 0 (reify clojure.lang.IReduceInit (reduce [_ f i] (loop [i i] (recur (f i 1))))))
;; ends in limit
(def r (reify clojure.lang.IReduceInit (reduce [this f i] (reduce f i this)))) (reduce + 0 r)
;; ends in limit
(into [] (reify clojure.lang.IReduceInit (reduce [_ f i] (loop [i i] (recur (f i 1))))))
;; ends in limit
(def o (reify Object (hashCode [this] (hash this)))) (hash o)
;; ends in limit
(count (first (partition-by zero? (map inc (range)))))
;; ends in limit
(count (partition-by even? (range)))
;; ends in limit
(loop [s (partition-by even? (range))] (recur (next s)))
;; ends in limit
(into-array (range))
;; ends in limit
(loop [e (Exception. "a")] (recur (ex-info "b" {} e)))
;; ends in parse or limit or name or value
(read-string (str (apply str (repeat 3000 "#java.lang.Long[")) "1" (apply str (repeat 3000 "]"))))
;; ends in limit
(with-redefs-fn {} (fn f [] (with-redefs-fn {} f)))
;; ends in limit
(binding [*ns* *ns*] ((fn f [] (binding [*ns* *ns*] (f)))))
;; ends in limit
(defprotocol P (go [t])) (deftype T [^:unsynchronized-mutable n] P (go [_] (loop [] (set! n (inc n)) (recur)))) (go (T. 1))
;; ends in limit
(defprotocol P (go [t])) (deftype T [^:unsynchronized-mutable n] P (go [_] (loop [] (set! n [n n]) (recur)))) (go (T. 1))
;; ends in value or limit/depth
(defprotocol P (go [t])) (deftype T [^:unsynchronized-mutable n] P (go [this] (set! n this) (set! n [n]) (count (pr-str n)))) (go (T. 1))
;; ends in limit
(deftype T [^:unsynchronized-mutable n]) (loop [kept nil] (recur (cons (T. 1) kept)))
;; ends in name or parse
(deftype T [^:unsynchronized-mutable n]) (set! (.-n (T. 1)) 4)
