//! Stages of a pipeline that are carried out together: the same values, errors, places and prints as one stage after the
//! other, and no collections between them.

use ptc_lisp::interface::{Outcome, RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print::readable;
use ptc_lisp::value::node::allocated_bytes;
use ptc_lisp::{run, run_plain};

type Run = fn(&str, &mut Memory, RunInput<'_>) -> Outcome;

fn all(program: &str, how: Run) -> (String, Vec<String>, Option<String>) {
    let (limits, mut nobody) = (Limits::default(), ());
    let outcome = how(program, &mut Memory::new(), RunInput::new(&limits, &[], &mut nobody));
    let ending = match outcome.ending {
        RunResult::Value(v) => readable(&v, 20_000),
        RunResult::Error(e) => format!("{} {} {:?} {:?} {:?}", e.kind.as_str(), e.message, e.hint, e.span, e.calls),
        other => format!("{other:?}"),
    };
    (ending, outcome.printed, outcome.missed_keys.first().map(|m| format!("{m:?}")))
}

/// The collections: what is plain to the end, and what has something else at one place.
const SOURCES: &[&str] = &[
    "(vec (range 200))",
    "(range 150)",
    "(range 300 0 -2)",
    "(map inc (range 130))",
    "(into (vec (range 100)) [nil 5 6])",
    "(assoc (vec (range 200)) 70 \"x\")",
    "(assoc (vec (range 200)) 190 2.5)",
    "(mapv double (range 90))",
    "(conj (vec (range 64)) 9223372036854775807)",
    "(assoc (vec (range 200)) 33 12345678901234567890N)",
    "(mapv (fn [i] {:n i :k (mod i 5) :t [i (mod i 3)]}) (range 120))",
    "(assoc (mapv (fn [i] {:n i :k (mod i 5) :t [i (mod i 3)]}) (range 120)) 100 {:n 3})",
    "(assoc (mapv (fn [i] {:n i :k (mod i 5) :t nil}) (range 120)) 77 {\"n\" 3 \"k\" 1 :t (list 1 2)})",
    "(mapv (fn [i] {:n i :k (mod i 5) :t (when (odd? i) [i (str i) nil])}) (range 120))",
    "(mapv (fn [i] [i (mod i 7)]) (range 100))",
    "(rest (mapv int (range 100)))",
    "(mapv str (range 80))",
    "[1 2 3]",
    "[]",
    "nil",
    "(set (range 100))",
    "(zipmap (range 70) (range 70))",
    "(vec (repeat 70 [1 2]))",
    "(vec (repeat 64 nil))",
];

/// What stages call.
const FUNCTIONS: &[&str] = &[
    "inc",
    "even?",
    "identity",
    "some?",
    ":n",
    ":t",
    ":k",
    "(fn [x] (* x 3))",
    "(fn [x] (> x 20))",
    "(fn [r] (:n r))",
    "(fn [r] (+ (:n r) (:k r)))",
    "(fn [r] (if (= 2 (:k r)) nil (:n r)))",
    "(fn [x] (if (> x 50) (- x 50) x))",
    "(fn [[a b]] (- a b))",
    "(fn [x] (println x) x)",
    "(fn [x] (when (> x 30) (println x)) (< x 40))",
    "(fn [x] (mod x 4))",
    "(fn [x] least)",
    "(fn [x] (< x least))",
    "str",
    "first",
    "(fn [x] [x x])",
    "#{1 2 3 [1 2]}",
    "(fn [x] (+ x 9223372036854775000))",
];

const STAGES: &[&str] = &["map", "filter", "remove", "keep", "mapcat", "map", "filter"];

const ENDS: &[&str] = &[
    "(reduce + X)",
    "(reduce + 0 X)",
    "(reduce max X)",
    "(reduce (fn [a x] (+ a (* x 2))) 1 X)",
    "(reduce (fn [a x] (if (> a 100) (reduced a) (+ a x))) X)",
    "(reduce (fn [a x] (println a) (+ a x)) 0 X)",
    "(reduce conj [] X)",
    "(reduce (fn [a x] (if (= x 3) a x)) nil X)",
    "(count X)",
    "X",
    "(vec X)",
    "(into [] X)",
    "(into #{} X)",
    "(frequencies X)",
    "(group-by identity X)",
    "(mapv inc X)",
    "(filterv odd? X)",
    "(sort X)",
    "(doall X)",
    "(apply + X)",
    "(set X)",
    "(take 5 X)",
    "(first X)",
    "(for [x X] [x])",
    "(doseq [x X] (println x))",
    "(run! println X)",
    "(list? X)",
    "(let [m X] [(count m) (count m) (reduce + m)])",
    "(try (reduce + X) (catch Exception e (ex-message e)))",
    "(try (count X) (catch Exception e [(class e) (ex-message e)]))",
];

/// Numbers that are the same everywhere.
struct Dice(u64);

impl Dice {
    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        all[(self.0 >> 33) as usize % all.len()]
    }
}

#[test]
fn together_or_one_after_the_other() {
    let mut dice = Dice(11);
    for _ in 0..4000 {
        let mut stages = dice.of(SOURCES).to_string();
        for _ in 0..dice.of(&["1", "22", "22", "333", "4444"]).len() {
            stages = format!("({} {}\n {stages})", dice.of(STAGES), dice.of(FUNCTIONS));
        }
        let program = format!("(def least 17) {}", dice.of(ENDS).replace('X', &stages));
        let (together, alone) = (all(&program, run), all(&program, run_plain));
        assert_eq!((&together.0, &together.2), (&alone.0, &alone.2), "{program}");
        assert!(together.1 == alone.1, "{program}: {} and {} prints", together.1.len(), alone.1.len());
    }
}

/// What one stage hands to the next is no collection, which is seen by what is allocated.
#[test]
fn nothing_is_made_between_stages() {
    let used = |stage: &str| {
        let limits = Limits::default();
        let mut memory = Memory::new();
        let rows = "(def rows (vec (for [i (range 10000)] {:kind (mod i 3) :n i :all [i 1]})))";
        let _ = run(rows, &mut memory, RunInput::new(&limits, &[], &mut ()));
        let before = allocated_bytes();
        let outcome = run(stage, &mut memory, RunInput::new(&limits, &[], &mut ()));
        assert!(matches!(outcome.ending, RunResult::Value(_)), "{stage}");
        allocated_bytes() - before
    };
    let programs = [
        ("(->> rows (map :n) (filter even?) (reduce +))", 0),
        ("(->> rows (map (fn [r] (:n r))) (reduce + 0))", 0),
        ("(->> rows (keep :n) (map inc) (remove odd?) count)", 0),
        ("(->> rows (mapcat :all) (filter (fn [x] (> x 10))) (reduce max))", 0),
        ("(->> (range 10000) (map (fn [x] (* x 3))) (filter even?) (reduce +))", 0),
        ("(reduce + (for [r rows] (* 2 (:n r))))", 0),
        ("(->> rows (map :n) (map inc) (mapv dec) count)", 16 * 10_032),
        ("(->> rows (filter (fn [r] (> (:n r) 9))) (map :n) (into []) count)", 2 * 16 * 16_384),
    ];
    for (program, results) in programs {
        let made = used(program);
        assert!(made < results + 16 * 2000, "{program}: {made} bytes");
    }
}

/// Fuel is no more than without.
#[test]
fn together_costs_no_more() {
    let fuel = |program: &str, how: Run| {
        let limits = Limits::default();
        let outcome = how(program, &mut Memory::new(), RunInput::new(&limits, &[], &mut ()));
        assert!(matches!(outcome.ending, RunResult::Value(_)), "{program}");
        outcome.usage.fuel
    };
    for stages in [
        "(->> xs (map (fn [x] (* x 3))) (filter even?) (reduce +))",
        "(->> xs (map inc) (keep identity) count)",
        "(->> xs (map (fn [x] (if (= x 9000) (+ x 9223372036854775807N) x))) (filter some?) count)",
        "(->> xs (filter even?) (map inc) (into []) count)",
    ] {
        let program = format!("(let [xs (vec (range 10000))] {stages})");
        let (together, alone) = (fuel(&program, run), fuel(&program, run_plain));
        assert!(together <= alone, "{program}: {together} and {alone}");
    }
}

/// Fuel that ends in the middle ends the turn, and the session goes on as it was.
#[test]
fn fuel_ends_in_the_middle() {
    let mut memory = Memory::new();
    let limits = Limits::default();
    let _ = run("(def xs (vec (range 100000))) (def made (atom 0))", &mut memory, RunInput::new(&limits, &[], &mut ()));
    let scarce = Limits { fuel: ptc_lisp::limits::Limits::default().fuel / 100, ..Limits::default() };
    let program = "(swap! made inc) (def total (->> xs (map (fn [x] (* x 3))) (filter even?) (map inc) (reduce +)))
        (loop [i 0] (if (= i 100) total (do (->> xs (map inc) (filter even?) (reduce +)) (recur (inc i)))))";
    let outcome = run(program, &mut memory, RunInput::new(&scarce, &[], &mut ()));
    assert!(matches!(&outcome.ending, RunResult::Error(e) if e.kind.is_limit()), "{:?}", outcome.ending);
    let outcome = run("[@made (count xs)]", &mut memory, RunInput::new(&limits, &[], &mut ()));
    assert!(matches!(&outcome.ending, RunResult::Value(v) if readable(v, 100) == "[0 100000]"), "{:?}", outcome.ending);
}
