//! What hostile programs leave behind in a session and after it: nothing (attack classes 20, 21, 25, 34, 38).

use ptc_hostile::{Session, ending};
use ptc_lisp::interface::RunResult;
use ptc_lisp::value::node::live_bytes;

/// Definitions that hold themselves.
const RINGS: &[&str] = &[
    "(def ones (lazy-seq (cons 1 ones))) (take 3 ones)",
    "(def fibs (lazy-cat [0 1] (map +' (rest fibs) fibs))) (nth fibs 50)",
    "(def s (lazy-seq (cons 1 (lazy-seq s)))) (take 3 s)",
    "(def a (iterate (fn [_] a) 1)) (count (take 3 a))",
    "(def m {:xs (lazy-seq [m])}) (count (first (:xs m)))",
    "(def at (atom nil)) (reset! at (lazy-seq (cons 1 @at))) (take 2 @at)",
    "(def at (atom nil)) (reset! at [at (fn [] at) {:at at}]) nil",
    "(declare g) (def l (lazy-seq (cons 1 (g)))) (defn g [] l) (take 2 l)",
    "(def xs (vec (map (fn [i] (lazy-seq (cons i xs))) (range 50)))) (count (map first xs))",
];

#[test]
fn class_20_rings_are_freed_with_their_session() {
    for ring in RINGS {
        let before = live_bytes();
        let mut session = Session::default();
        let outcome = session.run(ring);
        assert_eq!(ending(&outcome), "value", "{ring}");
        drop(outcome);
        drop(session);
        assert_eq!(live_bytes() - before, 0, "{ring}");
    }
}

#[test]
fn class_20_a_fork_keeps_what_its_origin_lets_go() {
    let mut session = Session::default();
    session.run("(def ones (lazy-seq (cons 1 ones))) (first ones)");
    let mut fork = Session { memory: session.memory.clone(), limits: session.limits.clone() };
    drop(session);
    assert_eq!(fork.text("(take 4 ones)").as_deref(), Ok("(1 1 1 1)"));
}

#[test]
fn class_20_rings_of_a_long_session_do_not_add_up() {
    let mut session = Session::default();
    session.limits.memory_bytes = 2 << 20;
    let before = live_bytes();
    for i in 0..200 {
        let ring = format!("(def r (lazy-seq (cons (vec (range {i} {})) r))) (count (first r))", i + 1000);
        assert_eq!(ending(&session.run(&ring)), "value", "turn {i}");
    }
    assert!(live_bytes() - before < 2 << 20, "{} bytes", live_bytes() - before);
    assert_eq!(session.text("(count (take 3 r))").as_deref(), Ok("3"));
}

#[test]
fn class_38_a_thousand_failing_turns_leave_nothing() {
    let mut session = Session::default();
    session.run("(def kept [1 2 3]) (def counter (atom 7))");
    session.limits.fuel = 20_000;
    let failing = [
        "(def kept 1) (/ 1 0)",
        "(swap! counter inc) (loop [] (recur))",
        "(def x (vec (range 100))) (fail x)",
        "(def s (lazy-seq (cons 1 s))) (nth s 10) (throw (ex-info \"no\" {:s s}))",
        "(reset! counter [counter]) (nth [] 1)",
        "(defn f [n] (inc (f n))) (f 1)",
        "(",
        "no-such-name",
    ];
    let round = |session: &mut Session| {
        for source in failing {
            assert_ne!(ending(&session.run(source)), "value", "{source}");
        }
    };
    round(&mut session);
    let before = live_bytes();
    for _ in 0..125 {
        round(&mut session);
    }
    // Lazy sequences that held themselves go with the session at the latest; they are small here.
    assert!(live_bytes() - before < 256 << 10, "{} bytes", live_bytes() - before);
    assert_eq!(session.text("[kept @counter]").as_deref(), Ok("[[1 2 3] 7]"));
}

