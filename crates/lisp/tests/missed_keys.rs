//! Keys that seem misspelt: which of a program's constant keys are told after a turn, and which are not.

use ptc_lisp::interface::{Outcome, RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print::readable;
use ptc_lisp::value::Value;
use ptc_lisp::{json, run, run_plain};

const ROWS: &str = r#"[{"id": 1, "name": "Ann", "unit price": 2.5, "price": 3, "opt": null},
                       {"id": 2, "name": "Bo", "unit price": 3.5, "price": 4, "discount": 1}]"#;

fn turn(program: &str, memory: &mut Memory) -> Outcome {
    let limits = Limits::default();
    let context = [("rows".to_owned(), json::parse_text(ROWS, &limits).unwrap_or_default())];
    let input = || RunInput { context: &context, ..RunInput::new(&limits, &[], Box::leak(Box::new(()))) };
    let mut plain = memory.clone();
    let (outcome, plain) = (run(program, memory, input()), run_plain(program, &mut plain, input()));
    assert_eq!(words(&outcome), words(&plain), "{program}");
    outcome
}

fn words(outcome: &Outcome) -> Vec<String> {
    let text = |v: &Value| readable(v, 100);
    outcome.missed_keys.iter().map(|m| format!("{} {}", text(&m.key), text(&m.near))).collect()
}

#[track_caller]
fn tells(program: &str, expected: &[&str]) {
    assert_eq!(words(&turn(program, &mut Memory::new())), expected, "{program}");
}

#[test]
fn a_constant_key_that_no_map_has_is_told_with_the_one_that_is_near() {
    for (program, told) in [
        ("(:nme (first ctx/rows))", ":nme :name"),
        ("(:unit_price (first ctx/rows))", ":unit_price \"unit price\""),
        ("(get (first ctx/rows) \"Unit Price\")", "\"Unit Price\" \"unit price\""),
        ("(get (first ctx/rows) :unit-price)", ":unit-price \"unit price\""),
        ("(let [{:keys [nme]} (first ctx/rows)] nme)", ":nme :name"),
        ("(let [{:strs [nme]} (first ctx/rows)] nme)", "\"nme\" :name"),
        ("(let [{n :nme} (first ctx/rows)] n)", ":nme :name"),
        ("(map :nme ctx/rows)", ":nme :name"),
        ("(sum-by #(or % 0) (map :pric ctx/rows))", ":pric :price"),
        ("(map (fn [r] {:name (:name r) :nme (:nme r)}) ctx/rows)", ":nme :name"),
        ("(mapv #(get-in % [:nme :first]) ctx/rows)", ":nme :name"),
        ("((first ctx/rows) :nme)", ":nme :name"),
        ("(select-keys (first ctx/rows) [:id :nme])", ":nme :name"),
        ("(sort-by :NAME ctx/rows)", ":NAME :name"),
        ("(group-by :Id ctx/rows)", ":Id :id"),
        ("(keep :pricee ctx/rows)", ":pricee :price"),
        ("(for [{:keys [nme]} ctx/rows] nme)", ":nme :name"),
        ("(def k :nme) (k (first ctx/rows))", ":nme :name"),
        ("(:nme (into (sorted-map) (first ctx/rows)))", ":nme :name"),
        ("(with-out-str (print-table [:id :nme] ctx/rows))", ":nme :name"),
        ("(->> ctx/rows (filter #(= \"Ann\" (:nme %))) count)", ":nme :name"),
        ("(:nme (zipmap (concat [:name] (range 50)) (range 51)))", ":nme :name"),
    ] {
        tells(program, &[told]);
    }
    // It helps most where nil is no use.
    let failed = turn("(reduce + (map :pric ctx/rows))", &mut Memory::new());
    assert!(matches!(failed.ending, RunResult::Error(_)));
    assert_eq!(words(&failed), [":pric :price"]);
    assert_eq!(words(&turn("(sum-by :pric ctx/rows)", &mut Memory::new())), [":pric :price"]);
    assert_eq!(words(&turn("(return (:nme (first ctx/rows)))", &mut Memory::new())), [":nme :name"]);
}

#[test]
fn what_is_not_misspelt_is_not_told() {
    for program in [
        // There, by another name or as nil.
        "(map :name ctx/rows)",
        "(get (first ctx/rows) \"name\")",
        "(:opt (first ctx/rows))",
        // Optional: another map of the turn has it, before or after.
        "(map :discount ctx/rows)",
        "(map :name [{:name 1} {:nme 2}])",
        "(map :name [{:nme 2} {:name 1}])",
        "(let [a {:name 1} b {:nmae 2}] [(:name a) (:name b)])",
        "[(get {:nmae 2} :name) (get-in {:a {:name 1}} [:a :name])]",
        // A default, or the question whether it is there.
        "(:nme (first ctx/rows) 0)",
        "(get (first ctx/rows) :nme 0)",
        "(get-in (first ctx/rows) [:nme] 0)",
        "(let [{:keys [nme] :or {nme 0}} (first ctx/rows)] nme)",
        "(filter #(contains? % :nme) ctx/rows)",
        "(if (contains? (first ctx/rows) :nme) (:nme (first ctx/rows)) 0)",
        // Nothing near, nothing there, or names that differ in numbers.
        "(:discounted-total (first ctx/rows))",
        "(:nme {})",
        "(:nme nil)",
        "(:q2 {:q1 1})",
        "(get {\"total 2023\" 1} \"total 2024\")",
        // Keys that are data.
        "(let [counts (frequencies [\"north\" \"south\"])] (map #(get counts %) (map #(subs % 1) [\"xnort\" \"xsout\"])))",
        "(let [m {:name 1}] (map m (map keyword [\"nme\"])))",
        "(get (json/parse-string \"{\\\"name\\\": 1}\") (first (keys (json/parse-string \"{\\\"nme\\\": 1}\"))))",
        "(#{:name} :nme)",
    ] {
        tells(program, &[]);
    }
}

#[test]
fn at_most_three_are_told_and_those_of_functions_made_earlier_too() {
    let many =
        "[(:zz {:axe 1}) (:bx1y {:bx1yz 1}) (:nme {:name 1}) (:prce {:price 1}) (:totl {:total 1}) (:nme {:name 1})]";
    tells(many, &[":bx1y :bx1yz", ":nme :name", ":prce :price"]);
    let mut memory = Memory::new();
    turn("(defn names \"All names\" [rows] (map :nme rows))", &mut memory);
    assert_eq!(words(&turn("(names ctx/rows)", &mut memory)), [":nme :name"]);
    // A turn knows nothing of the one before.
    assert_eq!(words(&turn("(map :name ctx/rows)", &mut memory)), [""; 0]);
    assert_eq!(words(&turn("(:nme (first ctx/rows))", &mut memory)), [":nme :name"]);
}

/// Misses cost what they cost, however many there are: only a few of them are remembered.
#[test]
fn many_misses_are_remembered_once() {
    let mut memory = Memory::new();
    let of = |n: u64, key: &str, memory: &mut Memory| {
        let outcome = turn(&format!("(loop [i 0] (when (< i {n}) ({key} {{:name 1}}) (recur (inc i))))"), memory);
        (outcome.usage.fuel, words(&outcome))
    };
    let (hundred, told) = of(100, ":nme", &mut memory);
    assert_eq!(told, [":nme :name"]);
    let (thousand, _) = of(1000, ":nme", &mut memory);
    let (far, told) = of(1000, ":zzzzzz", &mut memory);
    assert!(told.is_empty());
    assert!(thousand < hundred * 11, "{hundred} {thousand}");
    assert_eq!(thousand, far, "what is near is found after the run");
}
