//! Dynamic vars over turns: whatever ends a body, the var has its own value again, and a failed turn leaves nothing.

use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print::brief;

/// What a program gives in a session.
pub fn said(memory: &mut Memory, program: &str) -> String {
    let limits = Limits { fuel: 100_000, ..Limits::default() };
    match ptc_lisp::run(program, memory, RunInput::new(&limits, &[], &mut ())).ending {
        RunResult::Value(v) | RunResult::Returned(v) => brief(&v),
        RunResult::Error(e) => e.kind.as_str().to_string(),
        RunResult::Failed(..) => "failed".to_string(),
    }
}

#[test]
fn a_var_has_its_value_again_however_its_body_ends() {
    for (body, ends) in [
        ("(throw (ex-info \"no\" {}))", "thrown"),
        ("(/ 1 0)", "arithmetic"),
        ("(loop [] (recur))", "limit/fuel"),
        ("((fn f [] (inc (f))))", "limit/depth"),
        ("(fail :no)", "failed"),
        ("(return *x*)", "2"),
        ("(do (set! *x* 5) *x*)", "5"),
        ("(do (def ^:dynamic *x* 7) (throw (ex-info \"no\" {})))", "thrown"),
        ("(binding [*x* 3] (set! *x* 4) (/ 1 0))", "arithmetic"),
        ("(first (map (fn [_] (/ 1 0)) (range)))", "arithmetic"),
    ] {
        let mut memory = Memory::new();
        said(&mut memory, "(def ^:dynamic *x* 1) (defn x [] *x*)");
        assert_eq!(said(&mut memory, &format!("(binding [*x* 2] {body})")), ends, "{body}");
        assert_eq!(said(&mut memory, "[(x) (binding [*x* 9] (x)) *x*]"), "[1 9 1]", "{body}");
        let mut memory = Memory::new();
        said(&mut memory, "(def ^:dynamic *x* 1) (defn x [] *x*)");
        said(&mut memory, &format!("(with-redefs [x (fn [] 2)] (binding [*x* (x)] {body}))"));
        assert_eq!(said(&mut memory, "[(x) *x*]"), "[1 1]", "with-redefs {body}");
    }
}

#[test]
fn what_a_body_defines_stays_and_a_failed_turn_takes_it_back() {
    let mut memory = Memory::new();
    said(&mut memory, "(def ^:dynamic *x* 1)");
    assert_eq!(said(&mut memory, "(binding [*x* 2] (def ^:dynamic *x* 3) (def y *x*)) [*x* y]"), "[3 2]");
    assert_eq!(said(&mut memory, "(binding [*x* 4] (def ^:dynamic *x* 5) (def y 6)) (/ 1 0)"), "arithmetic");
    assert_eq!(said(&mut memory, "[*x* y]"), "[3 2]");
    // Bound, and then redefined, in a turn that fails later; and the other way round.
    assert_eq!(
        said(&mut memory, "(binding [*x* 4] *x*) (def ^:dynamic *x* 5) (binding [*x* 6] *x*) (/ 1 0)"),
        "arithmetic"
    );
    assert_eq!(said(&mut memory, "*x*"), "3");
    assert_eq!(said(&mut memory, "(def *x* 1) (binding [*x* 2] *x*)"), "value");
    assert_eq!(said(&mut memory, "(binding [*x* 2] *x*)"), "2", "that turn failed, so the var is dynamic");
}

#[test]
fn forks_and_sequences_see_the_value_of_then() {
    let mut memory = Memory::new();
    said(&mut memory, "(def ^:dynamic *x* 1)");
    let mut fork = memory.clone();
    said(&mut fork, "(def ^:dynamic *x* 10)");
    assert_eq!(said(&mut memory, "(binding [*x* 2] *x*)"), "2");
    assert_eq!(said(&mut fork, "*x*"), "10");
    // Not made before the body has ended: as in Clojure it sees the root.
    assert_eq!(said(&mut memory, "(first (binding [*x* 2] (map (fn [i] [i *x*]) (iterate inc 0))))"), "[0 1]");
}
