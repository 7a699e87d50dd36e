//! State: atoms with watches and validators, volatiles, refs, agents, promises, delays, metadata.

pub(crate) const INT: &[&str] = &[
    "~(let [u (atom {I})] (add-watch u :k (fn [_ _ o n] (swap! {A} + (- n o)))) (swap! u + {I}) (reset! u {I}) @u)",
    "~(let [u (atom 0) t (atom 0)] (add-watch u :k (fn [k _ o n] (when (not= o n) (swap! t inc)))) (doseq [q {S}] (reset! u q)) @t)",
    "~(do (add-watch {A} :w (fn [_ _ o n] (swap! {L} conj n))) (swap! {A} inc))",
    "~(do (remove-watch {A} :w) (swap! {A} dec))",
    "~(let [u (atom 1 :validator (fn [q] (< q {p})))] (try (swap! u + {I}) (catch Exception e (swap! u dec))) @u)",
    "~(let [u (atom {I})] (set-validator! u number?) (try (reset! u nil) (catch IllegalStateException e (swap! u inc))))",
    "~(let [u {A}] (first (swap-vals! u + {I})))",
    "~(second (reset-vals! {A} {I}))",
    "~(let [u (atom {I})] (compare-and-set! u {I} {I}) @u)",
    "~(let [u (promise)] (deliver u {I}) (deliver u {I}) @u)",
    "~(deref (promise) 1 {I})",
    "~@(future {I!})",
    "~(let [u (delay (swap! {A} inc))] (+ @u @u))",
    "~(let [u (delay {I})] (if (realized? u) 0 (force u)))",
    "~(let [u (volatile! {I})] (vswap! u {F}) (vreset! u (+ 1 @u)) @u)",
    "~(do (swap! {L} (fn [u] (if (> (count u) 3) [] (conj u {I!})))) {I})",
    "~(count (swap! {L} (comp vec rest)))",
    "~(let [m (atom {M})] (swap! m update {a} (fnil + 0) {I}) (swap! m assoc :c {I}) (reduce + (vals @m)))",
    "~(let [m (atom {})] (doseq [q {S}] (swap! m update (odd? q) (fnil conj []) q)) (count (get @m true)))",
    "(:m (meta (with-meta {V} {:m {I}})))",
    "(:m (meta (vary-meta {R} assoc :m {I})))",
    "(get (meta (assoc (with-meta {M} {:m 7}) {a} {I})) :m {I})",
    "~(let [c (let [n (atom {I})] (fn [] (swap! n inc)))] (c) (c))",
    "~(let [fs (mapv (fn [i] (let [n (atom i)] (fn [] (swap! n + 10)))) [1 2 3])] ((first fs)) (+ ((first fs)) ((last fs))))",
];

pub(crate) const VEC: &[&str] = &[
    "~(let [u (atom {I}) w (atom [])] (add-watch u :k (fn [_ _ o n] (swap! w conj o n))) (swap! u + {I}) (reset! u {I}) (remove-watch u :k) (swap! u inc) (conj @w @u))",
    "~(let [u (atom {V} :validator (fn [w] (< (count w) 5)))] (try (swap! u conj {I} {I}) (catch Exception e nil)) @u)",
    "~(let [u (atom {V})] (add-watch u :a (fn [_ r o n] (when (< (count n) 6) (swap! r conj (count o))))) (swap! u conj {I}))",
    "~(let [u (atom 0) w (atom [])] (add-watch u :k (fn [_ _ _ n] (if (= n 2) (throw (ex-info \"two\" {})) (swap! w conj n)))) (dotimes [i 4] (try (swap! u inc) (catch Exception e (swap! w conj -1)))) (conj @w @u))",
    "~(let [u (atom {V}) w @u] (swap! u conj {I}) (into w @u))",
    "~(let [u (atom {V})] (doseq [q @u] (swap! u conj (+ q {I!}))) (take 0 @u) @u)",
    "~(let [u (volatile! {V})] (dotimes [i {k}] (vswap! u conj i)) @u)",
    "~(let [u (atom ())] (doseq [q (take 5 {S})] (swap! u conj q)) (vec @u))",
    "~(let [[o n] (swap-vals! {L} conj {I})] (into o n))",
    "~(let [q (atom clojure.lang.PersistentQueue/EMPTY)] (doseq [x {V}] (swap! q conj x)) (swap! q pop) (vec @q))",
    "~(let [u (atom {:n 0 :log []})] (dotimes [i {k}] (swap! u (fn [m] (-> m (update :n + i) (update :log conj (:n m)))))) (:log @u))",
];

pub(crate) const MAP: &[&str] = &[
    "~(let [m (atom {M})] (swap! m assoc {a} {I}) (swap! m update :a (fnil inc 0)) @m)",
    "~(let [m (atom {M} :validator map?)] (try (reset! m nil) (catch Exception e (swap! m assoc :b {I}))) @m)",
    "~(let [m (atom {}) w (atom {})] (add-watch m :k (fn [_ _ o n] (swap! w assoc :a (count o) :b (count n)))) (swap! m merge {M}) @w)",
    "~(let [m (atom {M}) before @m] (swap! m assoc :a {I}) (merge-with - @m before))",
];
