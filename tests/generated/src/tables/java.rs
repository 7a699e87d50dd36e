//! What programs call of Java: collections that change in place, their iterators, text builders, big integers, digests and readers of text.

pub(crate) const INT: &[&str] = &[
    "(let [l (java.util.ArrayList. {V})] (.add l {I}) (.size l))",
    "(let [l (java.util.ArrayList. (into [5] {V}))] (.set l 0 {I}) (long (.get l 0)))",
    "(let [l (java.util.LinkedList. {V})] (.addFirst l {I}) (long (.removeFirst l)))",
    "(let [m (java.util.HashMap. {M})] (.put m :q {I}) (long (.get m :q)))",
    "(let [m (java.util.HashMap. {U})] (.remove m {k}) (.size m))",
    "(long (.getOrDefault (java.util.HashMap. {U}) {k} {I}))",
    "(let [m (java.util.TreeMap. {U})] (.put m {I} 1) (long (.firstKey m)))",
    "(let [q (java.util.PriorityQueue. (into [{I}] {V}))] (long (.poll q)))",
    "(let [q (java.util.PriorityQueue. 11 (comparator >))] (.addAll q (conj {V} {I})) (long (.peek q)))",
    "(let [d (java.util.ArrayDeque. (conj {V} 1))] (.push d {I}) (.addLast d 7) (+ (long (.pop d)) (.size d)))",
    "(let [i (.iterator (java.util.ArrayList. {V}))] (loop [t 0] (if (.hasNext i) (recur (+ (* 2 (rem t 1000)) (long (.next i)))) t)))",
    "(let [b (StringBuilder. (str {T}))] (dotimes [i {k}] (.append b i)) (.length b))",
    "(.signum (biginteger {I}))",
    "(.intValue (.mod (biginteger {I}) (biginteger {p})))",
    "(.intValue (.modPow (biginteger {p}) (biginteger {k}) (biginteger 97)))",
    "(.bitLength (biginteger {I}))",
    "(Long/bitCount (+ 0 {I}))",
    "(Math/floorMod (+ 0 {I}) {p})",
    "(.nextInt (java.util.Random. (+ 0 {I})) 100)",
    "(.getMonthValue (java.time.LocalDate/parse (str \"2024-0\" {p} \"-01\")))",
    "(let [n (clojure.edn/read-string (pr-str {I}))] (+ n 0))",
];

pub(crate) const BOOL: &[&str] = &[
    "(= (java.util.ArrayList. {V}) {V})",
    "(.contains (java.util.HashSet. {V}) {I})",
    "(.containsKey (java.util.HashMap. {U}) {k})",
    "(.isEmpty (java.util.ArrayDeque. {V}))",
    "(.equals (biginteger {p}) (biginteger {k}))",
    "(instance? java.util.List {V})",
    "(instance? Comparable {I})",
    "(= (class {T}) String)",
    "(= {M} (clojure.edn/read-string (pr-str {M})))",
    "(.add (java.util.HashSet. {V}) {I})",
];

pub(crate) const TEXT: &[&str] = &[
    "(str (.reverse (StringBuilder. (str {T}))))",
    "(str (.append (.append (StringBuilder.) {I}) {T}))",
    "(let [b (StringBuilder. (str \"abc\" {T}))] (.setCharAt b 1 \\z) (.deleteCharAt b 0) (.insert b 1 \"--\") (str b))",
    "(.toString (biginteger {I}) 16)",
    "(str (.pow (biginteger {p}) {k}))",
    "(Long/toHexString (+ 0 {I}))",
    "(String. (.decode (java.util.Base64/getDecoder) (.encodeToString (java.util.Base64/getEncoder) (.getBytes (str {T})))))",
    "(let [w (java.io.StringWriter.)] (binding [*out* w] (print {I} {T})) (str w))",
    "(with-out-str (prn {V}))",
    "(str (java.util.ArrayList. {V}))",
];

pub(crate) const VEC: &[&str] = &[
    "(let [l (java.util.ArrayList. {V})] (java.util.Collections/sort l) (vec l))",
    "(let [l (java.util.ArrayList. {V})] (java.util.Collections/reverse l) (.add l {I}) (into [] l))",
    "(vec (.keySet (java.util.TreeMap. {U})))",
    "(let [l (java.util.LinkedList. (conj {V} 3))] (.removeLast l) (mapv identity l))",
    "(let [q (java.util.PriorityQueue. (conj {V} 1))] (loop [u []] (if (.isEmpty q) u (recur (conj u (.poll q))))))",
    "(let [v (vector-of :long)] (into [] (into v {V})))",
    "(vec (long-array {V}))",
    "(let [[x & more] (java.util.ArrayList. (conj {V} 2))] (into [x] more))",
];