#[test]
fn class_25_no_nested_entry_gets_a_fresh_budget() {
    let mut session = Session::default();
    session.limits.fuel = 2_000_000;
    let nested = [
        "(doall (map (fn [x] (sort-by (fn [y] (loop [] (recur))) [1 2])) [1 2]))",
        "(with-out-str (run! (fn [x] (loop [] (recur))) [1]))",
        "@(delay (reduce (fn [a x] (loop [] (recur))) [1 2 3]))",
        "(nth (lazy-seq (loop [] (recur))) 1)",
        "(str/replace \"aaa\" #\"a\" (fn [m] (loop [] (recur))))",
    ];
    for source in nested {
        let outcome = session.run(source);
        assert_eq!(ending(&outcome), "limit/fuel", "{source}");
        assert_eq!(outcome.usage.fuel, 2_000_000, "{source}");
    }
}

#[test]
fn class_21_every_shape_of_growth_ends_in_memory() {
    // Each makes something new in every round; fuel is without bound here, so that memory has to be what ends it.
    let shapes = [
        "(str \"text number \" i)",
        "(keyword (str \"key\" i))",
        "(symbol (str \"sym\" i))",
        "[i]",
        "{:i i}",
        "#{i}",
        "(list i)",
        "(cons i nil)",
        "(atom i)",
        "(volatile! i)",
        "(delay i)",
        "(fn [] i)",
        "(partial + i)",
        "(comp inc (partial + i))",
        "(lazy-seq [i])",
        "(map inc (iterate inc i))",
        "(+ 100000000000000000000N i)",
        "(/ (inc i) 1000003)",
        "(ex-info \"e\" {:i i})",
        "(with-meta [] {:i i})",
        "(random-uuid)",
        "(re-pattern (str \"a\" i))",
        "(with-out-str (print i i))",
        "(json/generate-string [i])",
        "(json/parse-string (str \"{\\\"a\\\":\" i \"}\"))",
        "(try (nth [] i) (catch Exception e e))",
        "(memoize (fn [] i))",
        "(reduced [i])",
        "(sorted-map i i)",
        "(range i)",
        "(subvec [i i i] 1)",
    ];
    let mut session = Session::default();
    (session.limits.memory_bytes, session.limits.fuel) = (4 << 20, u64::MAX);
    for shape in shapes {
        let before = live_bytes();
        let outcome = session.run(&format!("(loop [i 0 v []] (recur (inc i) (conj v {shape})))"));
        assert_eq!(ending(&outcome), "limit/memory", "{shape}");
        drop(outcome);
        assert!(live_bytes() - before < 64 << 10, "{shape} leaves {} bytes", live_bytes() - before);
    }
}

/// Definitions of a turn, `{i}` its number, each of which holds some hundred kilobytes.
const DEFINITIONS: &[&str] = &[
    "(def x{i} (vec (range 20000)))",
    "(def x{i} (mapv str (range 3000)))",
    "(def x{i} (zipmap (range 3000) (range)))",
    "(def x{i} (atom (vec (range 20000))))",
    "(def x{i} (cycle (vec (range 20000))))",
    "(def x{i} (map vector (range) (cycle (mapv str (range 3000)))))",
    "(def x{i} (mapv (fn [n] (fn [] n)) (range 1500)))",
    "(def x{i} (mapv (fn [n] (re-pattern (str \"a{900}\" n))) (range 5)))",
    "(def x{i} (with-meta [] {:big (vec (range 20000))}))",
    "(defn x{i} [n] [{{800*(fn [y] (+ n y)) }}])",
    "(def x{i} (apply str (repeat 300000 \"x\")))",
    "(def x{i} (let [f (memoize (fn [n] [n n n]))] (run! f (range 2000)) f))",
];

