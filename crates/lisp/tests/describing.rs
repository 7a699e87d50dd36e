//! `describe` is true of all items, and says so where it looked at the first of them only.

use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;

fn described(of: &str) -> String {
    let (limits, mut memory) = (Limits::default(), Memory::new());
    let program = format!("(describe {of})");
    match ptc_lisp::run(&program, &mut memory, RunInput::new(&limits, &[], &mut ())).ending {
        RunResult::Value(v) => v.as_str().map_or_else(|| format!("{v:?}"), str::to_owned),
        other => format!("{other:?}"),
    }
}

#[test]
fn ranges_counts_and_nils_are_those_of_all_items() {
    assert_eq!(described("(vec (range 20000))"), "list of 20000: integer 0..19999");
    assert_eq!(described("(doall (map inc (range 500)))"), "list of 500: integer 1..500");
    assert_eq!(
        described("(mapv (fn [i] {:id i :note (if (= i 300) nil \"a\") :price (/ i 2.0)}) (range 20000))"),
        "list of 20000: {:id integer 0..19999, :note string, 1 different or nil, :price number 0.0..9999.5}"
    );
    // One row of another kind, or with another key, far behind.
    assert_eq!(described("(conj (vec (range 5000)) \"x\")"), "list of 5001: integer or string");
    assert_eq!(described("(conj (vec (repeat 1000 {:a 1})) {:b 2})"), "list of 1001: {:a? integer 1, :b? integer 2}");
    assert_eq!(described("[(vec (range 300)) (vec (range 7))]"), "list of 2: list of 7 to 300: integer 0..299");
    let long = "(mapv (fn [i] (apply str i (repeat 300 \"x\"))) (range 20))";
    assert_eq!(described(long), "list of 20: string");
}

#[test]
fn what_was_not_looked_at_is_said() {
    assert_eq!(described("(vec (range 100001))"), "list of 100001, the first 100000 of 100001: integer 0..99999");
    assert_eq!(described("(map inc (range 5))"), "list, not all of it realised");
}
