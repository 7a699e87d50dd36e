//! `describe`: the shape of a value in a line or two, whatever its size.

use crate::builtins::args::get;
use crate::host::{Body, Host, Result};
use crate::value::compare::RealizedIter;
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Value};

/// The rows of this file.
pub static ROWS: &[Builtin] = &[Builtin::new(
    "describe",
    "x",
    "The shape of a value as a short text: kinds, keys, counts, ranges of numbers. It runs nothing and stays small.",
    &[
        ("(describe [{:id 1 :name \"a\"} {:id 2 :name \"b\"}])", "\"list of 2: {:id integer 1..2, :name string}\""),
        ("(describe {:a [1 2] :b nil})", "\"{:a list of 2: integer 1..2, :b nil}\""),
        ("(describe 5)", "\"integer 5\""),
    ],
    &Body(describe),
)];

/// Items looked at in each list, keys shown of each map, levels gone down, bytes of text.
const ITEMS: usize = 100;
const KEYS: usize = 200;
const LEVELS: u32 = 5;
const BYTES: usize = 6000;

fn describe(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(500)?;
    let mut text = String::new();
    // At most ITEMS at each of LEVELS, so the work is charged as it is done.
    of(h, &[get(a, 0).clone()], 0, &mut text)?;
    Ok(Value::from(crate::error::cut(text, BYTES)))
}

/// What several values have in common.
fn of(h: &mut dyn Host, values: &[Value], level: u32, out: &mut String) -> Result<()> {
    h.charge(values.len() as u64 * 2)?;
    if out.len() > BYTES {
        return Ok(());
    }
    let nils = values.iter().filter(|v| v.is_nil()).count();
    let some: Vec<&Value> = values.iter().filter(|v| !v.is_nil()).collect();
    let Some(first) = some.first() else {
        out.push_str("nil");
        return Ok(());
    };
    let kind = kind(first);
    if some.iter().any(|v| self::kind(v) != kind) {
        let mut kinds: Vec<&str> = Vec::new();
        for v in &some {
            if !kinds.contains(&self::kind(v)) {
                kinds.push(self::kind(v));
            }
        }
        out.push_str(&kinds.join(" or "));
    } else {
        match kind {
            "map" => maps(h, &some, level, out)?,
            "list" | "set" => lists(h, kind, &some, level, out)?,
            "integer" | "number" => numbers(kind, &some, out),
            _ => {
                out.push_str(kind);
                if let [only] = some.as_slice()
                    && !matches!(kind, "function" | "tool" | "atom")
                {
                    out.push(' ');
                    out.push_str(&crate::error::cut(crate::print::readable(only, 60), 64));
                } else if let ("string", Some(n)) = (kind, distinct(&some)) {
                    out.push_str(&format!(", {n} different"));
                }
            }
        }
    }
    if nils > 0 {
        out.push_str(" or nil");
    }
    Ok(())
}

/// How many different strings there are, when they are few among many.
fn distinct(values: &[&Value]) -> Option<usize> {
    let seen: std::collections::BTreeSet<&str> =
        values.iter().filter_map(|v| v.as_str()).filter(|s| s.len() <= 200).collect();
    (values.len() >= 10 && seen.len() * 2 <= values.len()).then_some(seen.len())
}

fn kind(v: &Value) -> &'static str {
    match v {
        Value::Int(_) | Value::Big(_) => "integer",
        Value::Float(_) | Value::Ratio(_) => "number",
        Value::Set(_) => "set",
        v if v.is_sequential() => "list",
        v => v.kind().trim_start_matches("an ").trim_start_matches("a "),
    }
}

fn numbers(kind: &str, values: &[&Value], out: &mut String) {
    let order = |a: &&&Value, b: &&&Value| crate::value::compare::number_order(a, b);
    let (low, high) = (values.iter().min_by(order), values.iter().max_by(order));
    let text = |v: Option<&&Value>| v.map(|v| crate::print::readable(v, 40)).unwrap_or_default();
    let (low, high) = (text(low), text(high));
    out.push_str(&if low == high { format!("{kind} {low}") } else { format!("{kind} {low}..{high}") });
}

fn maps(h: &mut dyn Host, values: &[&Value], level: u32, out: &mut String) -> Result<()> {
    let mut keys: Vec<(Value, Vec<Value>)> = Vec::new();
    let mut more = 0usize;
    for v in values {
        let Value::Map(m) = v else { continue };
        for (k, v) in m.iter().take(KEYS) {
            h.charge(1 + keys.len() as u64 / 4)?;
            // Keys that are collections are not compared: that could take long.
            let plain = !k.is_sequential() && !matches!(k, Value::Map(_) | Value::Set(_));
            match keys.iter().position(|e| plain && crate::value::compare::equal(&e.0, k)) {
                Some(i) => {
                    if let Some(e) = keys.get_mut(i) {
                        e.1.push(v.clone());
                    }
                }
                None if plain && keys.len() < KEYS => keys.push((k.clone(), vec![v.clone()])),
                None => more = more.max(1),
            }
        }
        more = more.max(m.len().saturating_sub(KEYS));
    }
    if level >= LEVELS {
        out.push_str("map");
        return Ok(());
    }
    out.push('{');
    for (i, (k, seen)) in keys.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        out.push_str(&crate::print::readable(k, 60));
        if seen.len() < values.len() {
            out.push('?');
        }
        out.push(' ');
        on_deep_stack(|| of(h, seen, level + 1, out))?;
    }
    if more > 0 {
        out.push_str(if keys.is_empty() { "..." } else { ", ..." });
    }
    out.push('}');
    Ok(())
}

fn lists(h: &mut dyn Host, kind: &str, values: &[&Value], level: u32, out: &mut String) -> Result<()> {
    let mut items: Vec<Value> = Vec::new();
    let mut lengths: Vec<Option<usize>> = Vec::new();
    for v in values {
        let take = ITEMS.saturating_sub(items.len()).max(3);
        match v {
            Value::Set(s) => {
                lengths.push(Some(s.len()));
                items.extend(s.iter().take(take).cloned());
            }
            Value::Vector(v) => {
                lengths.push(Some(v.len()));
                items.extend(v.iter().take(take).cloned());
            }
            Value::Slice(s) => {
                lengths.push(Some(s.len()));
                items.extend(s.iter().take(take).cloned());
            }
            v => {
                let mut seen = RealizedIter::new(v);
                let before = items.len();
                items.extend(seen.by_ref().take(take));
                let all = seen.next().is_none() && !seen.unrealised();
                lengths.push(if all { Some(items.len() - before) } else { None });
            }
        }
        h.charge(take as u64)?;
    }
    let (low, high) = (lengths.iter().flatten().min(), lengths.iter().flatten().max());
    let count = match (low, high) {
        _ if lengths.iter().any(Option::is_none) => format!("{kind}, not all of it realised"),
        (Some(low), Some(high)) if low == high => format!("{kind} of {low}"),
        (Some(low), Some(high)) => format!("{kind} of {low} to {high}"),
        _ => kind.to_string(),
    };
    out.push_str(&count);
    if !items.is_empty() && level < LEVELS {
        out.push_str(": ");
        on_deep_stack(|| of(h, &items, level + 1, out))?;
    }
    Ok(())
}
