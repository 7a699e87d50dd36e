;; ends in value
(def a (atom nil)) (reset! a [a]) (pr-str a)
;; ends in value
(def a (atom nil)) (reset! a a) (str a)
;; ends in value
(def a (atom nil)) (def b (atom a)) (reset! a b) [(= a b) (hash a) (pr-str a b)]
;; ends in value
(def a (volatile! nil)) (vreset! a {:a a}) a
;; ends in value
(def a (atom nil)) (reset! a (fn [] a)) (fn? @a)
;; ends in value
(def ones (lazy-seq (cons 1 ones))) (take 5 ones)
;; ends in value
(def fibs (lazy-cat [0 1] (map +' (rest fibs) fibs))) (nth fibs 100)
;; ends in value
(def a (atom nil)) (reset! a (map (fn [x] @a) (range))) (take 2 @a) nil
;; ends in thrown
(def a (atom nil)) (reset! a [a]) (throw (ex-info "ring" {:a a}))
;; ends in value or type
(def a (atom nil)) (reset! a [a]) (json/generate-string [1])
;; ends in value
(def s (lazy-seq (cons 1 (lazy-seq s)))) (take 3 s)
;; ends in value
(def a (iterate (fn [_] a) 1)) (count (take 3 a))
;; ends in value or limit
(def a (iterate (fn [_] a) 1)) (count (take 3 a)) (= (take 3 a) [1 2 3])
;; ends in limit/depth or limit/fuel
(def a (iterate (fn [_] a) 1)) (count (take 3 a)) (str (take 3 a))
