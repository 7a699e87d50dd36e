;; ends in limit
(into [] (map class) (range 100000000))
;; ends in limit
(dotimes [i 100000000] (= (class i) Long))
;; ends in limit
(defmulti f class) (defmethod f Object [x] x) (dotimes [i 100000000] (f [i]))
;; ends in limit
(loop [c Long n 0] (recur (class c) (inc n)))
;; ends in value
(str (reduce (fn [c _] [c (class c)]) Long (range 500)))
;; ends in limit or value
(doseq [i (range 20000)] (eval (list 'defrecord (symbol (str "R" i)) '[x])))
;; ends in limit
(loop [m {}] (recur (assoc m (class m) m)))
