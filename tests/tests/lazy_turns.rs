//! Turns that fail leave lazy sequences as they were, and a session replays from its successful turns alone (SECURITY P4).

use ptc_hostile::{Session, ending};
use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_turns::{Config, Trace, TurnContext};

/// Sequences that count in `p` how often they ran a function, or have a state that a step changes. They are
/// held by a function, which the end of a turn does not look into for sequences to realise.
const SEQUENCES: &[&str] = &[
    "(map tick (range))",
    "(map (fn [a b] (tick (+ a b))) (range) (range))",
    "(filter (fn [x] (tick x) (odd? x)) (range))",
    "(remove (fn [x] (tick x) (odd? x)) (range))",
    "(keep tick (range))",
    "(map-indexed (fn [i x] (tick (+ i x))) (range))",
    "(keep-indexed (fn [i x] (tick (+ i x))) (range))",
    "(take-while (fn [x] (tick x)) (range))",
    "(drop-while (fn [x] (tick x) (< x 3)) (range))",
    "(drop 2 (map tick (range)))",
    "(drop-last 3 (map tick (range)))",
    "(take-nth 2 (map tick (range)))",
    "(distinct (map (fn [x] (quot (tick x) 2)) (range)))",
    "(distinct (map (fn [x] [(quot (tick x) 2) {}]) (range)))",
    "(dedupe (map (fn [x] (quot (tick x) 2)) (range)))",
    "(mapcat (fn [x] [(tick x) x]) (range))",
    "(partition 2 (map tick (range)))",
    "(partition 3 1 (map tick (range)))",
    "(partition-all 2 (map tick (range)))",
    "(partition-by (fn [x] (quot (tick x) 2)) (range))",
    "(interpose :and (map tick (range)))",
    "(interleave (map tick (range)) (iterate tick 1))",
    "(concat [1] (map tick (range)))",
    "(flatten (map (fn [x] [(tick x) [x]]) (range)))",
    "(replace {1 :one} (map tick (range)))",
    "(reductions (fn [a x] (+ a (tick x))) (range))",
    "(iterate tick 0)",
    "(repeatedly (fn [] (tick 1)))",
    "(cycle (map tick (range)))",
    "(cycle [(tick 1) 2])",
    "(tree-seq (fn [x] (tick 1)) (fn [x] [(inc x)]) 0)",
    "(iteration (fn [k] {:v (tick k) :k (inc k)}) :vf :v :kf :k :initk 0)",
    "(for [x (range) :let [y (tick x)]] [x y])",
    "(for [x (range) y [(tick x) :b]] [x y])",
    "((fn walk [n] (lazy-seq (cons (tick n) (walk (inc n))))) 0)",
    "(lazy-cat [(tick 1)] (map tick (range)))",
    "(sequence (comp (map tick) (partition-all 2)) (range))",
    "(sequence (fn [rf] (fn ([a] (rf a)) ([a x] (rf a (tick x))))) (range))",
    "(range 9223372036854775805 9223372036854775807N)",
    "(map tick (map tick (filter even? (range))))",
    "(rest (map tick (range)))",
    "(let [inner (map tick (range))] (map + inner (rest inner)))",
    "(map tick (concat (list 1 2) (range)))",
    "(map tick (interleave (seq {:a 1 :b 2 :c 3 :d 4 :e 5 :f 6 :g 7}) (range)))",
];

/// What a program that fails may do to a sequence before.
const USES: &[&str] =
    &["(first s)", "(vec (take 4 s))", "[(nth s 2) (second s)]", "(let [[a b & more] s] (first more))"];

/// Ways to fail.
const ENDS: &[&str] = &[
    "(/ 1 0)",
    "(fail \"no\")",
    "(throw (ex-info \"no\" {}))",
    "(loop [] (recur))",
    "(try (/ 1 0) (finally (fail s)))",
];

const PRELUDE: &str = "(def p (atom 0)) (defn tick [x] (swap! p inc) x)";
const READ_TWICE: &str = "[(vec (take 7 s)) @p (vec (take 9 s)) @p]";

/// Defines the sequence.
fn define(sequence: &str) -> String {
    format!("(def hold (let [s {sequence}] (fn [] s))) nil")
}

/// A program that calls the sequence `s`.
fn with(program: &str) -> String {
    format!("(let [s (hold)] {program})")
}

fn session(sequence: &str) -> Session {
    let mut s = Session::default();
    s.limits.fuel = 20_000;
    s.run(PRELUDE);
    assert_eq!(ending(&s.run(&define(sequence))), "value", "{sequence}");
    s
}

#[test]
fn what_a_failed_turn_made_of_a_sequence_is_made_anew() {
    for (i, sequence) in SEQUENCES.iter().enumerate() {
        // New, and with some items made by a turn that ended well: then generators have a state.
        for first in ["nil", "(first s)", "(vec (take 3 s))"] {
            let mut calm = session(sequence);
            calm.run(&with(first));
            let expected = calm.run(&with(READ_TWICE));
            let text = |e: &RunResult| {
                if let RunResult::Value(v) = e { ptc_lisp::print::readable(v, 4096) } else { format!("{e:?}") }
            };
            for (j, how) in USES.iter().enumerate() {
                // Over all sequences each use meets each end.
                let end = ENDS[(i + j) % ENDS.len()];
                let program = with(&format!("{how} {end}"));
                let mut s = session(sequence);
                s.run(&with(first));
                assert_ne!(ending(&s.run(&program)), "value", "{program}");
                // Once more: what was put back can be put back again.
                assert_ne!(ending(&s.run(&program)), "value", "{program}");
                let got = s.run(&with(READ_TWICE));
                assert_eq!(text(&got.ending), text(&expected.ending), "{sequence} after {first}, {program}");
                assert_eq!(got.usage.fuel, expected.usage.fuel, "{sequence} after {first}, {program}");
            }
        }
    }
}

