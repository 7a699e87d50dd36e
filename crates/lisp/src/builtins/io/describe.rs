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
    "The shape of a value as a short text: kinds, keys, counts, ranges of numbers. They are true of all items up to 100,000 of each list; of more it says how many it looked at.",
    &[
        ("(describe [{:id 1 :name \"a\"} {:id 2 :name \"b\"}])", "\"list of 2: {:id integer 1..2, :name string}\""),
        ("(describe {:a [1 2] :b nil})", "\"{:a list of 2: integer 1..2, :b nil}\""),
        ("(describe 5)", "\"integer 5\""),
    ],
    &Body(describe),
)];

/// Items looked at in all lists of one place, keys shown of each map, levels gone down, bytes of text.
const ITEMS: usize = 100_000;
const KEYS: usize = 200;
const LEVELS: u32 = 5;
const BYTES: usize = 6000;

fn describe(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(500)?;
    let mut text = String::new();
    // The work is charged as it is done.
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
                } else if let ("string", Some(n)) = (kind, distinct(h, &some)?) {
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
fn distinct(h: &mut dyn Host, values: &[&Value]) -> Result<Option<usize>> {
    if values.len() < 10 {
        return Ok(None);
    }
    let mut seen = std::collections::HashSet::new();
    for text in values.iter().filter_map(|v| v.as_str()) {
        h.charge(1 + text.len() as u64 / 16)?;
        seen.insert(text);
    }
    Ok((seen.len() * 2 <= values.len()).then_some(seen.len()))
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
    // How many maps have each key. The values are looked at key by key: not all of them are held at once.
    let mut keys: Vec<(Value, usize)> = Vec::new();
    let mut more = 0usize;
    for v in values {
        let Value::Map(m) = v else { continue };
        for (k, _) in m.iter().take(KEYS) {
            h.charge(1 + keys.len() as u64 / 4)?;
            // Keys that are collections are not compared: that could take long.
            let plain = !k.is_sequential() && !matches!(k, Value::Map(_) | Value::Set(_));
            match keys.iter().position(|e| plain && crate::value::compare::equal(&e.0, k)) {
                Some(i) => {
                    if let Some(e) = keys.get_mut(i) {
                        e.1 += 1;
                    }
                }
                None if plain && keys.len() < KEYS => keys.push((k.clone(), 1)),
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
    for (i, (k, there)) in keys.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        out.push_str(&crate::print::readable(k, 60));
        if *there < values.len() {
            out.push('?');
        }
        out.push(' ');
        h.charge(values.len() as u64)?;
        let of_key = |v: &&Value| match v {
            Value::Map(m) => m.get(k).cloned(),
            _ => None,
        };
        let seen: Vec<Value> = values.iter().filter_map(of_key).collect();
        on_deep_stack(|| of(h, &seen, level + 1, out))?;
    }
    if more > 0 {
        out.push_str(if keys.is_empty() { "..." } else { ", ..." });
    }
    out.push('}');
    Ok(())
}

fn lists(h: &mut dyn Host, kind: &str, values: &[&Value], level: u32, out: &mut String) -> Result<()> {
    let mut items: Vec<Value> = Vec::new();
    let mut lengths: Vec<usize> = Vec::new();
    let mut unrealised = false;
    for v in values {
        let take = ITEMS.saturating_sub(items.len());
        let before = items.len();
        let more = match v {
            Value::Set(s) => {
                items.extend(s.iter().take(take).cloned());
                s.len().saturating_sub(take)
            }
            Value::Vector(v) => {
                items.extend(v.iter().take(take).cloned());
                v.len().saturating_sub(take)
            }
            Value::Slice(s) => {
                items.extend(s.iter().take(take).cloned());
                s.len().saturating_sub(take)
            }
            v => {
                let mut seen = RealizedIter::new(v);
                items.extend(seen.by_ref().take(take));
                let more = seen.by_ref().count();
                h.charge(more as u64)?;
                unrealised |= seen.unrealised();
                more
            }
        };
        let taken = items.len() - before;
        h.charge(1 + taken as u64)?;
        lengths.push(taken + more);
    }
    let count = match (lengths.iter().min(), lengths.iter().max()) {
        _ if unrealised => format!("{kind}, not all of it realised"),
        (Some(low), Some(high)) if low == high => format!("{kind} of {low}"),
        (Some(low), Some(high)) => format!("{kind} of {low} to {high}"),
        _ => kind.to_string(),
    };
    out.push_str(&count);
    let all = lengths.iter().fold(0_usize, |sum, n| sum.saturating_add(*n));
    if items.len() < all {
        out.push_str(&format!(", the first {} of {all}", items.len()));
    }
    if !items.is_empty() && level < LEVELS {
        out.push_str(": ");
        on_deep_stack(|| of(h, &items, level + 1, out))?;
    }
    Ok(())
}
