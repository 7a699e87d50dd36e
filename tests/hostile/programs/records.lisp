;; ends in limit/depth
(do (defrecord N [x]) (loop [n nil] (recur (->N n))))
;; ends in limit/depth
(do (deftype N [x]) (loop [n nil] (recur (->N n))))
;; ends in limit
(do (defprotocol P (m [x])) (loop [n nil] (let [k n] (recur (reify P (m [_] k))))))
;; ends in limit/depth
(do (defrecord R [x] Object (toString [this] (str this))) (str (->R 1)))
;; ends in limit/depth
(do (defrecord R [x] Comparable (compareTo [this o] (compare this o))) (compare (->R 1) (->R 2)))
;; ends in limit/fuel
(do (defrecord R [x] Comparable (compareTo [this o] 1)) (loop [] (sort (map ->R (range 1000))) (recur)))
;; ends in limit/fuel
(do (defrecord R [x] Object (toString [this] (loop [] (recur)))) (println (str (->R 1))))
;; ends in limit
(do (defrecord R [x] Object (toString [this] (apply str (repeat 10000000 "abc")))) (str (->R 1)))
;; ends in limit/depth
(do (defprotocol P (m [x])) (extend-type Object P (m [x] (inc (m x)))) (m 1))
;; ends in limit/depth
(do (deftype F [] clojure.lang.IFn (invoke [this x] (inc (this x)))) ((F.) 1))
;; ends in limit/depth
(do (deftype F [] clojure.lang.IDeref (deref [this] (inc @this))) @(F.))
;; ends in limit/fuel
(do (defrecord R [a b]) (loop [m {} i 0] (recur (assoc m (->R i {:x (->R i i)}) i) (inc i))))
;; ends in limit/fuel
(do (defrecord R [a b]) (let [w (reduce (fn [v _] (->R v v)) 1 (range 60)) u (reduce (fn [v _] (->R v v)) 1 (range 60))] (= w u)))
;; ends in limit
(do (defrecord R [a b]) (let [w (reduce (fn [v _] (->R v v)) 1 (range 60))] (count (pr-str w))))
;; ends in limit
(do (defrecord R [a b]) (reduce (fn [v _] (->R v v)) 1 (range 60)))
;; ends in limit
(do (defrecord R [a]) (loop [r (->R 1) i 0] (recur (assoc r (keyword (str "k" i)) i) (inc i))))
;; ends in limit/fuel
(do (defprotocol P (m [x])) (extend-protocol P Number (m [x] 1) Object (m [x] 2) java.util.List (m [x] 3)) (loop [] (m [1]) (m 1) (m :a) (recur)))
;; ends in limit/fuel
(do (defprotocol P (m [x])) (loop [] (extend-type Long P (m [x] x)) (satisfies? P (range)) (recur)))
;; ends in value
(do (deftype B [x]) (let [b (B. (range))] [(.-x b) b]))
;; ends in value
(do (deftype B [x]) (def b (B. (iterate inc 0))) (first (.-x b)))
;; ends in limit
(do (deftype B [x]) (loop [s #{}] (recur (conj s (B. 1)))))
;; ends in limit
(loop [i 0] (defrecord R [a b c]) (recur (inc i)))
;; ends in limit/fuel
(do (defrecord R [a]) (loop [] (clojure.edn/read-string "#user.R{:a [#user.R[1]]}") (recur)))
