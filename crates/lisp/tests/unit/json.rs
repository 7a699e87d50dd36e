//! JSON -> value -> JSON is the identity, and what is no JSON is refused with its place.

use ptc_lisp::error::ErrorKind;
use ptc_lisp::json::{is_json, normalise, parse_text, to_text, to_text_pretty, to_text_within};
use ptc_lisp::limits::Limits;
use ptc_lisp::print::readable;
use ptc_lisp::value::Value;

fn read(text: &str) -> Result<Value, String> {
    parse_text(text, &Limits::default()).map_err(|e| e.to_string())
}

#[test]
fn text_comes_back_as_it_was() {
    for text in [
        "null",
        "true",
        "0",
        "-12",
        "9223372036854775807",
        "123456789012345678901234567890",
        "-0.0",
        "1.5e300",
        "5e-324",
        "\"\"",
        r#""a\"b\\c\n\t\u0001é😀""#,
        "[]",
        "{}",
        r#"[{"a":1,"b":2},{"a":3,"b":4},{"b":5,"a":6},{"a":7},{"a":8,"b":9,"c":[]}]"#,
        r#"{"a/b":1,"":2,"odd key":{"x":[[{}]]},":k":null}"#,
        r#"[{"é\"":1},{"é\"":2}]"#,
        r#"[{"\u0000":1},{"\"":2}]"#,
    ] {
        let v = read(text).unwrap_or_default();
        assert!(is_json(&v), "{text}");
        assert_eq!(to_text(&v).unwrap_or_default(), text);
    }
    // Other spellings of the same data.
    for (text, same) in [
        (" [ 1 ,\n2 ] ", "[1,2]"),
        (r#""\ud83d\ude00\/""#, "\"😀/\""),
        ("1E2", "100.0"),
        (r#"{"a":1,"a":2}"#, "{\"a\":2}"),
    ] {
        assert_eq!(read(text).and_then(|v| to_text(&v).map_err(|e| e.to_string())).as_deref(), Ok(same), "{text}");
    }
}

#[test]
fn large_objects_and_many_shapes_are_read_right() {
    let big: Vec<String> = (0..200).map(|i| format!("\"k{i:03}\":{i}")).collect();
    let text = format!("{{{}}}", big.join(","));
    assert_eq!(read(&text).map(|v| to_text(&v).unwrap_or_default()), Ok(text));
    let mixed: Vec<String> = (0..300).map(|i| format!("{{\"a\":{i},\"b{}\":1,\"c\":{{\"a\":2}}}}", i % 7)).collect();
    let text = format!("[{}]", mixed.join(","));
    assert_eq!(read(&text).map(|v| to_text(&v).unwrap_or_default()), Ok(text));
}

#[test]
fn what_is_no_json_is_refused_with_its_place() {
    for (text, words) in [
        ("", "line 1, column 1: expected a value, the text ends"),
        ("{bad}", "line 1, column 2: expected a key in double quotes, got b"),
        ("[1,\n 2", "line 2, column 3: expected , or ], the text ends"),
        ("[1,]", "expected a value, got ]"),
        ("{\"a\":1,}", "expected a key"),
        ("{\"a\" 1}", "expected :"),
        ("01", "does not begin with 0"),
        ("1.", "expected a digit"),
        ("-", "expected a digit"),
        ("1e999", "out of the range"),
        ("\"a", "expected \" at the end"),
        ("\"\u{1}\"", "must be escaped"),
        (r#""\ud800""#, "half of a character"),
        (r#""\x""#, "unknown escape"),
        ("nul", "expected a value"),
        ("1 2", "expected the end"),
        ("NaN", "expected a value"),
        ("'a'", "expected a value"),
    ] {
        let got = read(text).map(|v| readable(&v, 100));
        assert!(got.as_ref().is_err_and(|e| e.contains(words)), "{text}: {got:?}");
    }
}

#[test]
fn limits_hold() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(parse_text(&deep, &Limits::default()).is_err_and(|e| e.kind == ErrorKind::Depth));
    let limits = Limits { memory_bytes: 1 << 20, ..Limits::default() };
    let wide = format!("[{}[]]", "[],".repeat(100_000));
    assert!(parse_text(&wide, &limits).is_err_and(|e| e.kind == ErrorKind::Memory));
    assert!(parse_text(&"9".repeat(1_000_000), &Limits::default()).is_err_and(|e| e.kind == ErrorKind::Memory));
    // A value that is small in memory and endless as text.
    let mut v = Value::vector(vec![Value::int(1)]);
    for _ in 0..60 {
        v = Value::vector(vec![v.clone(), v]);
    }
    assert_eq!(to_text_within(&v, false, 1000), Ok(None));
    assert!(normalise(&v, &limits).is_err());
}

#[test]
fn values_become_json_by_their_names() {
    let v = Value::map([
        (Value::keyword("n/k"), Value::set([Value::keyword("a/b")])),
        (Value::int(1), Value::list(vec![Value::Char('x'), Value::Nil])),
    ]);
    let text = r#"{"n/k":["a/b"],"1":["x",null]}"#;
    assert_eq!(to_text(&v).as_deref(), Ok(text));
    assert!(!is_json(&v));
    let n = normalise(&v, &Limits::default()).unwrap_or_default();
    assert!(is_json(&n));
    assert_eq!(to_text(&n).as_deref(), Ok(text));
    assert_eq!(
        to_text_pretty(&v).as_deref(),
        Ok("{\n  \"n/k\": [\n    \"a/b\"\n  ],\n  \"1\": [\n    \"x\",\n    null\n  ]\n}")
    );
    let twice = Value::map([(Value::keyword("a"), Value::Nil), (Value::str("a"), Value::Nil)]);
    assert!(to_text(&twice).is_err_and(|e| e.message.contains("\"a\"")));
    assert!(to_text(&Value::float(f64::NAN)).is_err());
}

/// The texts of a column, each once for all records of the same text.
#[test]
fn texts_that_come_again_are_there_once() {
    let column = |texts: &dyn Fn(usize) -> String| {
        let rows: Vec<String> =
            (0..2000).map(|i| format!("{{\"id\":\"row {i}\",\"kind\":\"{}\"}}", texts(i))).collect();
        let text = format!("[{}]", rows.join(","));
        let v = read(&text).unwrap_or_default();
        assert_eq!(to_text(&v).unwrap_or_default(), text);
        let Value::Vector(rows) = v else { panic!("no array") };
        let kind = Value::plain_keyword("kind");
        let mut seen = std::collections::HashSet::new();
        for row in rows.iter() {
            if let Value::Map(m) = row
                && let Some(Value::Str(s)) = m.get(&kind)
            {
                seen.insert(s.address());
            }
        }
        seen.len()
    };
    // The first ones are read before it is known that there are many, and some give way to others of their number.
    assert!(column(&|i| format!("category-{}", i % 50)) < 200);
    assert!(column(&|i| ["open", "closed"][i % 2].to_string()) < 50);
    assert_eq!(column(&|i| format!("unique {i}")), 2000);
    assert_eq!(column(&|_| "a text that is so long that it is not looked for".to_string()), 2000);
    assert!(column(&|i| format!("é\u{1F600}{}", i % 3)) < 60);
}
