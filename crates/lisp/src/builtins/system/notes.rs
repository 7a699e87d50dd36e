//! `note`: what a program wants to keep in sight in every later turn.

use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::interface::Note;
use crate::value::{Builtin, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[Builtin::new(
    "note",
    "text | name text",
    "Keeps a text that every later turn is shown whole. One with a name takes the place of the one that had it; nil in the place of its text takes it back.",
    &[
        ("(note \"Clause 7 read: weekends cost 1.5 times\")", "nil"),
        ("(note :rates \"3 of 5 checked\")", "nil"),
        ("(note :rates nil)", "nil"),
        ("(note 5)", "!note: text must be a string"),
        ("(note nil)", "!note: text must be a string"),
    ],
    &Body(note),
)];

/// Longest text of a note, in characters.
pub const TEXT: usize = 2000;
/// Longest name of a note, in characters.
pub const NAME: usize = 100;
/// Most notes of a turn.
pub const MAX_NOTES_PER_TURN: usize = 50;

fn note(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let named = a.len() > 1;
    let text = match get(a, usize::from(named)) {
        Value::Str(s) => Some(s.as_str().to_owned()),
        Value::Nil if named => None,
        v => {
            return Err(
                Interrupt::argument(usize::from(named), "a string", v).hint("(note (str ...)) makes one of values")
            );
        }
    };
    let name = match get(a, 0) {
        _ if !named => None,
        Value::Keyword(k) => Some(k.ns().map_or_else(|| k.name().to_owned(), |ns| format!("{ns}/{}", k.name()))),
        Value::Str(s) => Some(s.as_str().to_owned()),
        v => {
            return Err(
                Interrupt::argument(0, "a keyword or a string", v).hint("as in (note :rates \"3 of 5 checked\")")
            );
        }
    };
    let chars = |t: &Option<String>| t.as_ref().map_or(0, |t| t.chars().count());
    let (long, wide) = (chars(&text), chars(&name));
    h.charge(2 + (long + wide) as u64 / 64)?;
    if long > TEXT {
        return Err(Interrupt::bad(
            usize::from(named),
            crate::error::ErrorKind::Value,
            format!("has {long} characters, of {TEXT} at most"),
        )
        .hint("note what it comes to, and keep the rest with def"));
    }
    if wide > NAME {
        return Err(Interrupt::bad(
            0,
            crate::error::ErrorKind::Value,
            format!("has {wide} characters, of {NAME} at most"),
        ));
    }
    if text.as_ref().is_some_and(|t| t.trim().is_empty()) {
        return Err(Interrupt::bad(usize::from(named), crate::error::ErrorKind::Value, "is blank")
            .hint("(note :name nil) takes a note back"));
    }
    h.reserve((long + wide) as u64 * 4 + 64)?;
    h.note(Note { name, text })?;
    Ok(Value::Nil)
}
