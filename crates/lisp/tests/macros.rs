//! Macros from turn to turn: kept, taken back, replaced, forked; and what their expansion may not do.

use ptc_lisp::interface::{Outcome, RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print::brief;

fn run(memory: &mut Memory, program: &str) -> Outcome {
    ptc_lisp::run(program, memory, RunInput::new(&Limits::default(), &[], &mut ()))
}

/// What a program gives in a session.
fn said(memory: &mut Memory, program: &str) -> String {
    match run(memory, program).ending {
        RunResult::Value(v) | RunResult::Returned(v) => brief(&v),
        RunResult::Error(e) => format!("{}: {}", e.kind.as_str(), e.message),
        RunResult::Failed(..) => "failed".to_string(),
    }
}

const UNLESS: &str = "(defmacro unless \"As when-not.\" [test & body] `(if ~test nil (do ~@body)))";

#[test]
fn a_macro_is_kept_and_a_failed_turn_takes_it_back() {
    let mut memory = Memory::new();
    assert_eq!(said(&mut memory, UNLESS), "#'user/unless");
    assert_eq!(said(&mut memory, "(defn sign [n] (unless (neg? n) :plus))"), "#'user/sign");
    assert_eq!(said(&mut memory, "[(sign 1) (sign -1) (unless false 1 2)]"), "[:plus nil 2]");
    // A turn that fails after it has defined another under the name.
    let failing = "(defmacro unless [a] 5) (println (unless 1)) (throw (ex-info \"no\" {}))";
    assert_eq!(said(&mut memory, failing), "thrown: no {}");
    assert_eq!(said(&mut memory, "(unless false :still)"), ":still");
    assert_eq!(said(&mut memory, "(defmacro gone [] 1) (/ 1 0)"), "arithmetic: Divide by zero");
    assert_eq!(said(&mut memory, "(gone)"), "name: unknown name gone");
    // And what is a function now is no macro.
    assert_eq!(said(&mut memory, "(defn unless [a b] [a b])"), "#'user/unless");
    assert_eq!(said(&mut memory, "(unless (+ 1 1) (+ 1 2))"), "[2 3]");
}

#[test]
fn a_failed_turn_gives_a_function_back_its_macro() {
    let mut memory = Memory::new();
    run(&mut memory, UNLESS);
    assert_eq!(said(&mut memory, "(def unless 5) (/ 1 0)"), "arithmetic: Divide by zero");
    assert_eq!(said(&mut memory, "(unless false :a)"), ":a");
}

#[test]
fn forks_have_macros_of_their_own() {
    let mut memory = Memory::new();
    run(&mut memory, "(defmacro answer [] 1)");
    let mut fork = memory.clone();
    run(&mut fork, "(defmacro answer [] 2)");
    run(&mut fork, "(defmacro only-here [] 3)");
    assert_eq!(said(&mut memory, "(answer)"), "1");
    assert_eq!(said(&mut fork, "[(answer) (only-here)]"), "[2 3]");
    assert_eq!(said(&mut memory, "(only-here)"), "name: unknown name only-here");
}

#[test]
fn what_is_made_ahead_for_a_macro_happens_once() {
    let mut memory = Memory::new();
    // The expander reads a table that the turn computes, and prints: what is before its call runs first, and once.
    let program = "(def table (do (println \"made\") {:a 1}))
        (def calls (atom 0))
        (defn lookup [k] (swap! calls inc) (get table k))
        (defmacro at [k] (lookup k))
        [(at :a) (at :b) @calls]";
    let outcome = run(&mut memory, program);
    assert_eq!(outcome.printed.concat(), "made\n");
    assert_eq!(said(&mut memory, "[(at :a) @calls]"), "[1 3]");
    assert!(matches!(outcome.ending, RunResult::Value(v) if brief(&v) == "[1 nil 2]"));
}

#[test]
fn expansion_ends_no_task_and_calls_no_tool() {
    let mut memory = Memory::new();
    assert!(
        said(&mut memory, "(defmacro m [] (return 5)) (m)").starts_with("denied: expanding m: the task cannot end")
    );
    assert_eq!(said(&mut memory, "(defmacro m [] `(return 5)) (m)"), "5");
}

#[test]
fn an_unknown_name_behind_a_macro_costs_nothing() {
    let mut memory = Memory::new();
    let outcome = run(&mut memory, "(defmacro twice [x] `(do ~x ~x)) (println 1) (twice (coutn []))");
    assert_eq!(outcome.printed.len(), 0);
    assert!(matches!(outcome.ending, RunResult::Error(e) if e.message == "unknown name coutn"));
    assert_eq!(said(&mut memory, "(twice 1)"), "name: unknown name twice");
}
