//! Laws of the sequence functions that no example can show: costs, order, endless sources, lying comparators.

use super::host::{Fake, core, ints};
use ptc_lisp::builtins::functions::combinators::native;
use ptc_lisp::host::{Host, InterruptKind};
use ptc_lisp::seq::lazy;
use ptc_lisp::value::Value;

fn func(h: &mut Fake, call: ptc_lisp::builtins::functions::combinators::Call) -> Value {
    native(h, "test", Vec::new(), (0, None), call).unwrap()
}

#[test]
fn sort_is_stable_and_survives_any_comparator() {
    let mut h = Fake::default();
    let pairs: Vec<Value> = (0..500).map(|i| Value::vector(vec![Value::int((i * 7) % 5), Value::int(i)])).collect();
    let first = func(&mut h, |h, _, a| h.call2(&core("nth"), a[0].clone(), Value::int(0)));
    let sorted = h.all("sort-by", vec![first, Value::vector(pairs.clone())]);
    let mut expected = pairs;
    expected.sort_by_key(|v| match v {
        Value::Vector(v) => match v.get(0) {
            Some(Value::Int(i)) => i.get(),
            _ => 0,
        },
        _ => 0,
    });
    assert_eq!(
        ptc_lisp::print::readable(&Value::seq(sorted), 99_999),
        ptc_lisp::print::readable(&Value::seq(expected), 99_999)
    );
    let always: ptc_lisp::builtins::functions::combinators::Call = |_, _, _| Ok(Value::int(1));
    let truth: ptc_lisp::builtins::functions::combinators::Call = |_, _, _| Ok(Value::Bool(true));
    let chance: ptc_lisp::builtins::functions::combinators::Call =
        |h, _, _| Ok(Value::int((h.random() >> 33) as i64 % 3 - 1));
    for liar in [always, truth, chance] {
        let f = func(&mut h, liar);
        let mut all = h.all("sort", vec![f, ints(0..1000)]);
        all.sort_by(ptc_lisp::value::compare::key_order);
        assert_eq!(all.len(), 1000, "nothing is lost or doubled");
        assert!(all.iter().zip(0..).all(|(v, i)| matches!(v, Value::Int(n) if *n == i)));
    }
}

#[test]
fn limits_pass_through_comparators() {
    let mut h = Fake::default();
    h.fuel = 5000;
    let f = func(&mut h, |_, _, _| Ok(Value::int(1)));
    let stop = h.run("sort", vec![f, ints(0..1000)]).err().unwrap();
    assert!(matches!(stop.kind(), InterruptKind::Limit(_)));
}

#[test]
fn endless_sources_end_where_something_takes() {
    let mut h = Fake::default();
    let range = |h: &mut Fake| h.run("range", vec![]).unwrap();
    let r = range(&mut h);
    assert_eq!(h.text("take", vec![Value::int(3), r]), "(0 1 2)");
    let r = range(&mut h);
    assert_eq!(h.text("zipmap", vec![ints([7, 8]), r]), "{7 0, 8 1}");
    let inc = h.run("iterate", vec![core("inc"), Value::int(0)]).unwrap();
    assert_eq!(h.text("nth", vec![inc, Value::int(100_000)]), "100000");
    let r = range(&mut h);
    let odd = h.run("filter", vec![core("odd?"), r]).unwrap();
    let taken = h.run("take", vec![Value::int(2), odd]).unwrap();
    assert_eq!(h.text("into", vec![ints([]), taken]), "[1 3]");
}

#[test]
fn a_shared_range_keeps_no_items() {
    let mut h = Fake::default();
    let r = h.run("range", vec![Value::int(200_000)]).unwrap();
    let before = ptc_lisp::value::node::live_bytes();
    assert_eq!(h.text("reduce", vec![core("+"), r.clone()]), "19999900000");
    assert!(ptc_lisp::value::node::live_bytes() - before < 10_000);
    assert_eq!(h.text("count", vec![r]), "200000");
}

