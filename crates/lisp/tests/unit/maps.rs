//! Large maps against a model, with keys of all kinds, shared and changed in all mixtures; and what is changed in place.

// No order looks at what is mutable in a key: its mark.
#![allow(clippy::mutable_key_type)]

use proptest::prelude::*;
use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::value::compare::{equal, key_order};
use ptc_lisp::value::map::{Key, copies};
use ptc_lisp::value::node::{allocated_bytes, live_bytes};
use ptc_lisp::value::{Cons, Item, Map, SeqKind, Set, Value, lookup};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Keys of all kinds, many of them the same key written in several ways.
fn key(n: usize) -> Value {
    let i = (n / 24) as i64 % 12;
    let text = ["a", "b", "a/b", "", "long", "longer than eight", "a\0", "é"][n / 24 % 8];
    let big = |i: i64| Value::big(i.into());
    let huge = Value::big(num_bigint::BigInt::from(i) << 70);
    match n % 24 {
        0..=3 => Value::int(i),
        4 => big(i),
        5 => huge,
        6 => Value::float(i as f64),
        7 => Value::float([0.0, -0.0, f64::NAN, -f64::NAN, 0.5, f64::INFINITY][n / 24 % 6]),
        8 => Value::ratio(num_rational::BigRational::new((2 * i + 1).into(), 2.into())),
        9 | 10 => Value::str(text),
        11 => Value::plain_keyword(text),
        12 => Value::keyword(text),
        13 => Value::Symbol(ptc_lisp::value::Symbol::parse(text)),
        14 => Value::Char(char::from(b'a' + (n / 24 % 6) as u8)),
        15 => [Value::Nil, Value::Bool(true), Value::Bool(false)][n / 24 % 3].clone(),
        16 => Value::vector(vec![Value::int(i), Value::str(text)]),
        17 => Value::list(vec![big(i), Value::str(text)]),
        18 => Value::Cons(Cons::new(Value::int(i), Value::seq(vec![Value::str(text)]), Some(1), SeqKind::List)),
        19 => Value::vector((0..6 + i % 6).map(Value::int).collect()),
        20 => Value::vector(vec![Value::vector(vec![Value::int(i)])]),
        21 => Value::map([(Value::str(text), Value::int(i))]),
        22 => Value::set([Value::int(i), Value::str(text)]),
        _ => Value::uuid(i as u128),
    }
}

#[derive(Debug, Clone)]
enum Op {
    Insert(usize, usize),
    Remove(usize, usize),
    Change(usize, usize),
    Take(usize, usize),
    Share(usize, usize),
    Order(usize),
    Part(usize, usize),
    Look(usize, usize),
    WithMeta(usize),
}

const KEYS: usize = 24 * 24;
const VERSIONS: usize = 3;

fn op() -> impl Strategy<Value = Op> {
    let (v, k) = (0..VERSIONS, 0..KEYS);
    prop_oneof![
        6 => (v.clone(), k.clone()).prop_map(|(v, k)| Op::Insert(v, k)),
        3 => (v.clone(), k.clone()).prop_map(|(v, k)| Op::Remove(v, k)),
        3 => (v.clone(), k.clone()).prop_map(|(v, k)| Op::Change(v, k)),
        2 => (v.clone(), k.clone()).prop_map(|(v, k)| Op::Take(v, k)),
        2 => (v.clone(), v.clone()).prop_map(|(v, w)| Op::Share(v, w)),
        1 => v.clone().prop_map(Op::Order),
        1 => (v.clone(), 0..40usize).prop_map(|(v, n)| Op::Part(v, n)),
        4 => (v.clone(), k).prop_map(|(v, k)| Op::Look(v, k)),
        1 => v.prop_map(Op::WithMeta),
    ]
}

type Model = BTreeMap<Key<Value>, Value>;

fn shown<'a>(entries: impl Iterator<Item = (&'a Value, &'a Value)>) -> Vec<String> {
    entries.map(|(k, v)| format!("{} {k:?} {v:?}", k.kind())).collect()
}

fn of(model: &Model) -> Vec<String> {
    shown(model.iter().map(|(k, v)| (&k.0, v)))
}

/// The same entries as a tree.
fn tree(model: &Model) -> Map {
    let mut m = Map::sorted();
    m.extend(model.iter().map(|(k, v)| (k.0.clone(), v.clone())));
    m
}

/// Many integers, and then keys of every kind that has a hash, or of one that has none.
fn filled(plain: bool) -> (Map, Model) {
    let mut entries: Vec<(Value, Value)> = (100..140).map(|i| (Value::int(i), Value::int(-i))).collect();
    if !plain {
        entries.push((key(21), Value::Nil));
    }
    (Map::from_entries(entries.clone()), entries.into_iter().map(|(k, v)| (Key(k), v)).collect())
}

