//! Type words and samples, a value and its words on a line.

use super::*;
use ptc_lisp::value::boxed::{CellId, CellSort, Place};

fn k(name: &str) -> Value {
    Value::plain_keyword(name)
}

fn m(entries: &[(&str, Value)]) -> Value {
    Value::map(entries.iter().map(|(n, v)| (k(n), v.clone())))
}

fn date(tag: &str, text: &str) -> Value {
    Value::time(ptc_lisp::time::Time::read(tag, text).unwrap())
}

fn shown(v: &Value) -> String {
    match sample(v) {
        Some(s) => format!("{}, sample: {s}", type_word(v)),
        None => type_word(v),
    }
}

/// P-11, P-14.
#[test]
fn the_seeds_samples() {
    let laptop = m(&[("name", "Laptop".into()), ("price", 1200.into()), ("category", "Electronics".into())]);
    let list = Value::vector(vec![laptop.clone(); 7]);
    assert_eq!(shown(&list), r#"list[7], sample: %{name: "Laptop", price: 1200, category: "Electronics"}"#);
    let review = Value::str("Customer Review Summary for Electronics:\n- Laptop");
    assert_eq!(shown(&review), r#"string, sample: "Customer Review Summary for Elec...""#);
}

/// P-11, P-14, P-15.
#[test]
fn words_and_samples() {
    let long = m(&[
        ("name", "Laptop".into()),
        ("description", "x".repeat(40).into()),
        ("price", 1200.into()),
        ("stock", 5.into()),
    ]);
    let big = Value::str("7".repeat(40));
    for (v, expected) in [
        (Value::Nil, "nil"),
        (Value::vector(vec![]), "list[0]"),
        (Value::map([]), "map[0]"),
        (Value::set([]), "set[0]"),
        (Value::str(""), "string, sample: \"\""),
        (5.into(), "integer, sample: 5"),
        (2.5.into(), "float, sample: 2.5"),
        (true.into(), "boolean, sample: true"),
        ('a'.into(), "character, sample: \\a"),
        (k("a"), "keyword, sample: :a"),
        (Value::keyword("n/a"), "keyword, sample: :n/a"),
        (k("a b"), "keyword, sample: :\"a b\""),
        (date("inst", "2024-01-31"), "inst, sample: #inst \"2024-01-31T00:00:00.000-00:00\""),
        (date("time/date", "2024-01-31"), "LocalDate, sample: #time/date \"2024-01-31\""),
        (m(&[("due", date("time/date", "2024-01-31"))]), "map[1], sample: %{due: #time/date \"2024-01-31\"}"),
        (Value::vector(vec![date("time/duration", "PT5M")]), "list[1], sample: #time/duration \"PT5M\""),
        (Value::Atom(CellId(0)), "atom"),
        (Value::Volatile(CellId(0)), "volatile"),
        (Value::Volatile(CellId(0).with_sort(CellSort::Matcher)), "matcher"),
        (Value::Builder(CellId(0)), "StringBuilder"),
        (Value::Place(CellId(0).with_place(Place::Reader)), "reader"),
        (Value::Place(CellId(0).with_place(Place::Reader)), "reader"),
        (m(&[("in", Value::Place(CellId(0).with_place(Place::Reader)))]), "map[1], sample: %{in: reader}"),
        (Value::class("java.lang.Long"), "class, sample: java.lang.Long"),
        (Value::vector(vec![Value::class("user.P")]), "list[1], sample: user.P"),
        (Value::set([1.into()]), "set[1], sample: #{1}"),
        (Value::set([1.into(), 2.into()]), "set[2], sample: #{1, ...}"),
        (Value::vector(vec![Value::vector(vec![1.into(), 2.into()]); 3]), "list[3], sample: [1, 2]"),
        (Value::list(vec![Value::vector(vec![1.into(); 20])]), "list[1], sample: list[20]"),
        (Value::vector(vec![Value::Nil]), "list[1], sample: nil"),
        (Value::vector(vec![m(&[])]), "list[1], sample: %{}"),
        (
            m(&[("a", Value::vector(vec![1.into(), 2.into()])), ("b", Value::vector(vec![100.into(); 9]))]),
            "map[2], sample: %{a: [1, 2], b: list[9]}",
        ),
        (
            m(&[("a", m(&[("b", 1.into())])), ("c", m(&[("d", "x".repeat(20).into())]))]),
            "map[2], sample: %{a: %{b: 1}, c: map[1]}",
        ),
        (m(&[("a b", 1.into()), ("unit-price", 2.into())]), "map[2], sample: %{\"a b\" => 1, unit-price: 2}"),
        (
            Value::map([(Value::str("k"), 1.into()), (Value::keyword("n/k"), 2.into()), (3.into(), 4.into())]),
            "map[3], sample: %{\"k\" => 1, :n/k => 2, 3 => 4}",
        ),
        (long, "map[4], sample: %{name: \"Laptop\", description: \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\", ...}"),
        (Value::str("one\u{2028}two"), "string, sample: \"one...\""),
        (Value::str("a\"b\\c\u{200b}"), "string, sample: \"a\\\"b\\\\c\\u{200b}\""),
        (Value::str("x".repeat(32)), &format!("string, sample: \"{}\"", "x".repeat(32))),
        (big, &format!("string, sample: \"{}...\"", "7".repeat(32))),
    ] {
        assert_eq!(shown(&v), expected);
    }
}

#[test]
fn a_map_is_shown_whole_when_all_of_it_fits_in_eighty() {
    // 80 characters are shown whole; of 81 the last entry goes.
    let entry =
        |n: usize| m(&[("a", "x".repeat(32).into()), ("b", "y".repeat(20).into()), ("c", "z".repeat(n).into())]);
    let s = sample(&entry(6)).unwrap();
    assert_eq!(s.chars().count(), 80);
    assert!(s.ends_with("zzz\"}"), "{s}");
    let s = sample(&entry(7)).unwrap();
    assert!(s.ends_with("yyy\", ...}"), "{s}");
    assert_eq!(sample(&m(&[(&"k".repeat(90), 1.into())])).unwrap(), "%{...}");
}

#[test]
fn the_other_syntax() {
    for (seed, clojure) in [
        ("%{name: \"Laptop\", price: 1200, ...}", "{:name \"Laptop\", :price 1200, ...}"),
        ("%{\"a b\" => 1, c: 2}", "{\"a b\" 1, :c 2}"),
        ("%{a: [1, 2], b: %{c: \"x: y => z\"}}", "{:a [1, 2], :b {:c \"x: y => z\"}}"),
        ("%{[1, 2] => %{}, :n/k => :v, \\\" => 3, d: 4}", "{[1, 2] {}, :n/k :v, \\\" 3, :d 4}"),
        ("%{%{a: 1} => 2, b: #{1, ...}}", "{{:a 1} 2, :b #{1, ...}}"),
        ("%{...}", "{...}"),
        ("\"%{a: 1}\"", "\"%{a: 1}\""),
        ("[%{a: 1}]", "[{:a 1}]"),
    ] {
        assert_eq!(to_clojure(seed), clojure);
    }
}
