;; ends in limit
(let [s (apply str (repeat 1000000 "é"))] (loop [i 0] (.getBytes s "UTF-16") (recur (inc i))))
;; ends in limit
(let [s (reduce (fn [a _] (str a a)) "abcdé" (range 20))] (loop [] (.getBytes s) (recur)))
;; ends in limit
(let [b (byte-array 1000000 (byte -1))] (loop [] (String. b "UTF-8") (recur)))
;; ends in limit
(let [b (byte-array 1000001 (byte -1))] (loop [] (String. b "UTF-16") (recur)))
;; ends in limit
(let [sb (StringBuilder. (apply str (repeat 1000000 "ab")))] (loop [] (.setCharAt sb 999999 \x) (recur)))
;; ends in limit
(let [sb (StringBuilder. (apply str (repeat 1000000 "ab")))] (loop [] (.insert sb 5 "q") (recur)))
;; ends in limit
(let [sb (StringBuilder. (apply str (repeat 1000000 "ab")))] (loop [] (.reverse sb) (recur)))
;; ends in limit
(let [sb (StringBuilder. (apply str (repeat 1000000 "ab")))] (loop [] (.deleteCharAt sb 3) (recur)))
;; ends in limit
(let [sb (StringBuilder. (apply str (repeat 1000000 "ab")))] (loop [] (.replace sb 3 4 "zz") (recur)))
;; ends in limit
(let [sb (StringBuilder. (apply str (repeat 1000000 "é")))] (loop [] (.charAt sb 900000) (recur)))
;; ends in limit
(let [sb (StringBuilder.)] (loop [] (.append sb sb) (.append sb "x") (recur)))
;; ends in limit
(let [sb (StringBuilder. "a")] (loop [] (.insert sb 0 (str sb)) (recur)))
;; ends in limit
(let [sb (StringBuilder. (apply str (repeat 1000000 "ab")))] (loop [] (.indexOf sb "zz") (recur)))
;; ends in limit
(let [sb (StringBuilder.)] (.setLength sb 1000000000))
;; ends in limit
(let [sb (StringBuilder.)] (loop [] (.append sb "a") (.setLength sb 0) (recur)))
;; ends in limit
(let [sb (StringBuilder. (apply str (repeat 1000000 "ab")))] (loop [i 0] (.append sb "x") (.charAt sb 7) (recur (inc i))))
;; ends in limit
(let [sb (StringBuilder. (apply str (repeat 1000000 "ab")))] (loop [i 0] (.append sb "x") (.length sb) (recur (inc i))))
;; ends in value
(let [l (java.util.ArrayList. (range 10)) it (.iterator l)] (loop [] (.add l 1) (.next it) (recur)))
;; ends in limit
(let [l (java.util.LinkedList. (range 100000))] (loop [] (.remove l (int 50000)) (.add l 1) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (.add l 0 1) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (.contains l -1) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (.iterator l) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (java.util.Collections/reverse l) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (java.util.Collections/sort l) (recur)))
;; ends in limit
(let [q (java.util.PriorityQueue. 11 (fn [a b] (loop [] (recur))))] (.add q 1) (.add q 2))
;; ends in limit
(let [q (java.util.PriorityQueue. 11 (fn [a b] (throw (Exception. "x"))))] (loop [] (try (.add q 1) (catch Exception e nil)) (recur)))
;; ends in limit
(let [q (java.util.PriorityQueue. 11 (fn [a b] -1))] (loop [] (.add q 1) (.poll q) (.add q 2) (recur)))
;; ends in limit
(let [q (atom nil)] (reset! q (java.util.PriorityQueue. 11 (fn [a b] (.add @q 1) 0))) (.add @q 1) (.add @q 2))
;; ends in limit
(let [m (java.util.TreeMap. (fn [a b] (rand-nth [-1 0 1])))] (loop [i 0] (.put m i i) (recur (inc i))))
;; ends in limit
(let [m (java.util.TreeMap. (fn [a b] 1))] (loop [i 0] (.put m i i) (recur (inc i))))
;; ends in limit
(let [m (atom nil)] (reset! m (java.util.TreeMap. (fn [a b] (.put @m 1 1) 0))) (.put @m 1 1) (.put @m 2 2))
;; ends in limit
(let [m (java.util.HashMap.)] (loop [i 0] (.put m i i) (recur (inc i))))
;; ends in limit
(let [m (java.util.HashMap. (zipmap (range 100000) (range)))] (loop [] (.keySet m) (.values m) (.entrySet m) (recur)))
;; ends in limit
(let [m (java.util.HashMap. (zipmap (range 100000) (range)))] (loop [] (.containsValue m -1) (recur)))
;; ends in limit
(apply vector-of :int (range 100000000))
;; ends in limit
(let [v (into (vector-of :byte) (repeat 1000000 1))] (loop [] (into v v) (recur)))
;; ends in limit
(let [v (into (vector-of :long) (range 1000000))] (loop [] (assoc v 5 5) (conj v 5) (recur)))
;; ends in limit
(do (deftype N [^:unsynchronized-mutable x] clojure.lang.IFn (invoke [t y] (set! x y) t) clojure.lang.IDeref (deref [_] x)) (let [n (N. 1)] (n n) (loop [p n] (recur @p))))
;; ends in limit
(do (deftype N [^:unsynchronized-mutable x] clojure.lang.IFn (invoke [t y] (set! x y) t)) (let [n (N. 1)] (n [n]) (loop [] (pr-str n) (recur))))
;; ends in limit
(do (deftype N [^:unsynchronized-mutable x] clojure.lang.IFn (invoke [t y] (set! x y) t)) (loop [n (N. 1)] (recur (N. n))))
;; ends in limit
(do (deftype N [^:unsynchronized-mutable x] clojure.lang.IFn (invoke [t y] (set! x [x x]) t)) (let [n (N. 1)] (loop [] (n 1) (recur))))
;; ends in limit
(let [l (java.util.ArrayList.)] (.add l l) (loop [] (try (hash l) (catch Exception e)) (try (str l) (catch Exception e)) (try (= l l) (catch Exception e)) (recur)))
;; ends in limit
(let [a (java.util.ArrayList.) b (java.util.ArrayList.)] (.add a b) (.add b a) (loop [] (= a b) (recur)))
;; ends in limit
(let [l (java.util.ArrayList.)] (loop [x l i 0] (let [n (java.util.ArrayList.)] (.add x n) (recur n (inc i)))))
;; ends in limit
(let [m {1 2}] (loop [] (let [[a b & c] (zipmap (range 10000) (range))] (recur))))
;; ends in limit
(let [m (zipmap (range 100000) (range))] (loop [] (let [[a b c d e f g h & i] m] (recur))))
;; ends in limit
(let [m (set (range 100000))] (loop [] (let [[a & i] m] (recur))))
;; ends in limit
(do (def ^:dynamic *x* 1) (let [f (fn f [] (with-bindings {#'*x* 1} (f)))] (f)))
;; ends in limit
(let [cs (java.util.ArrayDeque. (range 100000))] (loop [] (.addFirst cs (.pollLast cs)) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (.subList l 5 99999) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000))] (loop [] (.toArray l) (recur)))
;; ends in limit
(let [l (java.util.ArrayList. (range 100000)) it (.iterator l)] (loop [] (.remove l (int 0)) (.add l 1) (try (.next it) (catch Exception e)) (recur)))
;; ends in limit
(let [ts (java.util.TreeSet. (range 100000))] (loop [] (.floor ts 5) (.higher ts 99999) (recur)))
;; ends in limit
(let [s (apply str (repeat 100000 "é"))] (loop [i 0] (.codePointAt s 99999) (recur (inc i))))
;; ends in limit
(let [s (apply str (repeat 100000 "é"))] (loop [i 0] (.toCharArray s) (recur (inc i))))
