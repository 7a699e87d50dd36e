;; ends in limit
(long-array 1000000000)
;; ends in limit
(make-array Long/TYPE 10000 10000 10000)
;; ends in limit or value
(apply make-array Long/TYPE (repeat 200 1))
;; ends in limit
(dotimes [i 100000000] (long-array 1000))
;; ends in limit/depth
(def a (object-array 1)) (loop [v 1] (aset a 0 v) (recur [v]))
;; ends in value
(def a (object-array 1)) (aset a 0 a) (count (pr-str a))
;; ends in limit/depth or limit/memory
(def a (object-array 1)) (aset a 0 a) (java.util.Arrays/deepToString a)
;; ends in limit
(def a (object-array 2)) (aset a 0 a) (aset a 1 a) (java.util.Arrays/deepToString a)
;; ends in value
(def a (long-array 1000)) (dotimes [i 1000] (aset a i i)) (reduce + a)
;; ends in limit
(def a (long-array 100000)) (loop [kept nil] (aset a 0 1) (recur (cons (vec a) kept)))
;; ends in limit or value
(def a (long-array 100000)) (dotimes [i 1000] (vec a) (aset a i i)) (count a)
;; ends in value or limit
(let [a (object-array [3 1 2])] (java.util.Arrays/sort a (fn [x y] (java.util.Arrays/fill a 0) (- x y))) (count (vec a)))
;; ends in limit
(let [a (object-array (range 100000))] (loop [] (sort > a) (recur)))
;; ends in index
(aget (long-array 3) 9223372036854775807)
;; ends in index
(System/arraycopy (long-array 3) 0 (long-array 3) 1 9223372036854775807)
;; ends in index or value
(java.util.Arrays/copyOfRange (long-array 3) 9223372036854775807 -1)
;; ends in limit
(java.util.Arrays/copyOf (long-array 3) 9223372036854775807)
;; ends in value
(let [a (object-array 1)] (aset a 0 (lazy-seq (cons (aget a 0) nil))) (count (vec a)))
;; ends in limit or value or type
(let [a (object-array 1)] (aset a 0 (lazy-seq (aget a 0))) (first (aget a 0)))
;; ends in limit
(let [a (object-array 10000)] (loop [i 0] (aset a (mod i 10000) (vec (repeat 1000 i))) (recur (inc i))))
;; ends in limit
(let [a (object-array [(range)])] (count (aget a 0)))
;; ends in value
(String. (byte-array [-1 -2 -3]))
;; ends in limit
(into-array (range))
;; ends in limit
(line-seq (java.io.StringReader. (apply str (repeat 100000000 "a\n"))))
;; ends in limit
(let [r (java.io.StringReader. (apply str (repeat 1000000 "a\n")))] (loop [all []] (recur (conj all (.readLine r)))))
;; ends in value
(with-in-str (apply str (repeat 100000 "a\n")) (count (line-seq *in*)))
;; ends in thrown
(with-in-str "a" (throw (ex-info "stop" {})))
;; ends in denied
(try (with-in-str "a" (throw (ex-info "stop" {}))) (catch Exception _ nil)) (read-line)
;; ends in limit/depth
(letfn [(f [n] (with-in-str "a" (f (inc n))))] (f 0))
;; ends in value
(let [a (object-array 2)] (aset a 0 a) (aset a 1 [a a]) (describe a))
;; ends in limit
(let [a (to-array-2d (repeat 1000 (range 1000)))] (loop [] (describe a) (recur)))
;; ends in limit
(loop [t "1"] (load-string t) (recur (str t " 1")))
;; ends in limit/depth
(def s "(load-string s)") (load-string s)
;; ends in limit
(struct-map (create-struct :a) (range) 1)
;; ends in limit
(do (def ^:dynamic *n* 0) (defn f [g] (binding [*n* g] (f (bound-fn* g)))) (f (fn [] 1)))
