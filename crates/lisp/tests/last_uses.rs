//! A variable is moved at its last use and not before: programs that read one again where it is easily overlooked.

use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::{print, run, run_plain};

fn answer(program: &str, plain: bool) -> String {
    let limits = Limits::default();
    let mut nobody = ();
    let turn = RunInput::new(&limits, &[], &mut nobody);
    let run = if plain { run_plain } else { run };
    match run(program, &mut Memory::new(), turn).ending {
        RunResult::Value(v) => print::readable(&v, 1000),
        RunResult::Error(e) => format!("{}: {}", e.kind.as_str(), e.message),
        other => format!("{other:?}"),
    }
}

#[test]
fn what_is_read_again_is_still_there() {
    let cases: &[(&str, &str)] = &[
        // First values of a loop that read the names before them.
        ("(loop [xs [1 2 3] n (count xs)] xs)", "[1 2 3]"),
        ("(loop [xs [1 2 3] n (count xs)] (if (> n 5) xs (recur (conj xs 9) (inc n))))", "[1 2 3 9 9 9]"),
        ("(loop [a [1] b a c (conj b 2)] [a b c])", "[[1] [1] [1 2]]"),
        ("(loop [a [1] f (fn [] a) n 0] (if (< n 2) (recur (conj a n) f (inc n)) [a (f)]))", "[[1 0 1] [1]]"),
        ("(loop [[x & more] [1 2 3] n (count more)] [x more n])", "[1 (2 3) 2]"),
        ("(loop [{:keys [a]} {:a [1]} b (conj a 2)] [a b])", "[[1] [1 2]]"),
        ("(let [a [1]] (loop [b a c (conj b 2) i 0] (if (< i 1) (recur a b (inc i)) [a b c])))", "[[1] [1] [1]]"),
        // One variable given to several places of a recur, one of them its own.
        ("(loop [x [1] y nil] (if y [x y] (recur x x)))", "[[1] [1]]"),
        ("(loop [x nil y [1]] (if x [x y] (recur y y)))", "[[1] [1]]"),
        ("(loop [x [1] y nil z nil] (if y [x y z] (recur x x x)))", "[[1] [1] [1]]"),
        ("(loop [x nil y [1] z nil] (if x [x y z] (recur y y y)))", "[[1] [1] [1]]"),
        ("((fn [x y] (if y [x y] (recur x x))) [1] nil)", "[[1] [1]]"),
        ("(loop [x [1] y [2] n 0] (if (= n 3) [x y] (recur y x (inc n))))", "[[2] [1]]"),
        ("(loop [x [1] y [2] n 0] (if (= n 2) [x y] (recur (conj x (count y)) x (inc n))))", "[[1 1 1] [1 1]]"),
        // What a handler reads, where nothing behind the place continues.
        ("(let [x [1]] (try (case (count (conj x 2)) 9 9) (catch Exception e x)))", "[1]"),
        ("(let [x [1]] (try (case (conj x 2)) (catch Exception e x)))", "[1]"),
        (
            "(let [x [1]] (try (throw (ex-info \"\" {:x (conj x 2)})) (catch Exception e [x (ex-data e)])))",
            "[[1] {:x [1 2]}]",
        ),
        // What a finally reads, and what is read after it.
        ("(let [x [1] a (atom nil)] [(try (conj x 2) (finally (reset! a (conj x 3)))) @a x])", "[[1 2] [1 3] [1]]"),
        (
            "(let [x [1] a (atom [])] [(try (throw (Exception. \"m\")) (catch Exception e (conj x 2)) (finally (swap! a conj x))) @a])",
            "[[1 2] [[1]]]",
        ),
        (
            "(let [a (atom [])] [(try (try (throw (Exception. \"m\")) (finally (swap! a conj 1))) (catch Exception e :c)) @a])",
            "[:c [1]]",
        ),
        (
            "(loop [i 0 out []] (if (< i 4) (recur (inc i) (conj out (try (if (odd? i) (throw (Exception. \"o\")) i) (catch Exception e :odd) (finally i)))) out))",
            "[0 :odd 2 :odd]",
        ),
        ("(defn f [x] (try (return x) (finally (println x)))) (try (f 1) (finally 2))", "Returned(1)"),
    ];
    for (program, expected) in cases {
        assert_eq!(answer(program, false), *expected, "{program}");
        assert_eq!(answer(program, true), *expected, "plain: {program}");
    }
}

#[test]
fn a_function_that_is_among_its_own_many_arguments() {
    let args = "f ".repeat(300);
    let program = format!("(let [f (fn [& xs] (count (filter fn? xs)))] (f {args}))");
    assert_eq!(answer(&program, false), "300");
}

/// Work on a program grows with its length, however its loops and handlers are nested. Before, each level
/// doubled it: these programs took minutes, or all memory.
#[test]
fn forms_inside_forms_are_looked_at_once() {
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("(let [a 1] {}{inner}{})", open.repeat(depth), close.repeat(depth))
    };
    assert_eq!(answer(&nested("(loop [i 0] (if (> i 0) (recur 0) ", "a", "))", 80), false), "1");
    assert_eq!(answer(&nested("(try ", "a", " (finally (inc a)))", 200), false), "1");
    assert_eq!(answer(&nested("(try a (finally ", "a", "))", 100), false), "1");
    let patterns = nested("(loop [{b :b :or {b ", "a", "}} {}] b)", 60);
    let ended = answer(&patterns, false);
    assert!(ended.starts_with("limit/memory: memory_bytes = "), "{ended}");
    // Many arguments of one recur, each of which may read what another writes.
    let names: String = (0..6000).map(|i| format!(" x{i} {i}")).collect();
    let values: String = (0..6000).map(|i| format!(" (inc x{i})")).collect();
    assert_eq!(answer(&format!("(loop [{names}] (if (> x0 0) [x0 x5999] (recur {values})))"), false), "[1 6000]");
}
