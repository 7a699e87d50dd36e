//! Text to values, chance and the clock.

use crate::builtins::args;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::number::{self, parse};
use crate::seq::Iter;
use crate::value::{Builtin, Value};

/// The rows.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "parse-long",
        "s",
        "The integer that the whole string says, else nil.",
        &[("(parse-long \"42\")", "42"), ("(parse-long \"1.0\")", "nil"), ("(parse-long 5)", "!string")],
        &Body(parse_long),
    ),
    Builtin::new(
        "parse-double",
        "s",
        "The double that the whole string says, else nil.",
        &[("(parse-double \"1\")", "1.0"), ("(parse-double \"abc\")", "nil")],
        &Body(parse_double),
    ),
    Builtin::new(
        "parse-boolean",
        "s",
        "true for \"true\", false for \"false\", else nil.",
        &[("(parse-boolean \"true\")", "true"), ("(parse-boolean \"yes\")", "nil")],
        &Body(parse_boolean),
    ),
    Builtin::new(
        "parse-uuid",
        "s",
        "The uuid that the string says, else nil.",
        &[
            ("(parse-uuid \"b6883c0a-0342-4007-9966-bc2dfa6b109e\")", "#uuid \"b6883c0a-0342-4007-9966-bc2dfa6b109e\""),
            ("(parse-uuid \"x\")", "nil"),
        ],
        &Body(parse_uuid),
    ),
    Builtin::new(
        "rand",
        "| n",
        "A double from 0 up to n (1 if not given), which is never reached. The turn's seed decides.",
        &[("(<= 0 (rand) 1)", "true")],
        &Body(rand),
    ),
    Builtin::new(
        "rand-int",
        "n",
        "An integer from 0 up to n, which is never reached. The turn's seed decides.",
        &[("(< -1 (rand-int 6) 6)", "true")],
        &Body(rand_int),
    ),
    Builtin::new(
        "rand-nth",
        "coll",
        "An item by chance; the turn's seed decides.",
        &[("(contains? #{1 2} (rand-nth [1 2]))", "true")],
        &Body(rand_nth),
    ),
    Builtin::new(
        "shuffle",
        "coll",
        "A vector of the items in an order by chance; the turn's seed decides.",
        &[("(sort (shuffle [3 1 2]))", "(1 2 3)")],
        &Body(shuffle),
    ),
    Builtin::new(
        "random-uuid",
        "",
        "A random uuid; the turn's seed decides.",
        &[("(uuid? (random-uuid))", "true")],
        &Body(random_uuid),
    ),
    Builtin::new(
        "System/currentTimeMillis",
        "",
        "The turn's start, in milliseconds since 1970.",
        &[("(int? (System/currentTimeMillis))", "true")],
        &Body(|h, _| Ok(Value::int(h.now_ms()))),
    ),
    Builtin::new(
        "System/nanoTime",
        "",
        "The turn's start, in nanoseconds.",
        &[("(int? (System/nanoTime))", "true")],
        &Body(|h, _| Ok(Value::int(h.now_ms().saturating_mul(1_000_000)))),
    ),
];

fn text<'a>(h: &mut dyn Host, a: &'a [Value]) -> Result<&'a str> {
    let s = args::str(a, 0)?.as_str();
    h.charge(s.len() as u64 / 8)?;
    Ok(s)
}

fn parse_long(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let text = text(h, a)?;
    Ok(parse::long(h, text, 10)?.map_or(Value::Nil, Value::int))
}

fn parse_double(h: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(parse::double(text(h, a)?).map_or(Value::Nil, Value::float))
}

fn parse_boolean(h: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(match text(h, a)? {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => Value::Nil,
    })
}

fn parse_uuid(h: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(parse::uuid(text(h, a)?).map_or(Value::Nil, Value::uuid))
}

/// The next double of the turn's chance, from 0 up to 1, which is never reached.
pub(super) fn unit(h: &mut dyn Host) -> f64 {
    // The upper 53 bits: as many as a double has.
    (h.random() >> 11) as f64 / 9_007_199_254_740_992.0
}

fn rand(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let n = if a.is_empty() { 1.0 } else { number::to_f64(h, args::get(a, 0))? };
    Ok(Value::float(n * unit(h)))
}

fn rand_int(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = number::to_f64(h, args::get(a, 0))? * unit(h);
    // Clojure's result is a 32-bit integer.
    if f.is_nan() || f.abs() <= f64::from(i32::MAX) {
        return Ok(Value::integer(f as i32));
    }
    let message = format!("Value out of range for int: {}", number::java_text(f));
    Err(Interrupt::error(ErrorKind::Value, message))
}

/// An index below `n`.
fn below(h: &mut dyn Host, n: usize) -> usize {
    ((u128::from(h.random()) * n as u128) >> 64) as usize
}

fn rand_nth(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let coll = args::take(a, 0);
    if coll.is_nil() {
        return Ok(Value::Nil);
    }
    let items = match coll {
        Value::Map(_) | Value::Set(_) => {
            return Err(Interrupt::argument(0, "a vector, list, sequence or string", &coll));
        }
        Value::Vector(v) => {
            let i = below(h, v.len());
            return v.get(i).cloned().ok_or_else(empty);
        }
        coll => {
            if let Value::Str(s) = &coll {
                h.charge(s.as_str().len() as u64)?;
                h.reserve(s.as_str().len() as u64 * 16)?;
            }
            let mut one = [coll];
            Iter::arg(&mut one, 0)?.collect(h)?
        }
    };
    let i = below(h, items.len());
    items.into_iter().nth(i).ok_or_else(empty)
}

#[cold]
fn empty() -> Interrupt {
    Interrupt::bad(0, ErrorKind::Index, "is empty")
}

fn shuffle(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if matches!(args::get(a, 0), Value::Nil | Value::Str(_) | Value::Map(_)) {
        return Err(Interrupt::argument(0, "a vector, list, sequence or set", args::get(a, 0)));
    }
    let mut items = Iter::arg(a, 0)?.collect(h)?;
    h.charge(items.len() as u64)?;
    for i in (1..items.len()).rev() {
        let j = below(h, i + 1);
        items.swap(i, j);
    }
    Ok(Value::vector(items))
}

pub(in crate::builtins) fn random_uuid(h: &mut dyn Host, _: &mut [Value]) -> Result {
    let bits = (u128::from(h.random()) << 64) | u128::from(h.random());
    // Version 4, variant 1.
    let bits = (bits & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
    Ok(Value::uuid(bits))
}
