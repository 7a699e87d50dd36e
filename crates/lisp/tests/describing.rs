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

/// What a description of this takes beyond the value itself.
fn spent(of: &str) -> (u64, u64) {
    let run = |program: &str| {
        let (limits, mut memory) =
            (Limits { fuel: u64::MAX, wall_ms: 0, cpu_ms: 0, ..Limits::default() }, Memory::new());
        ptc_lisp::run(program, &mut memory, RunInput::new(&limits, &[], &mut ())).usage
    };
    let (with, without) = (run(&format!("(count (describe {of}))")), run(&format!("(count {of})")));
    (with.fuel - without.fuel, with.memory_bytes.saturating_sub(without.memory_bytes))
}

/// Each cell of a table is paid for: a wider one of as many rows costs as much more.
#[test]
fn every_cell_is_paid_for() {
    let table = |rows: u32, columns: u32| {
        format!(
            "(let [row (zipmap (map #(keyword (str \"c\" %)) (range {columns})) (range))] (vec (repeat {rows} row)))"
        )
    };
    let (narrow, wide) = (spent(&table(2000, 10)).0, spent(&table(2000, 100)).0);
    assert!(narrow >= 2000 * 10 * 8, "{narrow}");
    assert!(wide >= 2000 * 100 * 8 && wide < narrow * 20, "{narrow} {wide}");
    // Rows whose keys stand in other orders are looked through.
    let turned =
        "(mapv (fn [i] (into {} (map (fn [j] [(keyword (str \"c\" (mod (+ i j) 100))) j]) (range 100)))) (range 50))";
    assert!(spent(turned).0 >= 50 * 100 * 8);
}

/// The lists that it makes are on the meter while it runs.
#[test]
fn its_own_memory_is_on_the_meter() {
    let run = |memory_bytes: u64| {
        let (limits, mut memory) = (Limits { memory_bytes, ..Limits::default() }, Memory::new());
        let program = "(def v (vec (repeat 90000 nil))) (count (describe [v v v v v]))";
        format!("{:?}", ptc_lisp::run(program, &mut memory, RunInput::new(&limits, &[], &mut ())).ending)
    };
    let small = run(2_000_000);
    assert!(small.contains("memory"), "{small}");
    assert!(run(20_000_000).starts_with("Value"), "{}", run(20_000_000));
}

#[test]
fn what_is_left_out_is_marked() {
    let wide = "(into {} (map (fn [i] [(keyword (str \"c\" (+ 1000 i))) i]) (range 300)))";
    // A key behind the first ones of some maps is in all of them all the same.
    let text = described(&format!("[{wide} {wide}]"));
    assert!(text.starts_with("list of 2: {:c1000 integer 0, ") && text.ends_with(", ...}"), "{text}");
    assert!(!text.contains('?'), "{text}");
    let text = described(&format!("[{wide} (dissoc {wide} :c1005)]"));
    assert!(text.contains(":c1005? integer 5"), "{text}");
    let text = described(&format!(
        "{{:a [{wide}] :b (mapv (fn [i] (zipmap (map #(str \"key number \" %) (range 190)) (range))) (range 3))}}"
    ));
    assert!(text.len() <= 6000 && text.ends_with("..."), "{text}");
    // What lies deeper than is gone down.
    assert_eq!(
        described("[[[[[[{:a 1}]]]]]]"),
        "list of 1: list of 1: list of 1: list of 1: list of 1: list of 1: ..."
    );
    assert_eq!(described("[[[[[{:a 1}]]]]]"), "list of 1: list of 1: list of 1: list of 1: list of 1: {...}");
}

#[test]
fn what_was_not_looked_at_is_said() {
    assert_eq!(described("(vec (range 100001))"), "list of 100001, the first 100000 of 100001: integer 0..99999");
    assert_eq!(described("(map inc (range 5))"), "list, not all of it realised");
}