#[test]
fn nested_generators_end_at_data_depth() {
    let mut h = Fake::default();
    let mut v = h.run("range", vec![Value::int(5)]).unwrap();
    let stop = loop {
        match h.run("map", vec![core("inc"), v]) {
            Ok(next) => v = next,
            Err(stop) => break stop,
        }
    };
    assert!(matches!(stop.kind(), InterruptKind::Limit(_)));
    // Just below the limit it is walked, and freed, on the native stack.
    let mut v = h.run("range", vec![Value::int(5)]).unwrap();
    for _ in 0..9_900 {
        v = h.run("map", vec![core("inc"), v]).unwrap();
    }
    assert_eq!(h.text("first", vec![v.clone()]), "9900");
    drop(v);
}

#[test]
fn a_lazy_sequence_that_failed_fails_again() {
    let mut h = Fake::default();
    let r = h.run("range", vec![Value::int(-1), Value::int(3)]).unwrap();
    let parts = func(&mut h, |h, _, a| h.call2(&core("/"), Value::int(6), a[0].clone()));
    let v = h.run("map", vec![parts, r]).unwrap();
    assert_eq!(h.text("first", vec![v.clone()]), "-6");
    for _ in 0..2 {
        let text = h.text("vec", vec![v.clone()]);
        assert!(text.contains("ivide by zero"), "{text}");
    }
}

#[test]
fn an_early_end_does_not_pay_for_the_rest() {
    let mut h = Fake::default();
    let v = ints(0..100_000);
    h.used = 0;
    assert_eq!(h.text("some", vec![core("some?"), v]), "true");
    assert!(h.used < 200, "{}", h.used);
}

#[test]
fn keys_are_equal_as_the_language_says() {
    let mut h = Fake::default();
    let big = Value::big(num_bigint::BigInt::from(1));
    let list = Value::list(vec![Value::int(1), Value::int(2)]);
    let mut items =
        vec![Value::int(1), big, Value::float(1.0), Value::float(0.0), Value::float(-0.0), list, ints([1, 2])];
    assert_eq!(h.text("distinct", vec![Value::vector(items.clone())]), "(1 1.0 0.0 (1 2))");
    // Beyond the few that are compared one by one.
    let mut many: Vec<Value> = (100..200).map(Value::int).collect();
    many.append(&mut items);
    assert_eq!(h.all("distinct", vec![Value::vector(many)]).len(), 104);
    let long: Vec<Value> = (0..100).map(|i| ints((0..20).map(|j| (i % 10) * j))).collect();
    assert_eq!(h.all("distinct", vec![Value::vector(long)]).len(), 10);
}

#[test]
fn steps_of_transducers_work_as_functions_and_as_pipelines() {
    let mut h = Fake::default();
    let cases: Vec<(&str, Vec<Value>, &str)> = vec![
        ("take", vec![Value::int(2)], "[1 1]"),
        ("drop", vec![Value::int(4)], "[1]"),
        ("take-nth", vec![Value::int(2)], "[1 2 1]"),
        ("distinct", vec![], "[1 2 3]"),
        ("dedupe", vec![], "[1 2 3 1]"),
        ("interpose", vec![Value::int(0)], "[1 0 1 0 2 0 3 0 1]"),
        ("partition-all", vec![Value::int(2)], "[[1 1] [2 3] [1]]"),
        ("partition-by", vec![core("odd?")], "[[1 1] [2] [3 1]]"),
        ("take-while", vec![core("odd?")], "[1 1]"),
        ("drop-while", vec![core("odd?")], "[2 3 1]"),
        ("map-indexed", vec![core("+")], "[1 2 4 6 5]"),
    ];
    for (name, args, expected) in cases {
        let source = || ints([1, 1, 2, 3, 1]);
        let xf = h.run(name, args.clone()).unwrap();
        assert_eq!(h.text("into", vec![ints([]), xf.clone(), source()]), expected, "{name} as a pipeline");
        // Hidden behind a function of its own it cannot be looked into.
        let hidden =
            native(&mut h, "hidden", vec![xf], (1, Some(1)), |h, held, a| h.call1(&held[0], a[0].clone())).unwrap();
        assert_eq!(h.text("into", vec![ints([]), hidden.clone(), source()]), expected, "{name} as a function");
        let seq = expected.replacen('[', "(", 1);
        let seq = format!("{})", &seq[..seq.len() - 1]);
        assert_eq!(h.text("sequence", vec![hidden, source()]), seq, "{name} as a sequence");
    }
}

