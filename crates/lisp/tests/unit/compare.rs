//! Texts compare as in Java.

use ptc_lisp::value::compare::text_compare;

/// Java's `String.compareTo`, as it is written there.
fn by_units(a: &str, b: &str) -> i64 {
    let (a, b): (Vec<u16>, Vec<u16>) = (a.encode_utf16().collect(), b.encode_utf16().collect());
    let differs = a.iter().zip(&b).find(|(x, y)| x != y);
    differs.map_or(a.len() as i64 - b.len() as i64, |(x, y)| i64::from(*x) - i64::from(*y))
}

#[test]
fn texts_compare_by_utf16_units() {
    let letters = ["", "a", "b", "é", "è", "\u{ffff}", "\u{10000}", "\u{10001}", "\u{1f600}"];
    let mut texts = Vec::new();
    for a in letters {
        for b in letters {
            texts.extend(letters.map(|c| format!("{a}{b}{c}")));
        }
    }
    for a in &texts {
        for b in &texts {
            assert_eq!(text_compare(a, b), by_units(a, b), "{a:?} {b:?}");
        }
    }
}
