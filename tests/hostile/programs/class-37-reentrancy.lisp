;; ends in value
(def a (atom 0)) (swap! a (fn [x] (swap! a inc) 5)) @a
;; ends in value or limit/depth or type
(def d (atom nil)) (reset! d (delay @@d)) @@d
;; ends in value
(def s (atom nil)) (reset! s (lazy-seq (cons 1 (lazy-seq (rest @s))))) (take 2 @s)
;; ends in value
(def v (volatile! 0)) (vswap! v (fn [x] (vreset! v 9) (inc x))) @v
;; ends in value
(def x (lazy-seq x)) (seq x)
;; ends in value
(def a (atom [1 2 3])) (doseq [x @a] (swap! a conj x)) @a
;; ends in limit/depth or value
(def f (memoize (fn [n] (f n)))) (f 1)
;; ends in value
(def m (atom {})) (reduce-kv (fn [a k v] (swap! m assoc v k)) nil {:a 1 :b 2}) @m
;; ends in limit/depth
(def a (atom 0)) (defn f [x] (swap! a f)) (f 1)
