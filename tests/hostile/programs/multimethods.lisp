;; ends in limit/fuel
(do (defmulti f identity) (dotimes [i 3000] (defmethod f [:k i] [_] i)) (defmethod f :default [_] 0) (loop [] (f [:k -1]) (recur)))
;; ends in limit/fuel
(loop [i 0] (derive (keyword "a" (str i)) (keyword "a" (str (inc i)))) (recur (inc i)))
;; ends in limit/fuel
(loop [i 0] (derive (keyword "a" (str "x" i)) :a/root) (underive :a/none :a/root) (underive :a/x0 :a/root) (derive :a/x0 :a/root) (recur (inc i)))
;; ends in limit/fuel
(do (dotimes [i 28] (doseq [side ["l" "r"] up ["l" "r"]] (derive (keyword side (str "n" i)) (keyword up (str "n" (inc i)))))) (defmulti f identity) (prefer-method f :x/x :y/y) (prefer-method f :l/n0 :z/z) (loop [] (prefer-method f :z/q :l/n0) (recur)))
;; ends in limit/depth
(do (defmulti f (fn [x] (f x))) (f 1))
;; ends in limit/depth
(do (defmulti f (fn [x] :k)) (defmethod f :k [x] (inc (f x))) (f 1))
;; ends in limit/depth
(do (defmulti f (fn [x] :k)) (defmethod f :k [x] (first (map f [x]))) (f 1))
;; ends in limit/fuel
(let [deep (fn [x] (loop [i 0 v x] (if (< i 900) (recur (inc i) [v]) v))) a (deep :a) b (deep :b)] (loop [] (if (isa? a b) 1 (recur))))
;; ends in limit/fuel
(let [w (reduce (fn [v _] [v v]) 1 (range 60)) u (reduce (fn [v _] [v v]) 2 (range 60))] (isa? w u))
;; ends in limit
(do (defmulti f (fn [x] (range))) (defmethod f (range) [x] 1) (f 1))
;; ends in limit
(do (defmulti f identity) (loop [i 0] (defmethod f (vec (range i (+ i 2000))) [_] 1) (recur (inc i))))
;; ends in limit
(do (defmulti f identity) (loop [i 0] (get-method f (range 100000)) (recur (inc i))))
;; ends in limit/fuel
(loop [] (ancestors Long) (parents (class {})) (isa? (class []) java.util.List) (recur))