#[test]
fn class_21_what_a_session_holds_over_its_turns_is_bounded() {
    const LIMIT: u64 = 3 << 20;
    for definition in DEFINITIONS {
        let mut session = Session::default();
        session.limits.session_bytes = LIMIT;
        session.run("(def kept [1 2 3])");
        let before = live_bytes();
        let mut refused = 0;
        for i in 0..60 {
            let (head, tail) = definition.split_once("{{").unwrap_or((definition, ""));
            let (inner, tail) = tail.split_once("}}").unwrap_or(("", tail));
            let many = inner.split_once('*').map_or(String::new(), |(n, text)| text.repeat(n.parse().unwrap()));
            let program = format!("{head}{many}{tail}").replace("{i}", &i.to_string());
            let outcome = session.run(&program);
            if ending(&outcome) != "value" {
                let RunResult::Error(e) = &outcome.ending else { panic!("{definition}") };
                let hint = e.hint.clone().unwrap_or_default();
                assert!(e.message.starts_with("session_bytes = 3145728 would be passed: "), "{definition}: {e}");
                assert!(hint.contains("(def x"), "{definition}: {e} {hint}");
                refused += 1;
            }
        }
        assert!(refused > 20, "{definition}: {refused} turns were refused");
        let held = live_bytes() - before;
        assert!(held < LIMIT as i64 + (1 << 20), "{definition}: {held} bytes");
        // What was there is there, what is freed makes room.
        assert_eq!(session.text("kept").as_deref(), Ok("[1 2 3]"), "{definition}");
        assert_eq!(session.text("(def x0 nil) (def x1 nil) (def x2 nil)").as_deref(), Ok("#'user/x2"), "{definition}");
        let again = definition.replace("{i}", "0").replace("{{800*", "").replace("}}", "");
        assert_eq!(ending(&session.run(&again)), "value", "{definition}");
    }
}

#[test]
fn what_definitions_share_counts_once() {
    let mut session = Session::default();
    session.limits.session_bytes = 4 << 20;
    session.run("(def big (vec (range 100000)))");
    for i in 0..100 {
        let program = format!("(def a{i} big) (def b{i} {{:big big}}) (def c{i} (fn [] big)) (def d{i} (rest big))");
        assert_eq!(ending(&session.run(&program)), "value", "turn {i}");
    }
}

#[test]
fn class_22_texts_that_nobody_can_see_are_no_entries() {
    let mut session = Session::default();
    let outcome =
        session.run("(dotimes [i 100000] (print \"\") (pr) (flush)) (print \"a\") (print \"\") (print \"b\")");
    assert_eq!(outcome.printed, ["a", "b"]);
    // Each entry has its price, in memory too.
    let outcome = session.run("(loop [] (print \"x\") (recur))");
    assert_eq!(ending(&outcome), "limit/output");
    assert!(outcome.printed.len() < 30_000, "{} entries", outcome.printed.len());
    assert!(outcome.usage.memory_bytes > outcome.printed.len() as u64 * 48, "{:?}", outcome.usage);
}

#[test]
fn class_29_names_of_one_function_do_not_each_tell_of_all_its_parameters() {
    let mut session = Session::default();
    let outcome = session.run(
        "(def f (eval (list 'fn (mapv (fn [i] (symbol (str \"p\" i))) (range 20000)) 1)))
         (dotimes [i 50] (eval (list 'def (symbol (str \"n\" i)) 'f)))",
    );
    assert_eq!(ending(&outcome), "value");
    let longest = outcome.definitions.iter().filter_map(|d| d.params.as_ref()).map(String::capacity).max();
    assert_eq!((outcome.definitions.len(), longest), (51, Some(4096)));
}

#[test]
fn a_definition_made_again_and_again_goes_back_to_what_it_was() {
    let mut session = Session::default();
    session.run("(def x 1) (def ^:dynamic d 1)");
    let failing = [
        "(dotimes [i 9] (def x i)) (fail x)",
        "(dotimes [i 9] (eval '(def x 2)) (def x i) (eval '(do (def x 3) (def y x)))) (fail x)",
        "(dotimes [i 9] (with-redefs [x i] (def x 5)) (def x 6)) (fail x)",
        "(def x 2) (defmacro m [] (def x 7) x) (def x (m)) (with-redefs [x 8] (fail x))",
        "(dotimes [i 9] (binding [d 2] (set! d i) (def ^:dynamic d i)) (def ^:dynamic d i)) (def x 3) (fail x)",
        "(binding [d 2] (def ^:dynamic d 7)) (binding [d 3] (def ^:dynamic d 8)) (fail d)",
    ];
    for program in failing {
        assert_eq!(ending(&session.run(program)), "failed", "{program}");
        assert_eq!(session.text("[x d]").as_deref(), Ok("[1 1]"), "{program}");
    }
    // What each of them replaced is let go, so that the turn's memory does not fill up.
    session.limits.memory_bytes = 4 << 20;
    assert_eq!(ending(&session.run("(dotimes [i 1000] (def x (vec (range 10000))))")), "value");
}