fn check_all(ops: &[Op], plain: bool) {
    let before = live_bytes();
    {
        let mut versions = vec![filled(plain); VERSIONS];
        for (i, op) in ops.iter().enumerate() {
            let val = Value::int(i as i64);
            match *op {
                Op::Insert(v, k) => {
                    let (m, model) = &mut versions[v];
                    m.insert(key(k), val.clone());
                    model.insert(Key(key(k)), val);
                }
                Op::Remove(v, k) => {
                    let (m, model) = &mut versions[v];
                    let gone = (m.remove(&key(k)), model.remove(&Key(key(k))));
                    assert_eq!(format!("{:?}", gone.0), format!("{:?}", gone.1));
                }
                Op::Change(v, k) => {
                    let (m, model) = &mut versions[v];
                    let changed = m.change(&key(k), |_| Ok::<_, ()>(val.clone()));
                    let slot = model.get_mut(&Key(key(k)));
                    assert_eq!(changed, Ok(slot.is_some()));
                    if let Some(slot) = slot {
                        *slot = val;
                    }
                }
                Op::Take(v, k) => {
                    let (m, model) = &mut versions[v];
                    let (taken, slot) = (m.take(&key(k)), model.get_mut(&Key(key(k))));
                    assert_eq!(format!("{taken:?}"), format!("{:?}", slot.as_ref().map(|v| (**v).clone())));
                    if let Some(slot) = slot {
                        m.insert(key(k), val.clone());
                        *slot = val;
                    }
                }
                Op::Share(v, w) => versions[w] = versions[v].clone(),
                Op::Order(v) => {
                    let (m, model) = &versions[v];
                    assert_eq!(shown(m.iter()), of(model));
                }
                Op::Part(v, n) => {
                    let (m, model) = &versions[v];
                    let after = n.checked_sub(1).and_then(|n| model.keys().nth(n));
                    let place = if after.is_some() { n } else { 0 };
                    let part = m.part(after.map(|k| &k.0), place, 5);
                    let wanted: Vec<String> = of(model).into_iter().skip(place).take(5).collect();
                    assert_eq!(shown(part.iter().map(|(k, v)| (k, v))), wanted);
                }
                Op::Look(v, k) => {
                    let (m, model) = &versions[v];
                    let wanted = model.get_key_value(&Key(key(k))).map(|(k, v)| (&k.0, v));
                    assert_eq!(shown(m.entry(&key(k)).into_iter()), shown(wanted.into_iter()));
                    assert_eq!(m.get(&key(k)).is_some(), wanted.is_some());
                    // By the equal name as well.
                    let (found, wanted) = (lookup::entry(m, &key(k)), tree(model));
                    assert_eq!(shown(found.into_iter()), shown(lookup::entry(&wanted, &key(k)).into_iter()));
                }
                Op::WithMeta(v) => {
                    let m = std::mem::take(&mut versions[v].0);
                    versions[v].0 = m.with_meta(Some(Value::int(1)));
                }
            }
        }
        for (m, model) in &versions {
            assert_eq!(m.len(), model.len());
            let (a, b) = (Value::Map(m.clone()), Value::Map(tree(model)));
            let nan = model.keys().any(|k| !equal(&k.0, &k.0)) || model.values().any(|v| !equal(v, v));
            assert!(nan || equal(&a, &b) && equal(&b, &a));
            assert_eq!(key_order(&a, &b), Ordering::Equal);
            assert_eq!(shown(m.iter()), of(model));
            let mut any = shown(m.iter_unordered());
            let mut all = of(model);
            any.sort();
            all.sort();
            assert_eq!(any, all);
        }
    }
    assert_eq!(live_bytes(), before, "what was put on the meter was not taken off");
}

