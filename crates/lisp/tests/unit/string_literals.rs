//! Strings, regex literals and characters as the reader takes them.

use ptc_lisp::testing::{character, regex, string};

#[test]
#[rustfmt::skip] // a table
fn strings() {
    let show = |source: &str| {
        let mut at = 0;
        let read = string(source, &mut at).map(|s| s.map_or("no end".into(), String::from));
        read.unwrap_or_else(|e| e.message)
    };
    // Each checked against Clojure 1.11, but for lone halves, which Java's strings can hold and ours cannot.
    for (source, expected) in [
        (r#""""#, ""), (r#""ab" c"#, "ab"), (r#""a\nb""#, "a\nb"), (r#""\t\r\n\b\f\\\"""#, "\t\r\n\u{8}\u{c}\\\""), ("\"é\nz\"", "é\nz"),
        (r#""\u00e9""#, "é"), (r#""\ud83d\ude00""#, "😀"), (r#""\101\60\7x""#, "Invalid digit: x"), (r#""\101\60\7""#, "A0\u{7}"), (r#""\7 8""#, "\u{7} 8"),
        (r#""\0a""#, "Invalid digit: a"), (r#""\8""#, "Invalid digit: 8"), (r#""\400""#, "Octal escape sequence must be in range [0, 377]."),
        (r#""\x""#, "Unsupported escape character: \\x"), (r#""\u12""#, "Invalid character length: 2, should be: 4"),
        (r#""\u{41}""#, "Invalid unicode escape: \\u{"), (r#""\ud800""#, "Invalid unicode escape: \\ud800 is half a surrogate pair"),
        (r#""\ude00\ud83d""#, "Invalid unicode escape: \\ude00 is half a surrogate pair"),
        (r#""\ud83d\u0041""#, "Invalid unicode escape: \\ud83d is half a surrogate pair"),
        (r#""abc"#, "no end"),
        (r#""abc\"#, "no end"), (r#""\u12"#, "Invalid character length: 2, should be: 4"),
    ] {
        assert_eq!(show(source), expected, "{source}");
    }
    assert_eq!(string("\"\\d\"", &mut 0).unwrap_err().hint.unwrap(), "write \\\\d for a backslash and d; a pattern is #\"\\d\"");
}

#[test]
#[rustfmt::skip] // a table
fn regexes() {
    let show = |source: &str| regex(source, &mut 0).map_or("no end".into(), String::from);
    for (source, expected) in [
        (r##"#"\d+""##, r"\d+"), (r##"#"a\"b" c"##, r#"a\"b"#), (r##"#"\\""##, r"\\"), (r##"#"\é""##, r"\é"),
        (r##"#"\"##, "no end"), (r##"#""##, "no end"),
    ] {
        assert_eq!(show(source), expected, "{source}");
    }
}

#[test]
#[rustfmt::skip] // a table
fn characters() {
    let show = |word: &str| character(word).map(|c| format!("{c:?}")).unwrap_or_else(|e| e.message);
    for (word, expected) in [
        ("a", "'a'"), ("(", "'('"), ("é", "'é'"), ("😀", "'😀'"), ("newline", r"'\n'"), ("space", "' '"), ("tab", r"'\t'"), ("return", r"'\r'"),
        ("backspace", r"'\u{8}'"), ("formfeed", r"'\u{c}'"), ("u", "'u'"), ("o", "'o'"), ("u0041", "'A'"), ("o101", "'A'"), ("o7", r"'\u{7}'"),
        ("ud800", r"Invalid character constant: \ud800"), ("u41", r"Invalid unicode character: \u41"), ("u+041", r"Invalid unicode character: \u+041"),
        ("o400", "Octal escape sequence must be in range [0, 377]."), ("o8", r"Invalid digit in octal character: \o8"), ("o1234", "Invalid octal escape sequence length: 4"),
        ("foo", r"Unsupported character: \foo"), (" a", r"Unsupported character: \ a"), ("newlinex", r"Unsupported character: \newlinex"),
    ] {
        assert_eq!(show(word), expected, "{word}");
    }
}
