//! The `json` namespace: text to values with keyword keys, and back.

use crate::builtins::args::{get, str as text};
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::json;
use crate::seq::realise;
use crate::value::{Builtin, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "json/parse-string",
        "s | s & options",
        "The value of a JSON text. Keys become keywords, whatever options say.",
        &[
            ("(json/parse-string \"{\\\"a\\\": [1, 2.5, null]}\")", "{:a [1 2.5 nil]}"),
            ("(json/parse-string \"{bad}\")", "!invalid JSON"),
        ],
        &Body(parse),
    ),
    Builtin::new(
        "json/read-str",
        "s | s & options",
        "The value of a JSON text. Keys become keywords, whatever options say.",
        &[("(json/read-str \"[1]\")", "[1]")],
        &Body(parse),
    ),
    Builtin::new(
        "json/generate-string",
        "x | x options",
        "The JSON text of a value: keywords by their names, sets as arrays. With {:pretty true} over several lines.",
        &[
            ("(json/generate-string {:a 1 :b [nil \"x\"]})", "\"{\\\"a\\\":1,\\\"b\\\":[null,\\\"x\\\"]}\""),
            ("(json/generate-string inc)", "!cannot be JSON"),
        ],
        &Body(generate),
    ),
    Builtin::new(
        "json/write-str",
        "x | x & options",
        "The JSON text of a value: keywords by their names, sets as arrays.",
        &[("(json/write-str [1 :k])", "\"[1,\\\"k\\\"]\"")],
        &Body(generate),
    ),
];

fn parse(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let s = text(a, 0)?.clone();
    json::parse(h, s.as_str())
}

/// Bytes tried first.
const FIRST_TRY: usize = 1 << 10;

fn generate(h: &mut dyn Host, a: &mut [Value]) -> Result {
    realise(h, get(a, 0))?;
    let v = &get(a, 0).clone();
    let pretty = matches!(get(a, 1), Value::Map(m) if m.get(&Value::keyword("pretty")).is_some_and(Value::truthy));
    let most = usize::try_from(h.limits().memory_bytes).unwrap_or(usize::MAX).max(FIRST_TRY);
    // A value can be small in memory and its text endless: more room is asked for step by step.
    let mut limit = FIRST_TRY.min(most);
    loop {
        h.reserve(limit as u64)?;
        h.charge(limit as u64 / 256)?;
        // A level is written by a call of its own: dearer than to print it.
        crate::cost::levels(h, v, 28)?;
        let (text, keys) = json::attempt(v, pretty, limit)?;
        h.charge(keys * 8)?;
        if let Some(text) = text {
            h.charge(text.len() as u64 / 24)?;
            return Ok(Value::from(text));
        }
        if limit >= most {
            return Err(Interrupt::error(
                ErrorKind::Memory,
                format!("the JSON text is longer than memory_bytes = {most}"),
            ));
        }
        // Long digits cost more than their bytes.
        crate::number::pay_for_digits(h, v)?;
        limit = limit.saturating_mul(8).min(most);
    }
}
