;; ends in limit/depth
(defn f [n] (inc (f (inc n)))) (f 0)
;; ends in limit/depth
(declare g) (defn f [n] (inc (g n))) (defn g [n] (dec (f n))) (f 0)
;; ends in limit/depth
(defn f [n] (first (map f [n]))) (f 0)
;; ends in limit/depth
(defn f [n] (sort-by f [2 1])) (f 0)
;; ends in limit/depth
(def a (atom 0)) (defn f [n] (swap! a f)) (f 0)
;; ends in limit
((reduce comp (repeat 100000 inc)) 0)
;; ends in limit/depth
((fn [f] (f f)) (fn [f] (inc (f f))))
;; ends in limit/depth
(defn f [x] (apply f [x])) (f 0)
;; ends in limit/depth
(defn f [m] (update m :a f)) (f {:a {:a 1}})
;; ends in limit/depth
(defn f [x] (str/replace "a" #"a" f)) (f "a")
;; ends in limit/depth
(defn f [x] (reduce (fn [a b] (f b)) [1 2])) (f 1)
;; ends in limit/depth
(def m (atom nil)) (reset! m (memoize (fn [n] (inc (@m (inc n)))))) (@m 0)
;; ends in limit/depth
(defn f [] (try (f) (finally (f)))) (f)
;; ends in limit/depth
(defn f [x] (walk/postwalk f [x])) (f 1)
;; ends in limit/depth
(letfn [(f [n] (inc (g n))) (g [n] (inc (f n)))] (f 0))
;; ends in limit/depth
(defn f [] (with-out-str (f))) (f)
;; ends in limit/depth
(defn f [] @(delay (f))) (f)
;; ends in limit/depth
(defn f [x] (transduce (map f) + [x])) (f 1)
;; ends in limit/depth
(defn f [x] (group-by f [x])) (f 1)
