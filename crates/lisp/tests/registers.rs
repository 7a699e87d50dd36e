//! Whatever runs a program's function on the way (taking a sequence apart, comparing, ordering keys), the locals around
//! it stay: a program gives the same with a sequence that is realised as it goes as with one that was there before.

use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print::brief;

/// Sequences whose items call functions of the program, with locals of their own.
const SEQUENCES: &[&str] = &[
    "(map #(+ 2 %) (range))",
    "(map (fn [x y] (let [a x b y] (+ a b))) (range) (range))",
    "(filter (fn [x] (let [a x b 2] (= 1 (mod a b)))) (range))",
    "(iterate (fn [x] (let [a x b 2] (+ a b))) 1)",
    "(reductions (fn [a b] (+ a b)) (range))",
    "(mapcat (fn [x] [x x]) (range))",
    "(partition 2 (map #(* % %) (range)))",
    "(repeatedly (fn [] 3))",
    "((fn nat [n] (lazy-seq (cons n (nat (inc n))))) 0)",
    "(for [x (range) :when (even? x)] (* x x))",
    "(interleave (map #(- %) (range)) (range))",
    "(eduction (map #(+ 1 %)) (range))",
    "(sequence (comp (map #(+ 1 %)) (partition-all 2)) (range))",
    "(tree-seq (fn [x] true) (fn [x] [(inc x)]) 1)",
    "(map (fn [k] (map #(* k %) (range 1 4))) (range))",
    "(map (fn [i] (keyword (str \"k\" i))) (range))",
];

/// What is done with it, among locals that must stay.
const USES: &[&str] = &[
    "(let [a 1 b 2 [p q] s c 3] [a b p q c])",
    "(let [a 1 b 2 [p & q] s c 3] [a b c p (first q)])",
    "(let [a 1 [x y :as all] s b 2] [a x y b (first all)])",
    "(let [a 1 [_ _ _ d] s b 2] [a d b])",
    "(let [a 1 [[p] q] [s 5] b 2] [a p q b])",
    "(let [a 1 {:keys [k1 k3]} s b 2] [a k1 k3 b])",
    "(let [a 1 {p 0 q :k1 :as m} s b 2] [a p q b])",
    "((fn [a [p q r] b] [a p q r b]) 1 s 2)",
    "((fn [a & [[p q] b]] [a p q b]) 1 s 2)",
    "(loop [i 0 [x & xs] s acc []] (if (< i 4) (recur (inc i) xs (conj acc [i x])) acc))",
    "(reduce (fn [acc [p q]] (conj acc [p q])) [:start] [s (seq s) (rest s)])",
    "(map (fn [[p q] r] [p q r]) [s (rest s)] [:r1 :r2])",
    "(let [a 1 f (fn [[x y]] [a x y])] [(f s) a (f (rest s))])",
    "(let [a 5] (letfn [(g [n [x & xs]] (if (pos? n) (cons [a x] (g (dec n) xs)) nil))] (g 3 s)))",
    "(let [a 1 b 2 e (try (let [[p q] s] [p q a b]) (finally nil))] [a b e])",
    "(let [a 1 b 2 r (if-let [[p] s] [a b p] 0)] [a r b])",
    "(let [a 1 b 2 r (when-first [p s] [a b p])] [a r b])",
    "(let [a 1 same (= s [9 9 9 9 9 9]) b 2] [a same b])",
    "(let [a 1 r (if (= (rest s) (rest s)) :same :other) b 2] [a r b])",
    "(let [a 1 r (case s (1 2) :pair :none) b 2] [a r b])",
    "(let [a 1 r #{s 1} b 2] [a (count r) b])",
    "(let [a 1 r {s 1} b 2] [a (count r) b])",
    "(let [a 1 r [s] b 2] (= r [[0]]) [a b])",
    "(let [a 1 r (str s) b 2] [a r b])",
    "(let [a 1 [x] (drop 2 s) r (nth s 4) c 3] [a x r c])",
    "(for [x [s] :let [a 1 [p q] x b 2]] [a p q b])",
    "(let [a 1 b 2] (doseq [[p] [s s]] (print a b p)) [a b])",
];

fn value(program: &str) -> String {
    let limits = Limits::default();
    let outcome = ptc_lisp::run(program, &mut Memory::new(), RunInput::new(&limits, &[], &mut ()));
    match outcome.ending {
        RunResult::Value(v) => format!("{} {:?}", brief(&v), outcome.printed),
        other => format!("{other:?}"),
    }
}

#[test]
fn locals_stay_when_a_sequence_is_realised_beside_them() {
    let (mut tried, mut wrong) = (0, Vec::new());
    for sequence in SEQUENCES {
        for what in USES {
            // In a variable of the session, in a local, and in a local of a function under others.
            let shapes = [
                format!("(def s SEQ) {what}"),
                format!("(let [before 0 s SEQ after 9] [before {what} after])"),
                format!("(defn f [x s y] [x {what} y]) (f :x SEQ :y)"),
                format!("(mapv (fn [s] (let [x 1 y 2] [x {what} y])) [SEQ SEQ])"),
            ];
            for shape in shapes {
                let of = |seq: &str| value(&shape.replace("SEQ", seq));
                let (lazy, there) =
                    (of(&format!("(take 6 {sequence})")), of(&format!("(apply list (take 6 {sequence}))")));
                tried += 1;
                if lazy != there {
                    wrong.push(format!("{shape} with {sequence}: {lazy}, realised before: {there}"));
                }
            }
        }
    }
    assert!(tried > 1000 && wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn locals_stay_when_keys_are_ordered_by_a_function() {
    let sorted = "(sorted-map-by (fn [p q] (let [a p b q] (compare b a))) :x 1 :y 2 :z 3)";
    for (program, expected) in [
        ("(let [a 1 b 2 v (:y m)] [a b v])", "[1 2 2]"),
        ("(let [a 1 {:keys [x z]} m b 2] [a x z b])", "[1 1 3 2]"),
        ("(let [a 1 [[k v]] (seq m) b 2] [a k v b])", "[1 :z 3 2]"),
        ("(let [a 1 r (= m {:x 1 :y 2 :z 3}) b 2] [a r b])", "[1 true 2]"),
        ("(let [a 1 r (m :x) q (:none m :no) b 2] [a r q b])", "[1 1 :no 2]"),
    ] {
        assert_eq!(value(&format!("(def m {sorted}) {program}")), format!("{expected} []"), "{program}");
        assert_eq!(value(&format!("((fn [z m y] {program}) 0 {sorted} 9)")), format!("{expected} []"), "{program}");
    }
}
