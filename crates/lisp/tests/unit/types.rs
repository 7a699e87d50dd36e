//! Types of tool parameters and returned values.

use ptc_lisp::json::parse_text;
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;

fn shape(text: &str) -> Type {
    text.parse().unwrap_or(Type::Any)
}

#[test]
fn text_reads_back_as_itself() {
    for text in [
        "string",
        "[integer]",
        "number?",
        "{a: string, b: [{c: boolean?}]?}",
        "[[any]]",
        "{}",
        "{\"odd key\": map}",
        "{\"a\\\"b\": list}",
        "closed {}",
        "[closed {a: {closed: closed {b: any}?}}]",
    ] {
        assert_eq!(shape(text).to_string(), text);
    }
    assert_eq!(shape(" { a :string , b:[ integer ] } ").to_string(), "{a: string, b: [integer]}");
    for text in [
        "",
        "int",
        "[string",
        "{a}",
        "{a: string",
        "string string",
        "{a: any, a: any}",
        "?",
        "]",
        "closed",
        "closed string",
        "closed [any]",
    ] {
        assert!(text.parse::<Type>().is_err(), "{text}");
    }
    assert!("[".repeat(10_000).parse::<Type>().is_err());
}

#[test]
fn a_map_is_open_unless_it_is_closed() {
    let json = |text: &str| parse_text(text, &Limits::default()).unwrap_or_default();
    let check = |s: &str, text: &str| shape(s).check(&json(text));
    let (open, closed) = ("{name: string, age: integer?}", "closed {name: string, age: integer?}");
    for text in [r#"{"name": "a"}"#, r#"{"name": "a", "age": 5}"#, r#"{"name": "a", "age": null}"#] {
        assert_eq!((check(open, text), check(closed, text)), (Ok(()), Ok(())), "{text}");
    }
    let more = r#"{"name": "a", "agge": 5}"#;
    assert_eq!(check(open, more), Ok(()));
    let words =
        "value has the key \"agge\", and closed {name: string, age: integer?} has no other keys; did you mean age?";
    assert_eq!(check(closed, more), Err(words.to_owned()));
    let inside = check("[{a: closed {}?}]", r#"[{"a": {}, "b": 1}, {"a": {"x y": 1}}]"#);
    assert_eq!(inside, Err("value[1].a has the key \"x y\", and closed {} has no other keys".to_owned()));
    // A key that is no name, and one that occurs twice.
    let odd = Value::map([(Value::plain_keyword("name"), Value::str("a")), (Value::int(1), Value::Nil)]);
    let twice = Value::map([(Value::plain_keyword("name"), Value::str("a")), (Value::str("name"), Value::str("b"))]);
    for (v, key) in [(odd, "1"), (twice, "\"name\"")] {
        let words = shape(closed).check(&v).unwrap_err();
        assert!(words.starts_with(&format!("value has the key {key}, and closed")), "{words}");
    }
    for (s, words) in [
        ("[string]", None),
        ("map", None),
        (open, Some("maps may have further keys")),
        ("[closed {a: any}?]", Some("a closed map has no other keys")),
        ("{a: [closed {}]}", Some("maps may have further keys, closed ones may not")),
    ] {
        assert_eq!(shape(s).openness(), words, "{s}");
    }
}

#[test]
fn in_json_a_whole_float_is_an_integer() {
    let json = |text: &str| parse_text(text, &Limits::default()).unwrap_or_default();
    let s = shape("[{n: integer}]");
    let v = json(r#"[{"n": 1}, {"n": 5.0}]"#);
    assert_eq!(s.check_json_as("answer", &v), Ok(()));
    assert_eq!(s.check_as("answer", &v), Err("answer[1].n must be an integer, got 5.0".to_owned()));
    let wrong = s.check_json_as("answer", &json(r#"[{"n": 5.5}]"#));
    assert_eq!(wrong, Err("answer[0].n must be an integer, got 5.5".to_owned()));
}

#[test]
fn errors_say_where_and_what() {
    let json = |text: &str| parse_text(text, &Limits::default()).unwrap_or_default();
    let s = shape("{orders: [{price: number, note: string?}]}");
    assert_eq!(s.check(&json(r#"{"orders": [{"price": 1, "x": 2}, {"price": 2.5, "note": null}]}"#)), Ok(()));
    let wrong = s.check(&json(r#"{"orders": [{"price": 1}, {"price": "x"}]}"#));
    assert_eq!(wrong, Err("value.orders[1].price must be a number, got \"x\"".to_string()));
    let wrong = shape("[{price: number}]").check_as("orders", &json(r#"[{"price": null}]"#));
    assert_eq!(wrong, Err("orders[0].price must be a number, got nil".to_string()));
    let wrong = s.check(&json("{}"));
    assert_eq!(
        wrong,
        Err("value must have the key orders, which is a list [{price: number, note: string?}]".to_string())
    );
    assert_eq!(shape("integer").check(&json("1.5")), Err("value must be an integer, got 1.5".to_string()));
    assert_eq!(shape("string?").check(&json("5")), Err("value must be a string or nil, got 5".to_string()));
}
