//! JSON: bytes to the parser, which must say what RFC 8259 says; and value to text to value, which must be the identity.

use super::dice::Dice;
use super::values::nasty;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::json as lisp;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::compare::equal;
use serde_json::value::RawValue;

/// Parses the input, and JSON that is built of it.
pub fn json(data: &[u8]) {
    bytes(&super::text(data));
    built(&mut Dice::new(data, 200));
}

/// Any text: accepted where another parser of the standard accepts it, and then stable.
fn bytes(text: &str) {
    let limits = Limits::default();
    // Looks at the grammar only: neither depth nor the size of numbers matter to it.
    let well_formed = serde_json::from_str::<&RawValue>(text).is_ok();
    match lisp::parse_text(text, &limits) {
        Ok(v) => {
            assert!(well_formed, "{text:?} was accepted");
            let out = lisp::to_text(&v).unwrap_or_else(|e| panic!("{text:?} cannot be written: {e:?}"));
            let back = lisp::parse_text(&out, &limits).unwrap_or_else(|e| panic!("{out:?} is not read again: {e}"));
            assert!(equal(&v, &back), "{text:?} is {v:?}, written and read {back:?}");
            assert_eq!(lisp::to_text(&back).ok(), Some(out), "of {text:?}");
        }
        Err(e) => assert!(!well_formed || excused(&e, text), "{text:?} is refused: {e}"),
    }
}

/// What is JSON and yet refused: limits, numbers no double can hold, half of a surrogate pair.
fn excused(e: &Error, text: &str) -> bool {
    assert!(e.kind != ErrorKind::Internal, "{e}");
    e.kind.is_limit() || text.contains("\\u") || e.message.contains("out of the range of doubles")
}

/// Well-formed JSON without fractions keeps its bytes, order of keys and all.
fn built(d: &mut Dice<'_>) {
    let text = value(d, 5).to_string();
    let v = lisp::parse_text(&text, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
    match lisp::to_text(&v) {
        Ok(out) => assert_eq!(out, text),
        Err(e) => panic!("{text} cannot be written: {e:?}"),
    }
}

fn value(d: &mut Dice<'_>, depth: u32) -> serde_json::Value {
    let leaf = depth == 0 || !d.part();
    match d.below(if leaf { 6 } else { 8 }) {
        0 => (d.below(10) as i64 - 3).into(),
        1 => nasty(d).into(),
        2 => serde_json::Value::Null,
        3 => d.once_in(2).into(),
        4 => (d.bits() as i64).into(),
        5 => d.bits().into(),
        6 => {
            let n = d.below(6);
            (0..n).map(|_| value(d, depth - 1)).collect::<Vec<_>>().into()
        }
        _ => {
            let n = d.below(6);
            serde_json::Value::Object((0..n).map(|_| (nasty(d), value(d, depth - 1))).collect())
        }
    }
}
