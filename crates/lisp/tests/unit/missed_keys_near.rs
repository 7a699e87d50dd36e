//! Which key was meant by one that no map has.

use ptc_lisp::testing::nearest_key as nearest;
use ptc_lisp::value::Value;

#[test]
fn a_name_is_near_by_its_writing_or_by_a_slip() {
    let names: Vec<Value> = ["id", "unit price", "qty", "name", "q1", "total2", "Région", "max"]
        .iter()
        .map(|n| Value::data_key(n))
        .collect();
    let near = |word: &str| nearest(word, &names).and_then(Value::name_text);
    for (word, expected) in [
        ("unit_price", Some("unit price")),
        ("unit-price", Some("unit price")),
        ("UnitPrice", Some("unit price")),
        ("unit_prize", Some("unit price")),
        ("ID", Some("id")),
        ("nme", Some("name")),
        ("names", Some("name")),
        ("REGION", Some("Région")),
        ("Nme", Some("name")),
        ("région", Some("Région")),
        ("q2", None),
        ("total1", None),
        ("min", None),
        ("discount", None),
        ("", None),
        ("-", None),
    ] {
        assert_eq!(near(word), expected, "{word}");
    }
    assert!(nearest(&"a".repeat(100), &[Value::str("A".repeat(100))]).is_none());
}