/// What the meter says after these operations, with or without asking for the order in between.
fn metered(ops: &[Op], ask: bool) -> Vec<(i64, u64)> {
    let (live, made) = (live_bytes(), allocated_bytes());
    let mut versions = vec![filled(true).0; VERSIONS];
    let readings = ops.iter().map(|op| {
        match *op {
            Op::Insert(v, k) => versions[v].insert(Value::int(k as i64), Value::Nil),
            Op::Remove(v, k) => drop(versions[v].remove(&Value::int(k as i64))),
            Op::Change(v, k) => drop(versions[v].change(&Value::int(k as i64), Ok::<_, ()>)),
            Op::Share(v, w) => versions[w] = versions[v].clone(),
            Op::Order(v) if ask => drop(versions[v].iter()),
            Op::Order(_) | Op::Part(..) | Op::Look(..) | Op::Take(..) | Op::WithMeta(_) => {}
        }
        (live_bytes() - live, allocated_bytes() - made)
    });
    readings.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn large_maps_are_as_the_model(ops in prop::collection::vec(op(), 1..120), plain in prop::bool::weighted(0.8)) {
        check_all(&ops, plain);
    }

    #[test]
    fn asking_for_the_order_changes_nothing_on_the_meter(ops in prop::collection::vec(op(), 1..120)) {
        prop_assert_eq!(metered(&ops, true), metered(&ops, false));
    }

    #[test]
    fn the_same_keys_have_the_same_hash(a in 0..KEYS, b in 0..KEYS) {
        let (a, b) = (key(a), key(b));
        if a.same_key(&b) {
            prop_assert_eq!(a.key_hash(), b.key_hash());
        }
        if let (Some(x), Some(y)) = (a.order_bits(), b.order_bits())
            && x != y
        {
            prop_assert_eq!(x.cmp(&y), a.key_order(&b));
        }
    }
}

#[test]
fn a_map_changed_while_shared_is_copied_once_and_sorted_once() {
    let mut m = Map::from_entries((0..1000).map(|i| (Value::int(i * 7919 % 1009), Value::int(i))));
    assert!(m.is_hashed());
    let before = copies::trees();
    let mut others: Vec<Map> = vec![m.clone(); 20];
    for (other, i) in others.iter_mut().zip(0..) {
        other.insert(Value::int(2000 + i), Value::Nil);
    }
    assert_eq!(copies::trees() - before, 1);
    // Alone again it goes on as the tree, and is not made one again.
    drop(others);
    m.insert(Value::int(5), Value::Nil);
    assert!(!m.is_hashed());
    let shared = m.clone();
    m.insert(Value::int(6), Value::Nil);
    assert_eq!((copies::trees() - before, shared.len(), m.len()), (1, 1000, 1000));
    // After its order was asked for, a new key makes it a tree, and a value does not.
    let mut m = Map::from_entries((0..1000).map(|i| (Value::int(-i), Value::int(i))));
    assert!(m.iter().map(|e| e.0).is_sorted_by(|a, b| a.key_order(b).is_lt()));
    m.insert(Value::int(-5), Value::Nil);
    assert!(m.is_hashed());
    m.insert(Value::int(5), Value::Nil);
    assert!(!m.is_hashed());
}

#[test]
fn what_nobody_else_holds_is_changed_in_place() {
    let programs = [
        "(loop [i 0 m {}] (if (= i 1000) m (recur (inc i) (update m (mod i 100) (fnil inc 0)))))",
        "(loop [i 0 m {}] (if (= i 1000) m (recur (inc i) (update m (str \"k\" (mod i 100)) (fnil inc 0)))))",
        "(reduce (fn [m i] (update m (mod i 100) (fnil conj []) i)) {} (range 1000))",
        "(reduce (fn [m i] (assoc m i (str i))) {} (range 1000))",
        "(reduce (fn [m i] (assoc m [i (- i)] i)) {} (range 1000))",
        "(reduce (fn [m i] (merge m {i 1, (- -1 i) 2})) {} (range 1000))",
        "(reduce (fn [m i] (conj m [i i])) {} (range 1000))",
        "(reduce (fn [m i] (update-in m [(mod i 50) :n] (fnil inc 0))) {} (range 1000))",
        "(reduce (fn [m i] (assoc-in m [(mod i 50) i] 1)) {} (range 1000))",
        "(reduce (fn [m i] (dissoc m i)) (into {} (map (fn [i] [i i])) (range 1000)) (range 500))",
        "(reduce conj #{} (range 1000))",
        "(reduce disj (set (range 1000)) (range 500))",
        "(into {} (map (fn [i] [i i])) (range 1000))",
        "(into #{} (range 1000))",
        "(group-by (fn [i] (mod i 100)) (range 1000))",
        "(frequencies (map (fn [i] (mod i 100)) (range 1000)))",
        "(zipmap (range 1000) (range 1000))",
        "(apply merge-with + (map (fn [i] {(mod i 100) i}) (range 1000)))",
    ];
    for program in programs {
        let (limits, mut nobody) = (Limits::default(), ());
        let (before, trees) = (copies::large(), copies::trees());
        let outcome = ptc_lisp::run(program, &mut Memory::new(), RunInput::new(&limits, &[], &mut nobody));
        let v = match outcome.ending {
            RunResult::Value(v) => v,
            _ => panic!("{program} has no value"),
        };
        let hashed = match &v {
            Value::Map(m) => m.is_hashed(),
            Value::Set(s) => s.as_map().is_hashed(),
            _ => false,
        };
        assert_eq!((copies::large() - before, copies::trees() - trees, hashed), (0, 0, true), "{program}");
    }
}

