//! Comparing values: `=`, `compare`, `hash` and what rests on them.

use super::args::get;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::seq::{Iter, realise};
use crate::value::compare;
use crate::value::compare::identical;
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Item, Set, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "=",
        "x | x y | x y & more",
        "Whether all are equal: numbers of one kind by value, sequences and vectors by items, maps and sets by what they hold.",
        &[
            ("(= 1 1 1)", "true"),
            ("(= 1 1.0)", "false"),
            ("(= [1 2] '(1 2))", "true"),
            ("(= {:a 1 :b 2} {:b 2 :a 1})", "true"),
        ],
        &Body(|h, a| Ok(Value::Bool(all_equal(h, a)?))),
    ),
    Builtin::new(
        "not=",
        "x | x y | x y & more",
        "Whether not all are equal.",
        &[("(not= 1 2)", "true")],
        &Body(|h, a| Ok(Value::Bool(!all_equal(h, a)?))),
    ),
    Builtin::new(
        "compare",
        "x y",
        "Negative, 0 or positive as x sorts before, with or after y; nil comes first. Kinds that do not compare are an error.",
        &[
            ("(compare 1 2)", "-1"),
            ("(compare \"a\" \"c\")", "-2"),
            ("(compare [2] [1 1])", "-1"),
            ("(compare nil 1)", "-1"),
            ("(compare 1 \"a\")", "!compare"),
        ],
        &of_32_bits!(compare),
    ),
    Builtin::new(
        "distinct?",
        "x | x y | x y & more",
        "Whether no two of the arguments are equal.",
        &[("(distinct? 1 2 3)", "true"), ("(distinct? 1 2 1)", "false")],
        &Body(distinct),
    ),
];

/// Clojure's `=` over whatever may be lazy, charged. A lazy sequence is made only as far as the answer needs.
pub fn equal(h: &mut dyn Host, a: &Value, b: &Value) -> Result<bool> {
    let (collection, sequential) = (holds(a) && holds(b), a.is_sequential() && b.is_sequential());
    if !collection {
        if let (Value::Str(x), Value::Str(y)) = (a, b) {
            cost::text(h, x.as_str().len().min(y.as_str().len()))?;
        }
        if let (Value::Decimal(_), Value::Decimal(_)) = (a, b) {
            cost::walk(h, a)?;
            cost::walk(h, b)?;
        }
        return Ok(compare::equal(a, b));
    }
    if sequential && (a.lazy() || b.lazy()) {
        return on_deep_stack(|| equal_lazy(h, a, b));
    }
    let different = match (a, b) {
        (Value::Map(x), Value::Map(y)) => x.len() != y.len(),
        (Value::Set(x), Value::Set(y)) => x.len() != y.len(),
        (Value::Vector(x), Value::Vector(y)) => x.len() != y.len(),
        _ => !sequential && std::mem::discriminant(a) != std::mem::discriminant(b),
    };
    if different {
        return Ok(false);
    }
    realise(h, a)?;
    realise(h, b)?;
    // No shortcut for one and the same value: a NaN inside is not equal to itself.
    cost::walk(h, a)?;
    Ok(compare::equal(a, b))
}

fn holds(v: &Value) -> bool {
    v.is_sequential() || matches!(v, Value::Map(_) | Value::Set(_) | Value::Reduced(_))
}

fn equal_lazy(h: &mut dyn Host, a: &Value, b: &Value) -> Result<bool> {
    let (mut x, mut y) = (Iter::new(a.clone())?, Iter::new(b.clone())?);
    loop {
        h.charge(1)?;
        match (x.next(h)?, y.next(h)?) {
            (None, None) => return Ok(true),
            (Some(v), Some(w)) => {
                if !equal(h, &v, &w)? {
                    return Ok(false);
                }
            }
            _ => return Ok(false),
        }
    }
}

fn all_equal(h: &mut dyn Host, a: &mut [Value]) -> Result<bool> {
    for pair in a.windows(2) {
        if let [x, y] = pair
            && !equal(h, x, y)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

fn sorted(v: &Value) -> bool {
    match v {
        Value::Map(m) => m.is_sorted(),
        Value::Set(s) => s.is_sorted(),
        _ => false,
    }
}

/// Clojure's `compare`.
pub fn compare(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (x, y) = (get(a, 0), get(a, 1));
    if holds(x) && holds(y) {
        realise(h, x)?;
        realise(h, y)?;
        cost::levels(h, x, 3)?;
        cost::walk(h, x)?;
    } else if let (Value::Str(s), Value::Str(t)) = (x, y) {
        // By UTF-16 units, as Java does it: not a comparison of bytes.
        let (m, n) = (s.as_str().len() as u64, t.as_str().len() as u64);
        // What follows a common part is only counted.
        h.charge(m.min(n) / 24 + if s.is_ascii() && t.is_ascii() { 0 } else { m.max(n) / 128 })?;
    } else {
        cost::wide_key(h, x)?;
        if let Value::Decimal(_) | Value::Ratio(_) = y {
            cost::wide_key(h, y)?;
        }
    }
    if let Value::Map(_) | Value::Object(_) = x
        && let Some(n) = crate::builtins::types::own_methods::own_order(h, x, y)?
    {
        return Ok(Value::int(n));
    }
    let (x, y) = (get(a, 0), get(a, 1));
    match compare::compare(x, y) {
        Some(n) => Ok(Value::int(n)),
        // Empty maps and sets of one kind are the same object in Java; sorted ones are another kind.
        None if identical(x, y) && sorted(x) == sorted(y) => Ok(Value::int(0)),
        None => Err(Interrupt::error(
            ErrorKind::Type,
            format!("cannot compare {} with {}", crate::print::brief(x), crate::print::brief(y)),
        )),
    }
}

fn distinct(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(a.len() as u64 * 4)?;
    let mut seen = Set::new();
    for v in a.iter() {
        cost::key(h, v)?;
        if !seen.insert(v.clone()) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}
