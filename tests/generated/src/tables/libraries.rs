//! Dates and times, walks over trees with `clojure.zip`, and what differs between two values.

pub(crate) const INT: &[&str] = &[
    "(.getDayOfMonth (.plusMonths (java.time.LocalDate/of 2024 1 31) (+ 0 {I})))",
    "(.getYear (.minusDays (java.time.LocalDate/parse \"2024-03-01\") {k}))",
    "(.toDays (java.time.Duration/ofHours (+ 0 {I})))",
    "(.between java.time.temporal.ChronoUnit/DAYS (java.time.LocalDate/of 2023 12 {p}) (java.time.LocalDate/of 2024 {p} 29))",
    "(compare (java.time.LocalDate/of 2024 {p} {p}) (java.time.LocalDate/of 2024 5 5))",
    "(count (remove nil? (clojure.data/diff {M} {M})))",
    "(reduce + 0 (vals (last (clojure.data/diff {M} {M}))))",
    "(count (clojure.zip/children (clojure.zip/vector-zip {V})))",
];

pub(crate) const BOOL: &[&str] = &[
    "(.isBefore (java.time.LocalDate/of 2024 {p} 1) (java.time.LocalDate/of 2024 5 {p}))",
    "(= (java.time.LocalDate/of 2024 {p} 1) (java.time.LocalDate/of 2024 5 1))",
    "(.isLeapYear (java.time.LocalDate/of (+ 2000 {k}) 1 1))",
    "(= (clojure.zip/root (clojure.zip/next (clojure.zip/vector-zip (conj {V} 1)))) {V})",
];

pub(crate) const TEXT: &[&str] = &[
    "(str (.plusDays (java.time.LocalDate/of 2024 2 {p}) (+ 0 {I})))",
    "(str (.plusWeeks (java.time.LocalDate/parse \"2023-12-31\") {k}))",
    "(str (java.time.Duration/ofMinutes (+ 0 {I})))",
    "(str (.getDayOfWeek (java.time.LocalDate/of 2024 {p} {p})))",
    "(str (java.time.Period/between (java.time.LocalDate/of 2023 {p} 15) (java.time.LocalDate/of 2024 5 {p})))",
    "(str (.atTime (java.time.LocalDate/of 2024 1 {p}) {k} 30))",
    "~(str (java.time.LocalDate/parse (str \"2024-0\" {k} \"-10\")))",
    "~(str (java.time.LocalDate/of 2024 {I} 30))",
];

pub(crate) const VEC: &[&str] = &[
    "(clojure.zip/root (clojure.zip/edit (clojure.zip/down (clojure.zip/vector-zip (conj {V} 1))) + {I}))",
    "(clojure.zip/root (clojure.zip/append-child (clojure.zip/vector-zip {V}) {I}))",
    "(clojure.zip/root (clojure.zip/remove (clojure.zip/down (clojure.zip/vector-zip (conj {V} 1)))))",
    "(clojure.zip/root (clojure.zip/insert-right (clojure.zip/down (clojure.zip/vector-zip (conj {V} 1))) {I}))",
    "(loop [z (clojure.zip/vector-zip {V}) u []] (if (clojure.zip/end? z) u (recur (clojure.zip/next z) (if (clojure.zip/branch? z) u (conj u (clojure.zip/node z))))))",
    "(mapv (fn [q] (.getDayOfYear (.plusDays (java.time.LocalDate/of 2024 1 1) (+ 0 q)))) {V})",
];
