;; ends in value
(let [l (java.util.ArrayList.)] (.add l l) (pr-str l))
;; ends in value
(let [l (java.util.ArrayList.)] (.add l l) l)
;; ends in limit/depth
(let [a (java.util.ArrayList.) b (java.util.ArrayList.)] (.add a a) (.add b b) (= a b))
;; ends in limit/depth
(let [a (java.util.ArrayList.)] (.add a a) (json/generate-string a))
;; ends in limit/depth
(let [a (java.util.ArrayList.) b (java.util.ArrayList.)] (.add a b) (.add b a) (str a))
;; ends in value
(let [a (java.util.ArrayList.)] (.add a a) (return a))
;; ends in value
(let [m (java.util.HashMap.)] (.put m :a [m]) {:m m})
;; ends in limit/depth
(def a (java.util.ArrayList.)) (loop [v 1] (.add a v) (recur [v]))
;; ends in value
(loop [a (java.util.ArrayList.) i 0] (if (< i 10000) (recur (java.util.ArrayList. [a]) (inc i)) (count (pr-str a))))
;; ends in limit
(loop [a (java.util.ArrayList. [1]) b (java.util.ArrayList. [1]) i 0] (if (< i 60) (recur (java.util.ArrayList. [a a]) (java.util.ArrayList. [b b]) (inc i)) (= a b)))
;; ends in limit
(loop [a (java.util.ArrayList. [1]) i 0] (if (< i 60) (recur (java.util.ArrayList. [a a]) (inc i)) a))
;; ends in limit
(loop [a (java.util.ArrayList. [1]) i 0] (if (< i 60) (recur (java.util.ArrayList. [a a]) (inc i)) (str a)))
;; ends in limit
(let [a (java.util.ArrayList.)] (dotimes [i 100000000] (.add a i)))
;; ends in limit
(let [a (java.util.ArrayDeque.)] (dotimes [i 100000000] (.addFirst a i) (.pollLast a)))
;; ends in limit
(let [q (java.util.PriorityQueue.)] (dotimes [i 100000000] (.add q (- i)) (when (> (.size q) 1000) (.poll q))))
;; ends in limit/depth
(def q (java.util.PriorityQueue. (fn [a b] (.add q 1) 0))) (.add q 1) (.add q 2) (.add q 3)
;; ends in limit
(let [m (java.util.TreeMap.)] (dotimes [i 100000000] (.put m (rem (* i 7919) 1000) i) (.firstKey m) (.lastKey m)))
;; ends in limit
(let [s (java.util.HashSet. (range 1000))] (dotimes [i 100000000] (.retainAll s (range 1000))))
;; ends in limit
(let [it (.iterator (iterate inc 0))] (loop [] (.next it) (recur)))
;; ends in limit
(dotimes [i 100000000] (java.util.ArrayList.))
;; ends in value
(let [m (java.util.TreeMap. (fn [a b] (throw (ex-info "no" {}))))] (try (.put m 1 1) (.put m 2 2) (catch Exception e (.size m))))
;; ends in limit
(let [m (java.util.HashMap.)] (loop [i 0] (.merge m i [i] into) (recur (inc i))))
;; ends in limit
(let [m (java.util.HashMap. {:a []})] (loop [] (.compute m :a (fn [k v] (conj v v))) (recur)))
;; ends in limit
(let [m (java.util.HashMap.)] (.computeIfAbsent m 0 (fn f [k] (.computeIfAbsent m (inc k) f))))
;; ends in value
(let [m (java.util.HashMap.)] (.computeIfAbsent m 0 (fn [k] (.put m 1 1) k)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (.removeIf l neg?) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. [1])] (.forEach l (fn f [x] (.forEach l f))))
;; ends in limit
(let [l (java.util.ArrayList. (range 1000))] (.replaceAll l (fn [x] (loop [] (recur)))))
;; ends in limit
(let [m (java.util.TreeMap. (zipmap (range 10000) (range)))] (loop [] (.headMap m 9999) (recur)))
;; ends in limit
(let [m (java.util.TreeMap. (zipmap (range 10000) (range)))] (loop [m m] (recur (.descendingMap m))))
;; ends in limit
(let [s (java.util.TreeSet. (range 1000))] (loop [] (.descendingIterator s) (recur)))
;; ends in limit or value
(java.util.Collections/nCopies 1000000000000 :a)
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (java.util.Collections/rotate l 1) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (java.util.Collections/fill l 1) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (.addAll l 0 [1]) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (java.util.Collections/disjoint l [:x]) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (java.util.Collections/max l) (recur)))
;; ends in limit
(loop [f compare] (recur (.reversed f)))
;; ends in limit
(let [f (reduce (fn [f _] (.reversed f)) compare (range 100000))] (f 1 2))
;; ends in limit
(let [c (reify java.util.Comparator (compare [_ a b] (loop [] (recur))))] (sort c [1 2]))
;; ends in value
(let [l (java.util.LinkedList. (range 100000)) it (.iterator l)] (.next it) (loop [] (.next it) (.remove it) (.add l 1) (recur)))
;; ends in limit
(let [l (java.util.LinkedList. (range 100000))] (loop [] (let [it (.iterator l)] (.next it) (.next it) (.remove it)) (.add l 1) (recur)))
;; ends in limit
(deftype T [a] clojure.lang.Counted (count [_] (loop [] (recur)))) (count (T. 1))
;; ends in limit
(deftype T [a] clojure.lang.Counted (count [t] (count t))) (count (T. 1))
;; ends in limit
(let [c (reify clojure.lang.Counted (count [_] 5))] (loop [] (count c) (recur)))
;; ends in type
(count (reify clojure.lang.Counted (count [_] 1e10)))
