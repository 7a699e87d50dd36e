//! Definitions with the calls that they make possible: macros, dynamic vars, functions with conditions and of several arities.
//!
//! `@@` is the name. Every definition of a kit fits its calls, so one may take the place of another in a later turn.

use crate::templates::Type;

/// Definitions of one kind, and calls of what they define.
pub(crate) struct Kit {
    /// What the name begins with and ends in.
    pub(crate) name: (&'static str, &'static str),
    pub(crate) definitions: &'static [&'static str],
    pub(crate) calls: &'static [(Type, &'static str)],
}

use Type::{Any, Bool, Fn1, Int, Map, Maybe, Row, Rows, Seq, Text, Vec};

const MACRO: (&str, &str) = ("mac", "");

pub(crate) const KITS: &[Kit] = &[
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [c x & body] `(if ~c ~x (do ~@body)))",
            "(defmacro @@ [c x & body] `(let [c# ~c] (cond c# ~x :else (do ~@body))))",
            "(defmacro @@ [c x & body] (list 'if c x (cons 'do body)))",
            "(defmacro @@ \"Chooses.\" [c x & body] `(if-not ~c (let [] ~@body) ~x))",
        ],
        calls: &[
            (Int, "(@@ {B} {I} {I})"),
            (Vec, "(@@ {B} {V} {V})"),
            (Any, "(@@ {Y} {Y} {Y})"),
            (Int, "(loop [i 0 t {I}] (@@ (>= i {k}) t (recur (inc i) (+ t i))))"),
            (Vec, "(loop [i 0 u {V}] (@@ (>= i {k}) u (recur (inc i) (conj u i))))"),
            (Int, "~(@@ {B} {I} (swap! {A} inc) {I})"),
            (Rows, "(filterv (fn [r] (@@ (= (:k r) {K!}) true (> (:a r) {k}))) {J})"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [x] `(let [v# ~x] (+ v# v#)))",
            "(defmacro @@ [x] `(+ ~x ~x {k}))",
            "(defmacro @@ [x] (let [g (gensym \"g\")] `(let [~g ~x] (* 2 ~g))))",
            "(defmacro @@ [x] `(let [x# ~x y# (+ x# {k})] (if (< x# y#) y# x#)))",
            "(defmacro @@ [x] `((fn [q#] (- q# {k})) ~x))",
        ],
        calls: &[
            (Int, "(@@ {I})"),
            (Int, "(-> {I} @@ (+ {I}))"),
            (Int, "(reduce (fn [t q] (+ t (@@ q))) {I} {V})"),
            (Int, "~(@@ (swap! {A} inc))"),
            (Int, "(loop [i 0 t {I}] (if (< i {k}) (recur (inc i) (- (@@ i) (rem t 99))) t))"),
            (Int, "(let [v {I} x (@@ v)] (@@ x))"),
            (Vec, "(mapv (fn [q] (@@ q)) {V})"),
            (Seq, "(map (fn [q] (@@ (rem q 50))) {S})"),
            (Fn1, "(fn [q] (@@ (rem q 50)))"),
            (Rows, "(mapv (fn [r] (assoc r :a (@@ (:a r)))) {J})"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [& xs] (reduce (fn [a b] `(+ ~a ~b)) {k} xs))",
            "(defmacro @@ ([] {k}) ([x & more] `(+ ~x (@@ ~@more))))",
            "(defmacro @@ [& xs] `(reduce + {k} [~@xs]))",
            "(defmacro @@ [& xs] `(+ {k} ~@(map (fn [x] `(inc ~x)) xs)))",
            "(defmacro @@ [& [x & more]] (if more `(max ~x (@@ ~@more)) (or x {k})))",
        ],
        calls: &[
            (Int, "(@@)"),
            (Int, "(@@ {I})"),
            (Int, "(@@ {I} {I} {I})"),
            (Int, "(-> {I} (@@ 2 {I}))"),
            (Int, "(@@ (@@ {I} 1) (@@))"),
            (Vec, "(mapv (fn [q r] (@@ q r {k})) {V} {V})"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ ([] true) ([x] x) ([x & more] `(let [t# ~x] (if t# (@@ ~@more) t#))))",
            "(defmacro @@ [& xs] `(and ~@(reverse xs)))",
            "(defmacro @@ [& xs] (if (seq xs) `(if ~(first xs) true (@@ ~@(rest xs))) false))",
        ],
        calls: &[(Bool, "(@@ {B} {B} {B})"), (Bool, "(@@ {B})"), (Bool, "(@@)"), (Bool, "(@@ {B} (@@ {B} {B}))")],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [[n v] & body] `(let [~n ~v] ~@body))",
            "(defmacro @@ [[n v] & body] `((fn [~n] ~@body) ~v))",
            "(defmacro @@ [b & body] `(let [~(first b) ~(second b) x# 1] ~@body))",
            "(defmacro @@ [[n v] & body] `(loop [~n ~v] ~@body))",
            "(defmacro @@ [[n v] & body] `(first (for [~n [~v]] (do ~@body))))",
        ],
        calls: &[
            (Int, "(@@ [q {I}] (+ q {I!}))"),
            (Int, "(@@ [q {I}] (@@ [r {I!}] (- q r)))"),
            (Vec, "(@@ [u {V}] (conj u (count u)))"),
            (Int, "(@@ [[q r] {V}] (+ (or q 0) (or r 0)))"),
            (Any, "(@@ [q {Y}] [q q])"),
            (Map, "(@@ [{:keys [a] :as m} {M}] (assoc m :b (or a 1)))"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [c t e] `(let [~'it ~c] (if ~'it ~t ~e)))",
            "(defmacro @@ [c t e] `(if-some [~'it ~c] ~t ~e))",
            "(defmacro @@ [c t e] (let [it 'it] `(let [~it ~c] (cond (nil? ~it) ~e :else ~t))))",
        ],
        calls: &[
            (Int, "(@@ {N} (+ it {I}) {I})"),
            (Vec, "(@@ (seq {V}) (vec it) [{I}])"),
            (Int, "(@@ {N} (@@ {N} (+ it 1) it) {I})"),
            (Maybe, "(@@ (first {S}) it nil)"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [x & fs] (reduce (fn [a f] (if (seq? f) `(~(first f) ~a ~@(rest f)) (list f a))) x fs))",
            "(defmacro @@ [x & fs] (if (seq fs) (let [[f & more] fs] `(@@ ~(if (seq? f) `(~(first f) ~x ~@(rest f)) `(~f ~x)) ~@more)) x))",
            "(defmacro @@ [x & fs] `(-> ~x ~@fs))",
        ],
        calls: &[
            (Int, "(@@ {I} inc (+ {I}) (- 2))"),
            (Vec, "(@@ {V} (conj {I}) (conj 1))"),
            (Row, "(@@ {R} (assoc :a {I}) (update :a inc))"),
            (Map, "(@@ {M} (assoc {a} {I}) (merge {M}))"),
            (Text, "(@@ {I} str (str {K}))"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [n k] `(defn ~n [x#] (+ x# ~k))) (@@ add-@@ {k})",
            "(defmacro @@ [n k] `(def ~n (fn [x#] (- x# ~k)))) (@@ add-@@ {k})",
            "(defmacro @@ [n k] `(do (defn ~n [& xs#] (apply + ~k xs#)) nil)) (@@ add-@@ {p})",
            "(defmacro @@ [n & body] `(defn ~n ~'[x] (let [~'y ~'x] ~@body))) (@@ add-@@ (+ x y {k}))",
        ],
        calls: &[
            (Int, "(add-@@ {I})"),
            (Vec, "(mapv add-@@ {V})"),
            (Int, "(reduce + (map add-@@ {S}))"),
            (Fn1, "add-@@"),
            (Fn1, "(comp add-@@ inc)"),
            (Rows, "(mapv (fn [r] (update r :a add-@@)) {J})"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [n op] `(defmacro ~n [& args#] `(~'~op ~@args#))) (@@ op-@@ +)",
            "(defmacro @@ [n op] `(defmacro ~n [x# y# & more#] (list '~op y# x# {k}))) (@@ op-@@ -)",
            "(defmacro @@ [n op] (list 'defmacro n '[& args] (list 'cons (list 'quote op) 'args))) (@@ op-@@ max)",
        ],
        calls: &[(Int, "(op-@@ {I} {I})"), (Int, "(op-@@ {I} {I} {I})"), (Int, "(op-@@ (op-@@ {I} 1) {I})")],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [x n] `[~x ~@(range n)])",
            "(defmacro @@ [x n] (into [x] (range n)))",
            "(defmacro @@ [x n] `(vector ~x ~@(map (fn [i] `(+ ~i {k})) (range n))))",
            "(defmacro @@ [x n] `(conj [~@(repeat n 1)] ~x))",
        ],
        calls: &[
            (Vec, "(@@ {I} {k})"),
            (Vec, "(@@ (count (@@ {I} {p})) {k})"),
            (Vec, "(loop [i 0 u {V}] (if (< i 3) (recur (inc i) (into u (@@ i 2))) u))"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [x & {:keys [y] :or {y 1}}] `(array-map :a ~x :b ~y))",
            "(defmacro @@ [x & {y :y}] `(merge {:a ~x} {:b ~(or y 1)}))",
            "(defmacro @@ [x & [_ y]] (if y `(assoc {:b ~y} :a ~x) {:a x}))",
        ],
        calls: &[(Map, "(@@ {I})"), (Map, "(@@ {I} :y {I})"), (Map, "(merge (@@ {I} :y 1) {M})")],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [[i n] [acc init] step] `(loop [~i 0 ~acc ~init] (if (< ~i ~n) (recur (inc ~i) ~step) ~acc)))",
            "(defmacro @@ [[i n] [acc init] step] `(reduce (fn [~acc ~i] ~step) ~init (range ~n)))",
            "(defmacro @@ [[i n] [acc init] step] `((fn go# [~i ~acc] (if (< ~i ~n) (go# (inc ~i) ~step) ~acc)) 0 ~init))",
        ],
        calls: &[
            (Int, "(@@ [i {k}] [t {I}] (+ t i))"),
            (Vec, "(@@ [i {p}] [u {V}] (conj u i))"),
            (Vec, "(@@ [i 3] [u {V}] (@@ [j i] [w u] (conj w j)))"),
            (Map, "(@@ [i {p}] [m {M}] (update m :a (fnil + 0) i))"),
            (Int, "~(@@ [i {k}] [t {I}] (+ t (swap! {A} inc)))"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [k a b] (case k :plus `(+ ~a ~b) :minus `(- ~a ~b) `(max ~a ~b)))",
            "(defmacro @@ [k a b] (let [f ({:plus '+ :minus 'min} k 'max)] `(~f ~a ~b)))",
            "(defmacro @@ [k a b] `(condp = ~k :plus (+ ~a ~b) :minus (- ~b ~a) ~a))",
        ],
        calls: &[(Int, "(@@ :plus {I} {I})"), (Int, "(@@ :minus {I} {I})"), (Int, "(@@ :other (@@ :plus {I} 1) {I})")],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [n] (reduce * 1 (range 1 (inc n))))",
            "(defmacro @@ [n] (loop [i 0 t {k}] (if (< i n) (recur (inc i) (+ t i)) t)))",
            "(defn help-@@ [n] (if (pos? n) `(+ ~n ~(help-@@ (dec n))) 0)) (defmacro @@ [n] (help-@@ n))",
            "(defmacro @@ [n] (if (zero? n) 1 `(* 2 (@@ ~(dec n)))))",
        ],
        calls: &[
            (Int, "(@@ {k})"),
            (Int, "(+ (@@ 3) {I})"),
            (Int, "(loop [i 0 t 0] (if (< i (@@ 2)) (recur (inc i) (+ t i)) t))"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [x d] `(try ~x (catch Exception e# ~d)))",
            "(defmacro @@ [x d] `(try (do ~x) (catch ArithmeticException ~'e ~d) (catch Exception e# ~d) (finally nil)))",
            "(defmacro @@ [x d] `(let [d# (fn [] ~d)] (try ~x (catch Throwable _# (d#)))))",
        ],
        calls: &[
            (Int, "~(@@ (quot {I} {I}) {I})"),
            (Vec, "~(@@ (subvec {V} {k}) {V})"),
            (Any, "~(@@ (nth {V} {k}) {Y})"),
            (Int, "~(loop [i 0 t {I}] (if (< i 4) (recur (inc i) (+ t (@@ (quot 10 (- i 2)) {k}))) t))"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [a & body] `(do (swap! ~a inc) ~@body))",
            "(defmacro @@ [a & body] `(let [a# ~a r# (do ~@body)] (swap! a# + 2) r#))",
            "(defmacro @@ [a & body] `(try ~@body (finally (swap! ~a dec))))",
        ],
        calls: &[
            (Int, "~(@@ {A} {I})"),
            (Vec, "~(@@ {A} (swap! {L} conj {I}) {V})"),
            (Int, "~(let [u (atom {I})] (dotimes [i 3] (@@ u i)) @u)"),
        ],
    },
    Kit {
        name: MACRO,
        definitions: &[
            "(defmacro @@ [n & kvs] `(do (defmulti ~n identity) ~@(map (fn [[k v]] `(defmethod ~n ~k [x#] ~v)) (partition 2 kvs)) (defmethod ~n :default [x#] {k}))) (@@ on-@@ :a 1 :b {k})",
            "(defmacro @@ [n & kvs] `(defn ~n [x#] (case x# ~@kvs {k}))) (@@ on-@@ :a {k} :c 3)",
            "(defmacro @@ [n & kvs] `(def ~n (let [m# ~(apply hash-map kvs)] (fn [k#] (get m# k# {k}))))) (@@ on-@@ :a {k} :b (+ 1 {k}))",
        ],
        calls: &[(Int, "(on-@@ {K})"), (Vec, "(mapv on-@@ [{K} {K}])"), (Int, "(reduce + (map (comp on-@@ :k) {J}))")],
    },
    Kit {
        name: ("*level", "*"),
        definitions: &["(def ^:dynamic @@ {I})", "(def ^:dynamic @@ \"How deep.\" (+ {k} {I}))"],
        calls: &[
            (Int, "~@@"),
            (Int, "~(binding [@@ {I}] (+ @@ {I}))"),
            (Int, "~(binding [@@ {I}] (set! @@ (inc @@)) (* 2 (rem @@ 99)))"),
            (Int, "~(let [f (fn [] @@)] (+ (f) (binding [@@ {I}] (f))))"),
            (
                Int,
                "~(try (binding [@@ {I}] (throw (ex-info \"x\" {:v @@}))) (catch Exception e (- (:v (ex-data e)) @@)))",
            ),
            (Int, "~(with-redefs [@@ {I}] (+ @@ (binding [@@ 1] @@)))"),
            (
                Int,
                "~(binding [@@ {I}] (loop [i 0 t 0] (if (< i 3) (recur (inc i) (+ t (binding [@@ i] @@))) (+ t @@))))",
            ),
            (Vec, "~(binding [@@ {I}] (mapv (fn [q] (+ q @@)) {V}))"),
            (Vec, "~(let [s (binding [@@ {I}] (map (fn [q] (+ q @@)) (iterate inc {k})))] (vec (take 3 s)))"),
            (Vec, "~(binding [@@ {I}] {V})"),
            (Seq, "~(binding [@@ {I}] (doall (map (fn [q] (- q @@)) {S})))"),
            (Any, "~(binding [@@ {I}] {Y})"),
            (Rows, "~(binding [@@ {I}] (mapv (fn [r] (assoc r :t @@)) {J}))"),
        ],
    },
    Kit {
        name: ("checked", ""),
        definitions: &[
            "(defn @@ [x y] {:pre [(pos? y)] :post [(number? %)]} (+ x (quot 100 y)))",
            "(defn @@ ([x] (@@ x 1)) ([x y] {:pre [(not= y {k}) (int? x)]} (- x y)))",
            "(defn @@ [x y] {:post [(< % 50)]} (loop [i 0 t x] (if (< i 3) (recur (inc i) (+ t y)) t)))",
        ],
        calls: &[
            (Int, "~(@@ {I} {I})"),
            (Int, "~(@@ {I} {p})"),
            (Int, "~(try (@@ {I} {I}) (catch AssertionError e {I}))"),
            (Vec, "~(mapv (fn [q] (@@ q {p})) {V})"),
        ],
    },
    Kit {
        name: ("many", ""),
        definitions: &[
            "(defn @@ ([] {k}) ([x] (+ x {k})) ([x y & more] (reduce - (+ x y) more)))",
            "(defn @@ [& xs] (if-let [[x & more] (seq xs)] (+ x (* 2 (count more))) {k}))",
            "(defn @@ ([] 0) ([x] x) ([x y] (max x y)) ([x y z & more] (apply @@ (@@ x y) z more)))",
            "(def @@ (fn [& xs] (reduce + {k} xs)))",
        ],
        calls: &[
            (Int, "(@@)"),
            (Int, "(@@ {I})"),
            (Int, "(@@ {I} {I} {I})"),
            (Int, "(apply @@ {V})"),
            (Int, "(apply @@ {I} {I} {S})"),
            (Int, "(reduce @@ {I} {V})"),
            (Int, "((partial @@ {I}) {I})"),
            (Vec, "(mapv @@ {V} {V} {V})"),
        ],
    },
    Kit {
        name: ("seq-of", ""),
        definitions: &[
            "(defn @@ [n] (lazy-seq (cons n (@@ (+ n {p})))))",
            "(defn @@ [n] (iterate (fn [q] (+ q {p})) n))",
            "(defn @@ [n] (map (fn [q] (+ n q)) (range)))",
            "(defn @@ [n] (concat [n] (lazy-seq (@@ (inc n)))))",
        ],
        calls: &[
            (Seq, "(take {k} (@@ {I}))"),
            (Int, "(first (@@ {I}))"),
            (Int, "(reduce + (take {p} (@@ {I})))"),
            (Int, "(nth (@@ {I}) {k})"),
            (Seq, "(map + (@@ {I}) {V})"),
            (Vec, "(vec (take-while (fn [q] (< q 30)) (@@ (abs {I}))))"),
            (Seq, "(take {k} (filter even? (map (fn [q] (* 3 q)) (@@ {I}))))"),
            (Seq, "(take {p} (mapcat (fn [q] [q q]) (@@ {I})))"),
        ],
    },
    Kit {
        name: ("bounce", ""),
        definitions: &[
            "(declare back-@@) (defn @@ [n t] (if (pos? n) (fn [] (back-@@ (dec n) (+ t n))) t)) (defn back-@@ [n t] (if (pos? n) (fn [] (@@ (dec n) (- t 1))) (- t)))",
            "(declare back-@@) (defn @@ [n t] (if (pos? n) (back-@@ (dec n) (+ t {k})) t)) (defn back-@@ [n t] (if (pos? n) (@@ (dec n) (* 2 t)) t))",
        ],
        calls: &[
            (Int, "(trampoline @@ {k} {I})"),
            (Int, "(trampoline back-@@ {k} {I})"),
            (Int, "(trampoline (fn [] (@@ 3 {I})))"),
        ],
    },
];
