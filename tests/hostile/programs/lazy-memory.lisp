;; ends in limit/memory
(def s (map str (range)))
(nth s 100000000)
(first s)
;; ends in value
(do (defn sieve [s] (cons (first s) (lazy-seq (sieve (filter #(not= 0 (mod % (first s))) (rest s)))))) (def primes (sieve (iterate inc 2))) (first primes))
;; ends in value
(do (dotimes [i 3] (def a (lazy-seq (filter neg? (range))))) (def b (lazy-seq (filter neg? (range)))) (def c (lazy-seq (doall (range)))) 1)
;; ends in value
(do (def all (mapv (fn [i] (lazy-seq (filter neg? (range)))) (range 10000))) 1)
;; ends in limit/fuel
(do (def t (atom [])) (def all (mapv (fn [i] (lazy-seq (swap! t conj i) (filter neg? (range)))) (range 100))) (count (first all)))
;; ends in value
(do (def t (transient [])) (def a (lazy-seq (conj! t 1) (filter neg? (range)))) (count t))
