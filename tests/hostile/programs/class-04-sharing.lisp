;; ends in limit
(def x (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x))) (println x)
;; ends in limit
(let [f (fn [] (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x)))] (= (f) (f)))
;; ends in limit or value
(hash (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x)))
;; ends in limit
(flatten (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x)))
;; ends in limit
(json/generate-string (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x)))
;; ends in limit
(str (loop [i 0 x {}] (if (< i 60) (recur (inc i) {:a x :b x}) x)))
;; ends in limit
(walk/postwalk identity (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x)))
;; ends in limit
(let [f (fn [] (loop [i 0 x #{1}] (if (< i 60) (recur (inc i) #{x [x]}) x)))] (= (f) (f)))
;; ends in limit
(let [f (fn [] (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x)))] (compare (f) (f)))
;; ends in limit or value
(get {(loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x)) 1} (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x)))
;; ends in limit or value
(def kept-shared (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x))) nil
;; ends in thrown or limit
(throw (ex-info "shared" {:x (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x))}))
;; ends in limit or value
(count (tree-seq vector? seq (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x))))
;; ends in limit or value
(describe (loop [i 0 x [1]] (if (< i 60) (recur (inc i) [x x]) x)))