#[test]
fn generators_know_whether_they_end() {
    let mut h = Fake::default();
    let endless = |v: &Value| matches!(v, Value::Lazy(l) if l.endless());
    let r = h.run("range", vec![]).unwrap();
    let mapped = h.run("map", vec![core("inc"), r.clone()]).unwrap();
    assert!(endless(&r) && endless(&mapped));
    let taken = h.run("take", vec![Value::int(3), mapped]).unwrap();
    assert!(!endless(&taken));
    let both = h.run("map", vec![core("+"), r, ints([1])]).unwrap();
    assert!(!endless(&both));
    #[derive(Clone)]
    struct Nothing;
    impl ptc_lisp::seq::Generator for Nothing {
        fn step(&mut self, _: &mut dyn Host) -> ptc_lisp::host::Result<ptc_lisp::seq::Step> {
            Ok(ptc_lisp::seq::Step::End)
        }
        fn weight(&self) -> u64 {
            0
        }
        fn depth(&self) -> u32 {
            0
        }
    }
    assert_eq!(h.text("cycle", vec![lazy(Nothing)]), "()");
}

#[test]
fn texts_sort_as_compare_says() {
    let mut h = Fake::default();
    let words = ["b", "a\0", "a", "", "abcdefgh", "abcdefghi", "abcdefgh\0", "Abc", "abcdefg", "\0", "a\0b", "zz"];
    let sorted = h.all("sort", vec![Value::vector(words.iter().map(Value::str).collect())]);
    let got: Vec<&str> = sorted.iter().filter_map(Value::as_str).collect();
    let mut expected = words.to_vec();
    expected.sort_unstable();
    assert_eq!(got, expected);
}

#[test]
fn a_sequence_that_has_been_made_adds_no_depth() {
    let mut h = Fake::default();
    let mut v = h.run("iterate", vec![core("inc"), Value::int(0)]).unwrap();
    for _ in 0..12_000 {
        h.run("first", vec![v.clone()]).unwrap();
        v = h.run("drop", vec![Value::int(1), v]).unwrap();
    }
    assert_eq!(h.text("first", vec![v]), "12000");
}

#[test]
fn keys_of_several_places_sort_as_compare_says() {
    let mut h = Fake::default();
    let v = |a: Value, b: Value| Value::vector(vec![a, b]);
    let keys = vec![
        v(Value::int(2), Value::str("b")),
        v(Value::int(1), Value::str("zz")),
        v(Value::int(2), Value::str("a")),
        v(Value::int(1), Value::str("abcdefghij")),
        v(Value::int(1), Value::str("abcdefghia")),
    ];
    let expected = r#"([1 "abcdefghia"] [1 "abcdefghij"] [1 "zz"] [2 "a"] [2 "b"])"#;
    assert_eq!(h.text("sort", vec![Value::vector(keys.clone())]), expected);
    let mut mixed = keys;
    mixed.push(v(Value::float(1.5), Value::Nil));
    mixed.push(Value::vector(vec![]));
    assert!(h.text("sort", vec![Value::vector(mixed)]).starts_with("([] [1 \"abcdefghia\"]"));
    assert!(
        h.text("sort", vec![Value::vector(vec![v(Value::int(1), Value::Nil), v(Value::str("a"), Value::Nil)])])
            .contains("compare")
    );
}

