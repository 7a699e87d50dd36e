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
;; ends in limit
(do (deftype N [^:unsynchronized-mutable x] clojure.lang.IFn (invoke [t y] (set! x y) t) clojure.lang.IDeref (deref [_] x)) (let [n (N. 1)] (n n) (loop [p n] (recur @p))))
;; ends in limit
(do (deftype N [^:unsynchronized-mutable x] clojure.lang.IFn (invoke [t y] (set! x y) t)) (let [n (N. 1)] (n [n]) (loop [] (pr-str n) (recur))))
;; ends in limit
(do (deftype N [^:unsynchronized-mutable x] clojure.lang.IFn (invoke [t y] (set! x y) t)) (loop [n (N. 1)] (recur (N. n))))
;; ends in limit
(do (deftype N [^:unsynchronized-mutable x] clojure.lang.IFn (invoke [t y] (set! x [x x]) t)) (let [n (N. 1)] (loop [] (n 1) (recur))))
;; ends in limit
(let [m {1 2}] (loop [] (let [[a b & c] (zipmap (range 10000) (range))] (recur))))
;; ends in limit
(let [m (zipmap (range 100000) (range))] (loop [] (let [[a b c d e f g h & i] m] (recur))))
;; ends in limit
(let [m (set (range 100000))] (loop [] (let [[a & i] m] (recur))))
;; ends in limit
(do (def ^:dynamic *x* 1) (let [f (fn f [] (with-bindings {#'*x* 1} (f)))] (f)))
;; ends in limit
(let [s (apply str (repeat 100000 "é"))] (loop [i 0] (.toCharArray s) (recur (inc i))))
