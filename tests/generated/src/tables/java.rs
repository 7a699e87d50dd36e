//! What programs call of Java: text builders, writers, statics of numbers, dates.

pub(crate) const INT: &[&str] = &[
    "(let [b (StringBuilder. (str {T}))] (dotimes [i {k}] (.append b i)) (.length b))",
    "(Long/bitCount (+ 0 {I}))",
    "(Math/floorMod (+ 0 {I}) {p})",
    "(.getMonthValue (java.time.LocalDate/parse (str \"2024-0\" {p} \"-01\")))",
    "(let [n (clojure.edn/read-string (pr-str {I}))] (+ n 0))",
];

pub(crate) const BOOL: &[&str] = &[
    "(instance? java.util.List {V})",
    "(instance? Comparable {I})",
    "(= (class {T}) String)",
    "(= {M} (clojure.edn/read-string (pr-str {M})))",
];

pub(crate) const TEXT: &[&str] = &[
    "(str (.reverse (StringBuilder. (str {T}))))",
    "(str (.append (.append (StringBuilder.) {I}) {T}))",
    "(let [b (StringBuilder. (str \"abc\" {T}))] (.setCharAt b 1 \\z) (.deleteCharAt b 0) (.insert b 1 \"--\") (str b))",
    "(Long/toHexString (+ 0 {I}))",
    "(let [w (java.io.StringWriter.)] (binding [*out* w] (print {I} {T})) (str w))",
    "(with-out-str (prn {V}))",
];