#[test]
fn a_lazy_sequence_that_is_itself_is_empty() {
    #[derive(Clone)]
    struct Link(Value);
    impl ptc_lisp::seq::Generator for Link {
        fn step(&mut self, h: &mut dyn Host) -> ptc_lisp::host::Result<ptc_lisp::seq::Step> {
            let Value::Volatile(cell) = self.0 else { return Ok(ptc_lisp::seq::Step::End) };
            Ok(ptc_lisp::seq::Step::Rest(h.cell_get(cell)))
        }
        fn weight(&self) -> u64 {
            0
        }
        fn depth(&self) -> u32 {
            0
        }
    }
    let mut h = Fake::default();
    let (a, b) = (h.cell(Value::Nil).unwrap(), h.cell(Value::Nil).unwrap());
    let (x, y) = (lazy(Link(Value::Volatile(b))), lazy(Link(Value::Volatile(a))));
    h.cell_set(a, x.clone());
    h.cell_set(b, y.clone());
    for v in [&x, &y, &x] {
        assert_eq!(h.text("first", vec![v.clone()]), "nil");
    }
    // A chain that breaks at its end can be asked again.
    let c = h.cell(Value::int(5)).unwrap();
    let z = lazy(Link(Value::Volatile(c)));
    let d = h.cell(z).unwrap();
    let w = lazy(Link(Value::Volatile(d)));
    assert!(h.text("first", vec![w.clone()]).contains("not a collection"));
    assert!(h.text("first", vec![w]).contains("not a collection"));
}

#[test]
fn generators_that_nest_while_they_run_end_as_a_limit() {
    /// Each asks for one inside itself: `(defn g [n] (lazy-seq (map inc (g (inc n)))))`.
    #[derive(Clone)]
    struct Inner;
    impl ptc_lisp::seq::Generator for Inner {
        fn step(&mut self, h: &mut dyn Host) -> ptc_lisp::host::Result<ptc_lisp::seq::Step> {
            Ok(ptc_lisp::seq::Step::Rest(h.call2(&core("map"), core("inc"), lazy(Inner))?))
        }
        fn weight(&self) -> u64 {
            0
        }
        fn depth(&self) -> u32 {
            1
        }
    }
    let mut h = Fake::default();
    let stop = h.run("first", vec![lazy(Inner)]).err().unwrap();
    assert!(matches!(stop.kind(), InterruptKind::Limit(_)));
    let again = h.run("range", vec![Value::int(3)]).unwrap();
    assert_eq!(h.text("vec", vec![again]), "[0 1 2]");
}

#[test]
fn what_comes_to_an_end_is_known_to() {
    let mut h = Fake::default();
    let finite = |v: &Value| ptc_lisp::seq::is_finite(v);
    let few = h.run("range", vec![Value::int(50_000)]).unwrap();
    let mut v = few.clone();
    for name in ["map", "filter", "take-while", "drop-while", "map-indexed"] {
        let f = if name == "map-indexed" { core("max") } else { core("identity") };
        v = h.run(name, vec![f, v]).unwrap();
        assert!(finite(&v), "{name}");
    }
    let both = h.run("concat", vec![v, few]).unwrap();
    assert!(finite(&both));
    let all = h.run("range", vec![]).unwrap();
    let odd = h.run("filter", vec![core("odd?"), all.clone()]).unwrap();
    let open = h.run("concat", vec![both, odd.clone()]).unwrap();
    assert!(!finite(&odd) && !finite(&open));
    let taken = h.run("take", vec![Value::int(5), odd]).unwrap();
    assert!(finite(&taken));
}

/// What sequences hold is counted when one is made of another: once for each, however many are stacked.
#[test]
fn sequences_stacked_on_others_are_counted_once() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    #[derive(Clone)]
    struct Counted(Arc<AtomicU64>);
    impl ptc_lisp::seq::Generator for Counted {
        fn step(&mut self, _: &mut dyn Host) -> ptc_lisp::host::Result<ptc_lisp::seq::Step> {
            Ok(ptc_lisp::seq::Step::Item(Value::int(1)))
        }
        fn weight(&self) -> u64 {
            self.0.fetch_add(1, Relaxed) + 1
        }
        fn depth(&self) -> u32 {
            0
        }
    }
    let (mut h, asked) = (Fake::default(), Arc::new(AtomicU64::new(0)));
    let mut v = lazy(Counted(asked.clone()));
    for _ in 0..500 {
        v = h.run("map", vec![core("inc"), v]).unwrap();
    }
    assert!(asked.load(Relaxed) < 10, "{asked:?}");
    // After a step it may hold more: it is asked again.
    let before = asked.load(Relaxed);
    assert_eq!(h.text("first", vec![v]), "501");
    assert!(asked.load(Relaxed) < before + 10, "{asked:?}");
}
