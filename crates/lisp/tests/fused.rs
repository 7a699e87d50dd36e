//! Stages of a pipeline that are one where nothing but computing is done: the same values, errors, places and prints as one
//! after the other.

use ptc_lisp::interface::{Outcome, RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print::readable;
use ptc_lisp::{run, run_plain};

type Run = fn(&str, &mut Memory, RunInput<'_>) -> Outcome;

fn all(program: &str, how: Run) -> (String, Vec<String>, Option<String>) {
    let (limits, mut nobody) = (Limits::default(), ());
    let outcome = how(program, &mut Memory::new(), RunInput::new(&limits, &[], &mut nobody));
    let ending = match outcome.ending {
        RunResult::Value(v) => readable(&v, 4000),
        RunResult::Error(e) => format!("{} {} {:?}", e.kind.as_str(), e.message, e.span),
        other => format!("{other:?}"),
    };
    (ending, outcome.printed, outcome.missed_keys.first().map(|m| format!("{m:?}")))
}

#[test]
fn chosen_and_grouped_at_once_or_one_after_the_other() {
    let rows = "(def rows (vec (for [i (range 50)] {:id i :kind (str \"k\" (mod i 7)) :n (mod i 5)})))";
    let programs = [
        "(->> rows (filter (fn [r] (> (:n r) 2))) (group-by :kind))",
        "(->> rows (remove (fn [r] (> (:n r) 2))) (group-by :kind))",
        "(group-by :kind (filterv #(= 1 (:n %)) rows))",
        "(def big? (fn [r] (> (:n r) 2))) (->> rows (filter big?) (group-by :kind))",
        "(let [least 3] (->> rows (filter (fn [r] (>= (:n r) least))) (group-by :n)))",
        "(->> (map identity rows) (filter (fn [r] (> (:n r) 2))) (group-by :kind))",
        // Nothing is chosen, or nothing is there.
        "(->> rows (filter (fn [r] (> (:n r) 9))) (group-by :kind))",
        "(->> [] (filter (fn [r] (> (:n r) 9))) (group-by :kind))",
        "(->> nil (filter (fn [r] (> (:n r) 9))) (group-by :kind))",
        // Keys that are not there, in one or in all, and written otherwise.
        "(->> (conj rows {:n 4}) (filter (fn [r] (> (:n r) 2))) (group-by :kind))",
        "(->> rows (filter (fn [r] (> (:n r) 2))) (group-by :kid))",
        "(->> [{\"kind\" 1 \"n\" 3} {:kind 1 :n 4}] (filter (fn [r] (> (:n r) 2))) (group-by :kind))",
        // Keys of other kinds.
        "(->> [{:n 3 :k [1 2]} {:n 4 :k (list 1 2)} {:n 5 :k nil}] (filter (fn [r] (> (:n r) 2))) (group-by :k))",
        "(->> [{:n 3 :k (map inc [1])} {:n 4 :k 1.5M} {:n 4 :k 1N}] (filter (fn [r] (> (:n r) 2))) (group-by :k))",
        // Errors: of the test, of the collection, of an item that is no map.
        "(->> (conj rows {:n \"x\"}) (filter (fn [r] (> (:n r) 2))) (group-by :kind))",
        "(->> (conj rows 5) (filter (fn [r] (> (:n r) 2))) (group-by :kind))",
        "(->> 5 (filter (fn [r] (> (:n r) 2))) (group-by :kind))",
        "(->> (conj rows [1 2]) (remove (fn [r] (:n r))) (group-by :kind))",
        // What prints does so item after item, before anything is grouped.
        "(->> rows (filter (fn [r] (println (:id r)) (> (:n r) 3))) (group-by :kind))",
        "(->> (range 40) (filter (fn [i] (if (< i 30) (even? i) (do (println i) true)))) (group-by :kind))",
        // Sequences that are not there yet, strings, maps and sets.
        "(->> (lazy-seq (map (fn [r] (println :made) r) (take 3 rows))) (filter (fn [r] (:n r))) (group-by :kind))",
        "(->> {:a 1 :b 2} (filter (fn [[k v]] (> v 1))) (group-by :kind))",
        "(->> (set (take 3 rows)) (filter (fn [r] (> (:n r) 0))) (group-by :kind))",
        "(->> \"abc\" (filter (fn [c] (= c \\a))) (group-by :kind))",
        // Within a function that is called for each of many, and one that catches.
        "(map (fn [least] (count (group-by :kind (filter (fn [r] (> (:n r) least)) rows)))) [0 1 2 9])",
        "(try (group-by :kind (filter (fn [r] (< (:n r) \"a\")) rows)) (catch Exception e (ex-message e)))",
        "(count rows) (let [xs rows] (group-by :kind (filter (fn [r] (odd? (:n r))) xs)))",
    ];
    for program in programs {
        let program = format!("{rows} {program}");
        assert_eq!(all(&program, run), all(&program, run_plain), "{program}");
    }
}

/// What was chosen is not made where it need not be, which is seen by what is allocated.
#[test]
fn nothing_is_made_in_between() {
    let used = |stage: &str| {
        let limits = Limits::default();
        let mut memory = Memory::new();
        let rows = "(def rows (vec (for [i (range 10000)] {:kind (mod i 3) :n i})))";
        let _ = run(rows, &mut memory, RunInput::new(&limits, &[], &mut ()));
        let before = ptc_lisp::value::node::allocated_bytes();
        let outcome = run(stage, &mut memory, RunInput::new(&limits, &[], &mut ()));
        assert!(matches!(outcome.ending, RunResult::Value(_)), "{stage}");
        ptc_lisp::value::node::allocated_bytes() - before
    };
    let one = used("(count (->> rows (filter (fn [r] (> (:n r) 99))) (group-by :kind)))");
    let two = used("(count (let [chosen (filter (fn [r] (> (:n r) 99)) rows)] (group-by :kind chosen)))");
    assert!(one + 16 * 9000 < two, "{one} bytes, and {two} with the sequence between");
}
