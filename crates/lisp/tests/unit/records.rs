//! Small maps against a model: keys and values of all kinds, deep ones among them, shared and changed in all mixtures;
//! and what is shared between them.

#![allow(clippy::mutable_key_type)]

use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::value::map::SMALL_MAX;
use ptc_lisp::value::node::live_bytes;
use ptc_lisp::value::{Item, Map, Value};
use std::sync::Arc;

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn key(n: u64) -> Value {
    match n % 4 {
        0 => Value::plain_keyword(&format!("k{n}")),
        1 => Value::str(format!("a text that is longer {n}")),
        2 => Value::int(n as i64),
        _ => Value::vector(vec![Value::int(n as i64), Value::str("x")]),
    }
}

/// A value of this nesting.
fn nested(depth: u64, inside: i64) -> Value {
    (0..depth).fold(Value::int(inside), |v, i| match i % 3 {
        0 => Value::vector(vec![v]),
        1 => Value::map([(Value::plain_keyword("in"), v)]),
        _ => Value::set([v]),
    })
}

type Model = Vec<(Value, Value)>;

fn agree(m: &Map, model: &Model) {
    let shown = |e: (&Value, &Value)| format!("{:?} {:?}", e.0, e.1);
    let (ours, theirs): (Vec<_>, Vec<_>) =
        (m.iter().map(shown).collect(), model.iter().map(|(k, v)| shown((k, v))).collect());
    assert_eq!(ours, theirs);
    assert_eq!(m.len(), model.len());
    let deepest = model.iter().flat_map(|(k, v)| [k.depth(), v.depth()]).max().unwrap_or(0);
    assert!(m.depth() > deepest);
    for (k, v) in model {
        assert_eq!(format!("{:?}", m.get(k)), format!("{:?}", Some(v)));
    }
}

#[test]
fn they_hold_what_was_put_in_whoever_else_holds_them() {
    let before = live_bytes();
    {
        let mut numbers = Numbers(7);
        let mut versions: Vec<(Map, Model)> = vec![(Map::new(), Vec::new()); 3];
        for round in 0..6_000 {
            let (which, other) = (numbers.below(3) as usize, numbers.below(3) as usize);
            let k = key(numbers.below(SMALL_MAX as u64));
            let depth = if numbers.below(20) == 0 { 60 + numbers.below(40) } else { numbers.below(3) };
            let val = nested(depth, round);
            let what = numbers.below(10);
            let (m, model) = &mut versions[which];
            let place = model.iter().position(|e| e.0.same_key(&k));
            match what {
                0..=3 => {
                    m.insert(k.clone(), val.clone());
                    match place {
                        Some(i) => model[i].1 = val,
                        None => model.push((k, val)),
                    }
                }
                4 | 5 => {
                    let gone = place.map(|i| model.remove(i).1);
                    assert_eq!(format!("{:?}", m.remove(&k)), format!("{gone:?}"));
                }
                6 => {
                    assert_eq!(m.change(&k, |_| Ok::<_, ()>(val.clone())), Ok(place.is_some()));
                    if let Some(i) = place {
                        model[i].1 = val;
                    }
                }
                7 => {
                    let taken = m.take(&k);
                    assert_eq!(format!("{taken:?}"), format!("{:?}", place.map(|i| &model[i].1)));
                    if let Some(v) = taken {
                        m.insert(k, v);
                    }
                }
                8 => {
                    let meta = (round % 3 > 0).then(|| val.clone());
                    *m = std::mem::take(m).with_meta(meta.clone());
                    assert_eq!(format!("{:?}", m.meta()), format!("{:?}", meta.as_ref()));
                }
                _ => {
                    let copy = versions[other].clone();
                    versions[which] = copy;
                }
            }
            let (m, model) = &versions[which];
            agree(m, model);
            assert!(m.is_small());
            agree(&Map::from_entries(model.iter().cloned()), model);
        }
    }
    assert_eq!(live_bytes(), before);
}

