//! Hostile programs: each ends in its limit, the host lives, memory is as before, and the next turn works.

use ptc_hostile::{Attack, Session, attacks, check};

/// A session whose fuel and memory end soon: which limit ends a program does not depend on how much of it there is, and a debug
/// build is to be through with all of them in a minute. `attacks` runs them at default limits.
fn frugal() -> Session {
    let mut session = Session::default();
    session.limits.fuel = 15_000_000;
    session.limits.memory_bytes = 24 << 20;
    session
}

#[test]
fn hostile_programs_end_in_their_limits() {
    let mut all = attacks();
    assert!(all.len() > 300, "only {} attacks: where are the files?", all.len());
    // All of them with `PTC_ALL=1`, as `.ci/run` has it; without, every third, and a worker of `ptc` tries others.
    if std::env::var_os("PTC_ALL").is_none() {
        all = all.into_iter().step_by(3).collect();
    }
    // Side by side: they are most of this executable's time.
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let wrong: Vec<String> = std::thread::scope(|s| {
        let share = |first| all.iter().skip(first).step_by(threads).filter_map(|a| check(&mut frugal(), a).1).collect();
        let shares: Vec<_> = (0..threads).map(|first| s.spawn(move || -> Vec<String> { share(first) })).collect();
        shares.into_iter().flat_map(|s| s.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} of {} went wrong:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

#[test]
fn the_harness_sees_faults() {
    // A program that ends well where a limit is expected, another kind, a turn that changes what must stay.
    for (source, ends_in) in [("1", "limit"), ("(+ 1 nil)", "limit/fuel"), ("(def kept nil)", "value")] {
        let attack = Attack { name: "planted".into(), ends_in: ends_in.into(), source: source.into() };
        assert!(check(&mut Session::default(), &attack).1.is_some(), "{source}");
    }
}

#[test]
fn sources_that_are_the_attack() {
    let million = |s: &str| s.repeat(1_000_000);
    let cases = [
        ("a million brackets", million("(").chars().take(200_000).collect::<String>(), "limit/depth"),
        ("a million bytes too many", million("("), "limit/source"),
        ("quotes in quotes", "'".repeat(200_000), "limit/depth"),
        ("discards in discards", "#_".repeat(100_000), "limit/depth"),
        ("a long threading", format!("(-> 0 {})", "inc ".repeat(50_000)), "limit/depth"),
        ("a long flat program", "(inc 1)\n".repeat(30_000), "value"),
        ("a wide vector", format!("(count [{}])", "(inc 1) ".repeat(20_000)), "value"),
        ("a wide call", format!("(+ {})", "1 ".repeat(60_000)), "value"),
        ("a placeholder bomb", "#(+ %999999999 1)".to_string(), "parse"),
        ("a long symbol", "a".repeat(200_000), "name"),
        ("a long cond", format!("(cond {} :else 1)", "false 0 ".repeat(10_000)), "value"),
        ("many parameters", format!("(fn [{}] 1)", (0..20_000).map(|i| format!("p{i} ")).collect::<String>()), "value"),
    ];
    let attack = |(name, source, kind): &(&str, String, &str)| Attack {
        name: name.to_string(),
        ends_in: kind.to_string(),
        source: source.clone(),
    };
    let wrong: Vec<String> = cases.iter().filter_map(|c| check(&mut Session::default(), &attack(c)).1).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_value_nested_to_the_limit_is_built_printed_compared_and_dropped() {
    // On the small stack of a test thread: nothing may lean on a large one.
    let mut session = Session::default();
    let n = session.limits.data_depth - 1;
    for wrap in ["[v]", "(list v)", "{:v v}", "#{v}", "(cons v nil)", "(atom-free v)"] {
        let source = format!(
            "(defn atom-free [v] (vector v)) (def deep (loop [i 0 v nil] (if (< i {n}) (recur (inc i) {wrap}) v)))
             [(count (pr-str deep)) (= deep deep) (= deep (loop [i 0 v nil] (if (< i {n}) (recur (inc i) {wrap}) v)))]"
        );
        let got = session.text(&source).unwrap_or_else(|e| panic!("{wrap}: {e}"));
        assert!(got.ends_with("true true]"), "{wrap}: {got}");
        let deeper = format!("(loop [i 0 v deep] (if (< i 10) (recur (inc i) {wrap}) 1))");
        assert!(session.text(&deeper).unwrap_err().starts_with("limit/depth"), "{wrap}");
    }
    drop(session);
}

#[test]
fn an_endless_sequence_can_be_returned_and_is_not_realised() {
    let mut session = Session::default();
    assert_eq!(session.text("(range)").unwrap(), "(...)");
    assert_eq!(session.text("(def s (map inc (range))) (take 3 s)").unwrap(), "(1 2 3)");
    assert_eq!(session.text("(take 3 (drop 5 s))").unwrap(), "(6 7 8)");
}

#[test]
fn a_sequence_that_a_limit_cut_off_never_leaves_an_item_out() {
    let mut session = Session::default();
    session.limits.fuel = 10_000;
    session.text("(defn slow [x] (loop [i 0] (if (< i (if (= x 3) 300 1)) (recur (inc i)) x)))").unwrap();
    let mut cut = 0;
    for rounds in (9000..10_000).step_by(20) {
        session.text("(def s (map slow (range)))").unwrap();
        cut += usize::from(session.text(&format!("(first s) (dotimes [i {rounds}] i) (nth s 5)")).is_err());
        match session.text("(vec (take 6 s))") {
            Ok(v) => assert_eq!(v, "[0 1 2 3 4 5]"),
            Err(e) => assert!(e.contains("an earlier turn ended while it made an item"), "{e}"),
        }
    }
    assert!(cut > 5, "{cut}");
}

#[test]
fn limits_cost_the_same_fuel_in_every_build() {
    // One number for debug and release: fuel is counted, never timed (SECURITY P3).
    let mut session = Session::default();
    let fuel = session.run("(reduce + (map inc (filter odd? (range 1000))))").usage.fuel;
    let again = session.run("(reduce + (map inc (filter odd? (range 1000))))").usage.fuel;
    assert_eq!(fuel, again);
}
