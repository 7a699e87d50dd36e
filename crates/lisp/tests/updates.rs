//! `update` of a function that is known beforehand changes numbers where they are: what it gives, says and costs is what a call
//! of the function does.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::short_functions::{outcome, told};
use ptc_lisp::limits::Limits;

const FUNCTIONS: [&str; 17] = [
    "inc",
    "dec",
    "(fnil inc 0)",
    "(fnil dec 9.5)",
    "(fnil inc \"x\")",
    "+ 2",
    "- 2",
    "* 3",
    "max 4",
    "min 4",
    "+ 0.5",
    "(fnil + 0) 2",
    "(fnil + 0.5) 1.5",
    "(fnil max 3) 9223372036854775807",
    "(fnil * nil) 2",
    "(fnil + 0) nil",
    "+",
];

const MAPS: [&str; 14] = [
    "nil",
    "{}",
    "{:a 1 \"a\" 2}",
    "{\"a\" 1}",
    "{:a 1.5 7 2}",
    "{:a nil 7 nil}",
    "{:a 1/2 7 3N}",
    "{:a [1] 7 \"x\"}",
    "{:a 9223372036854775807 7 -9223372036854775808}",
    "(zipmap (range 32) (range))",
    "(zipmap (range 40) (range))",
    "(zipmap (map str (range 40)) (range))",
    "(with-meta {:a 1 7 1} {:m 1})",
    "(sorted-map 7 1 8 2)",
];

const KEYS: [&str; 7] = [":a", "\"a\"", "7", "7N", "7.0", "[7]", "nil"];

/// One after the other on one map that nobody else holds, and on one that is held.
#[test]
fn they_give_and_say_what_calls_do() {
    for f in FUNCTIONS {
        for map in MAPS {
            for key in KEYS {
                for program in [
                    format!("(let [m {map}] (update (update m {key} {f}) {key} {f}))"),
                    format!("(let [m {map} n (update m {key} {f})] [m n])"),
                    format!("(mapv (fn [m] (update m {key} {f})) [{map} {map}])"),
                    format!("(reduce (fn [m k] (update m k {f})) {map} [{key} {key} 100 100])"),
                ] {
                    let of = |plain| told(&outcome(&[&program], &Limits::default(), plain));
                    assert_eq!(of(false), of(true), "{program}");
                }
            }
        }
    }
}

/// A table whose order was asked for, and one that another version of is held.
#[test]
fn tables_that_became_trees_are_changed_as_ever() {
    for program in [
        "(let [m (zipmap (range 50) (range)) k (first (vals m)) n (update m 3 inc)] [k (update n 99 (fnil inc 0)) m])",
        "(let [m (zipmap (range 50) (range)) n (update m 3 inc) o (update n 4 inc)] [(get m 3) (get n 3) (get n 4) (get o 4)])",
        "(loop [i 0 m {} all []] (if (< i 60) (let [m (update m (mod i 40) (fnil + 0) i)] (recur (inc i) m (conj all m))) (map count all)))",
    ] {
        let of = |plain| told(&outcome(&[program], &Limits::default(), plain));
        assert_eq!(of(false), of(true), "{program}");
    }
}

/// The constant is not put where the call finds it: a round is that much cheaper, and no more.
#[test]
fn they_cost_what_calls_do() {
    const ROUNDS: u64 = 20_000;
    for (f, more) in [("(fnil + 0)", "i"), ("(fnil inc 0)", ""), ("+", "1"), ("inc", ""), ("(fnil max 3)", "2.5")] {
        for (keys, start) in [("(mod i 300)", "(zipmap (range 300) (range))"), (":a", "{:a 1}"), ("i", "{-1 0}")] {
            let fuel = |before: &str, f: &str| {
                let program = format!(
                    "(loop [i 0 m {start}] (if (= i {ROUNDS}) (count m) (recur (inc i) (update m {keys} {f} {more}))))"
                );
                outcome(&[before, &program], &Limits::default(), false).usage.fuel
            };
            let (known, called) = (fuel("1", f), fuel(&format!("(def f {f})"), "f"));
            // Memory is charged with what else a turn has made.
            assert!(
                known <= called + called / 1000 && called <= known + 4 * ROUNDS,
                "{f} {keys}: {known} and {called}"
            );
        }
    }
}

#[test]
fn the_limits_hold_in_them() {
    let counted = "(loop [i 0 m {}] (if (= i 1000000) (count m) (recur (inc i) (update m i (fnil inc 0)))))";
    let said = |limits: Limits| told(&outcome(&[counted], &limits, false));
    assert!(said(Limits { fuel: 100_000, ..Limits::default() }).starts_with("limit/fuel"));
    assert!(said(Limits { memory_bytes: 1 << 20, ..Limits::default() }).starts_with("limit/memory"));
}

/// What a failed turn has changed is as it was.
#[test]
fn a_turn_that_fails_changes_nothing() {
    for map in ["{:a 1}", "(zipmap (range 50) (range))"] {
        let def = format!("(def m {map})");
        let failing = "(def m (update (update m 7 (fnil inc 0)) :a (fnil inc 0))) (inc nil)";
        let after = |turns: &[&str]| told(&outcome(turns, &Limits::default(), false));
        assert_eq!(after(&[&def, failing, "m"]), after(&[&def, "m"]));
    }
}