#[test]
fn the_looks_at_the_sequences_mostly_count_calls() {
    // Were the counter never moved, the test above would say little.
    let moved = |s: &&&str| {
        let mut session = session(s);
        let then = session.text("@p");
        session.run(&with(READ_TWICE));
        session.text("@p") != then
    };
    assert!(SEQUENCES.iter().filter(moved).count() + 3 > SEQUENCES.len());
}

#[test]
fn the_example_of_the_documentation() {
    let mut s = Session::default();
    s.run("(def p (atom 0)) (def s (map (fn [x] (swap! p inc) x) (range)))");
    assert_eq!(ending(&s.run("(first s) (/ 1 0)")), "arithmetic");
    assert_eq!(s.text("[(first s) @p]").as_deref(), Ok("[0 1]"));
}

#[test]
fn sequences_in_cells_and_in_each_other_go_back_too() {
    let mut s = Session::default();
    s.run("(def p (atom 0)) (defn tick [x] (swap! p inc) x)");
    s.run("(def a (atom (map tick (range)))) (def d (delay (map tick (range)))) (def f (let [xs (map tick (range))] (fn [] xs)))");
    s.run("(def m {:deep [(map tick (range)) (map (fn [i] (map tick (iterate inc i))) (range))]})");
    let all = "[(first @a) (first @d) (first (f)) (first (first (:deep m))) (ffirst (second (:deep m))) @p]";
    assert_eq!(ending(&s.run(&format!("{all} (swap! a rest) (/ 1 0)"))), "arithmetic");
    assert_eq!(s.text(all).as_deref(), Ok("[0 0 0 0 0 5]"));
    assert_eq!(s.text(all).as_deref(), Ok("[0 0 0 0 0 5]"));
    // Errors that were caught on the way leave the state of the turn, not of the session.
    s.run("(def e (map (fn [x] (tick x) (/ 10 (- x 1))) (range)))");
    let caught = "(try (second e) (catch Exception _ :caught))";
    assert_eq!(ending(&s.run(&format!("{caught} (fail 1)"))), "failed");
    assert_eq!(s.text(&format!("[{caught} @p]")).as_deref(), Ok("[:caught 7]"));
    // A matcher's matches are a sequence in a cell.
    s.run("(def r (re-matcher #\"a.*?z|[0-9]\" \"1 2 3 4\")) (re-find r)");
    s.run("(re-find r) (re-find r) (/ 1 0)");
    assert_eq!(s.text("[(re-find r) (re-find r) (re-find r) (re-find r)]").as_deref(), Ok("[\"2\" \"3\" \"4\" nil]"));
}

#[test]
fn a_turn_that_is_called_off_or_returns_the_wrong_shape_leaves_sequences_too() {
    let limits = Limits { cpu_ms: 0, wall_ms: 0, ..Limits::default() };
    let mut memory = Memory::new();
    let turn = || RunInput::new(&limits, &[], Box::leak(Box::new(())));
    ptc_lisp::run("(def p (atom 0)) (def s (map (fn [x] (swap! p inc) x) (range)))", &mut memory, turn());
    let called_off =
        ptc_lisp::run("(nth s 5) (loop [] (recur))", &mut memory, RunInput { cancelled: &|| true, ..turn() });
    assert_eq!(ending(&called_off), "limit/time");
    let shape = ptc_lisp::types::Type::String;
    let wrong = ptc_lisp::run("(return (nth s 5))", &mut memory, RunInput { expect: Some(&shape), ..turn() });
    assert_eq!(ending(&wrong), "type");
    let RunResult::Value(v) = ptc_lisp::run("[(nth s 1) @p]", &mut memory, turn()).ending else {
        panic!("it has a value")
    };
    assert_eq!(ptc_lisp::print::readable(&v, 100), "[1 2]");
}

#[test]
fn a_session_replays_from_its_successful_turns() {
    for sequence in SEQUENCES {
        let limits = Limits { fuel: 20_000, ..Limits::default() };
        let mut s = ptc_turns::Session::new(Config { prompt: "p".into(), limits, ..Config::programs() });
        let run = |s: &mut ptc_turns::Session, program: &str| {
            s.run(program, TurnContext::without_host()).unwrap_or_else(|e| panic!("{e}")).clone()
        };
        run(&mut s, PRELUDE);
        run(&mut s, &define(sequence));
        run(&mut s, &with("(first s)"));
        run(&mut s, &with("(vec (take 4 s)) (/ 1 0)"));
        run(&mut s, &format!("(def taken {})", with("[(nth s 2) @p]")));
        run(&mut s, &with("(vec (take 6 s)) (def q s) (loop [] (recur))"));
        let trace = Trace::parse(s.trace().to_text().as_bytes()).unwrap_or_else(|e| panic!("{e}")).trace;
        let mut back = ptc_turns::Session::from_trace(trace, Vec::new()).unwrap_or_else(|e| panic!("{sequence}: {e}"));
        let (now, then) = (run(&mut back, &with(READ_TWICE)), run(&mut s, &with(READ_TWICE)));
        assert_eq!(
            (&now.status, &now.value, now.usage.fuel),
            (&then.status, &then.value, then.usage.fuel),
            "{sequence}"
        );
    }
}

#[test]
fn copies_are_paid_for() {
    // A window of many items is copied when a later turn asks for the next: not for nothing.
    let mut s = Session::default();
    s.run("(def s (drop-last 50000 (range))) (first s)");
    s.limits.fuel = 20_000;
    assert_eq!(ending(&s.run("(second s)")), "limit/fuel");
    s.limits.fuel = 100_000;
    assert_eq!(s.text("(second s)").as_deref(), Ok("1"));
}