/// What a program allocated, in bytes, and what it gave.
fn allocated(program: &str) -> (u64, String) {
    let (limits, mut nobody) = (Limits::default(), ());
    let before = allocated_bytes();
    let outcome = ptc_lisp::run(program, &mut Memory::new(), RunInput::new(&limits, &[], &mut nobody));
    let RunResult::Value(v) = outcome.ending else { panic!("{program} has no value") };
    (allocated_bytes() - before, ptc_lisp::print::brief(&v))
}

/// As the test before, of small maps and of vectors, which no table holds: a thousand changes of something that
/// takes 16 KB or more allocate a few times that and not a thousand times.
#[test]
fn vectors_and_records_of_nobody_else_are_changed_where_they_are() {
    const N: usize = 1000;
    // Each with what holds on to the value before every change, which has to copy it.
    let changes = [
        ("update", "(vec (range 1000))", "(update v i inc)"),
        ("assoc", "(vec (range 1000))", "(assoc v i :x)"),
        ("conj", "(vec (range 1000))", "(conj v i)"),
        ("into", "(vec (range 1000))", "(into v [i])"),
        ("merge", "(zipmap (range 1000) (range 1000))", "(merge v {i 1})"),
        ("update", "(zipmap (range 1000) (range 1000))", "(update v i inc)"),
        ("assoc", "(zipmap (range 1000) (range 1000))", "(assoc v i 1)"),
        ("conj", "(zipmap (range 1000) (range 1000))", "(conj v [i 1])"),
        ("into", "(zipmap (range 1000) (range 1000))", "(into v {i 1})"),
    ];
    for (name, start, change) in changes {
        let alone = format!("(count (loop [i 0 v {start}] (if (= i {N}) v (recur (inc i) {change}))))");
        let held = format!(
            "(count (loop [i 0 v {start} old nil] (if (= i {N}) (do (count old) v) (recur (inc i) {change} v))))"
        );
        let ((own, a), (copied, b)) = (allocated(&alone), allocated(&held));
        assert_eq!(a, b, "{name}");
        assert!(own < 600_000, "{name}: {own} bytes for {alone}");
        assert!(copied > 2 * own, "{name}: {copied} bytes where it is held, {own} where it is not");
    }
    // Groups and counts: what they hold, and not every vector and count on the way to it.
    let (bytes, _) = allocated("(count (group-by (fn [i] (mod i 10)) (range 10000)))");
    assert!(bytes < 16 * 10_000 * 6, "group-by: {bytes}");
    let (bytes, _) = allocated("(count (frequencies (map (fn [i] (mod i 10)) (range 10000))))");
    assert!(bytes < 16 * 10_000 * 6, "frequencies: {bytes}");
}

#[test]
fn of_two_equal_keys_the_first_stays() {
    for mut m in [Map::new(), Map::sorted(), filled(true).0, filled(false).0] {
        m.insert(Value::big(5.into()), Value::Nil);
        m.insert(Value::int(5), Value::Bool(true));
        let e = m.entry(&Value::int(5)).into_iter();
        assert_eq!(shown(e), ["an integer 5N true"], "{} entries", m.len());
    }
}

#[test]
fn deep_values_in_large_maps_are_freed_without_recursion() {
    let mut deep = Value::Nil;
    for _ in 0..200_000 {
        deep = Value::vector(vec![deep]);
    }
    let mut m = Map::from_entries((0..100).map(|i| (Value::int(i), Value::Nil)));
    m.insert(Value::int(5), deep);
    let mut other = m.clone();
    other.insert(Value::int(-1), Value::Nil);
    drop(m);
    drop(other);
    let mut deep = Value::Nil;
    for _ in 0..200_000 {
        deep = Value::Set((0..40).map(Value::int).chain([deep]).collect::<Set>());
    }
    drop(deep);
}

#[test]
fn what_is_taken_away_gives_its_memory_back() {
    let before = live_bytes();
    let mut m = Map::from_entries((0..10_000).map(|i| (Value::int(i), Value::int(i))));
    for i in 0..9_900 {
        assert!(m.remove(&Value::int(i)).is_some());
    }
    assert!(m.is_hashed() && m.len() == 100 && live_bytes() - before < 20_000);
    assert_eq!(shown(m.iter()).len(), 100);
}