#[test]
fn one_entry_more_than_they_have_room_for_makes_them_large() {
    for n in [SMALL_MAX - 1, SMALL_MAX, SMALL_MAX + 1] {
        let entries = || (0..n as i64).rev().map(|i| (Value::int(i), nested(1, i)));
        let mut by_insertion = Map::new();
        by_insertion.extend(entries());
        for m in [Map::from_entries(entries()), by_insertion] {
            assert_eq!((m.len(), m.is_small(), m.depth()), (n, n <= SMALL_MAX, 2), "{n}");
            let first = m.keys().next().cloned();
            let expected = if n <= SMALL_MAX { n as i64 - 1 } else { 0 };
            assert!(matches!(first, Some(Value::Int(i)) if i == expected), "{n}");
        }
    }
}

fn value_of(program: &str) -> Value {
    let (limits, mut nobody) = (Limits::default(), ());
    let outcome = ptc_lisp::run(program, &mut Memory::new(), RunInput::new(&limits, &[], &mut nobody));
    match outcome.ending {
        RunResult::Value(v) => v,
        _ => panic!("{program} has no value"),
    }
}

/// The items of a vector that are maps.
fn maps(v: &Value) -> Vec<Map> {
    let Value::Vector(v) = v else { panic!("{v:?} is no vector") };
    v.iter().filter_map(|v| if let Value::Map(m) = v { Some(m.clone()) } else { None }).collect()
}

#[test]
fn keys_are_there_once_for_all_records() {
    for program in [
        "(mapv (fn [i] {:id i :name \"x\"}) (range 100))",
        "(mapv (fn [i] (assoc {:id 0 :name nil} :id i)) (range 100))",
        "(mapv (fn [i] (update {:id i :name nil} :id inc)) (range 100))",
        "(vec (drop 9 (map (fn [r] (assoc r :total 1 :sum 2)) (mapv (fn [i] {:id i :name nil}) (range 109)))))",
        "(vec (drop 9 (map (fn [r] (assoc r :long-name-of-a-key (:id r))) (mapv (fn [i] {:id i}) (range 109)))))",
        "(json/parse-string (str \"[\" (str/join \",\" (repeat 100 \"{\\\"a\\\":1,\\\"b\\\":2}\")) \"]\"))",
    ] {
        let all = maps(&value_of(program));
        let shape = all.first().and_then(|m| m.shape().cloned()).unwrap();
        assert_eq!(all.len(), 100, "{program}");
        assert!(all.iter().all(|m| m.shape().is_some_and(|s| Arc::ptr_eq(s, &shape))), "{program}");
    }
}

/// What other turns made, and how often, changes neither fuel nor what is held.
#[test]
fn keys_are_remembered_for_a_turn() {
    let program = "(def out (mapv (fn [r] (-> r (assoc :a 1) (assoc :b 2 :c 3) (dissoc :a) (assoc :d 4))) (mapv (fn [i] {:id i}) (range 50))))";
    let limits = Limits::default();
    let run = |memory: &mut Memory| {
        let before = live_bytes();
        let outcome = ptc_lisp::run(program, memory, RunInput::new(&limits, &[], &mut ()));
        assert!(matches!(outcome.ending, RunResult::Value(_)));
        (outcome.usage.fuel, live_bytes() - before)
    };
    let (mut first, mut second, mut third) = (Memory::new(), Memory::new(), Memory::new());
    let alone = run(&mut first);
    assert_eq!(alone, run(&mut second));
    let elsewhere = std::thread::scope(|s| s.spawn(|| run(&mut third)).join().unwrap());
    assert_eq!(alone, elsewhere);
    assert_eq!(alone.0, run(&mut first).0);
}

#[test]
fn a_record_takes_what_its_values_take_and_little_more() {
    let all = maps(&value_of("(mapv (fn [i] {:a i :b i :c i :d i :e i}) (range 10))"));
    assert!(all.iter().all(|m| m.own_bytes() <= 5 * size_of::<Value>() + 64), "{}", all[0].own_bytes());
}
