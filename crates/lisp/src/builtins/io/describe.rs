//! `describe`: the shape of a value in a line or two, whatever its size.

use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result};
use crate::size_cost;
use crate::value::compare::{RealizedIter, equal};
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Map, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[Builtin::new(
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
    let mut d = Described::default();
    // The work is charged as it is done.
    of(h, &[get(a, 0).clone()], 0, &mut d)?;
    Ok(Value::from(crate::error::cut(d.text, BYTES)))
}

/// The text so far, and the bytes of all lists of values that are held while it is made.
#[derive(Default)]
struct Described {
    text: String,
    held: u64,
}

impl Described {
    /// Asks for so many bytes besides those that are held.
    fn hold(&mut self, h: &mut dyn Host, bytes: usize) -> Result<()> {
        self.held = self.held.saturating_add(bytes as u64);
        h.reserve(self.held)
    }

    /// Gives back what was held beyond this.
    fn back_to(&mut self, held: u64) {
        self.held = held;
    }
}

/// What several values have in common.
fn of(h: &mut dyn Host, values: &[Value], level: u32, d: &mut Described) -> Result<()> {
    h.charge(values.len() as u64 * 2)?;
    if d.text.len() > BYTES {
        return Ok(());
    }
    let held = d.held;
    d.hold(h, std::mem::size_of_val(values) / 2)?;
    let nils = values.iter().filter(|v| v.is_nil()).count();
    let some: Vec<&Value> = values.iter().filter(|v| !v.is_nil()).collect();
    let Some(first) = some.first() else {
        d.text.push_str("nil");
        d.back_to(held);
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
        d.text.push_str(&kinds.join(" or "));
    } else {
        match kind {
            "map" => maps(h, &some, level, d)?,
            "list" | "set" => lists(h, kind, &some, level, d)?,
            "integer" | "number" => numbers(h, kind, &some, &mut d.text)?,
            _ => {
                d.text.push_str(kind);
                if let [only] = some.as_slice()
                    && !matches!(kind, "function" | "tool" | "atom")
                {
                    d.text.push(' ');
                    d.text.push_str(&crate::error::cut(crate::print::readable(only, 60), 64));
                } else if let ("string", Some(n)) = (kind, distinct(h, &some, d)?) {
                    d.text.push_str(&format!(", {n} different"));
                }
            }
        }
    }
    d.back_to(held);
    if nils > 0 {
        d.text.push_str(" or nil");
    }
    Ok(())
}

/// How many different strings there are, when they are few among many.
fn distinct(h: &mut dyn Host, values: &[&Value], d: &mut Described) -> Result<Option<usize>> {
    if values.len() < 10 {
        return Ok(None);
    }
    d.hold(h, values.len().saturating_mul(BYTES_OF_AN_ENTRY))?;
    let mut seen = std::collections::HashSet::new();
    for text in values.iter().filter_map(|v| v.as_str()) {
        h.charge(1 + text.len() as u64 / 16)?;
        seen.insert(text);
    }
    Ok((seen.len() * 2 <= values.len()).then_some(seen.len()))
}

/// Bytes of a text in a set of such, its spare places counted.
const BYTES_OF_AN_ENTRY: usize = 40;

fn kind(v: &Value) -> &'static str {
    match v {
        Value::Int(_) | Value::Big(_) => "integer",
        Value::Float(_) | Value::Ratio(_) | Value::Decimal(_) => "number",
        Value::Set(_) => "set",
        v if v.is_sequential() => "list",
        v => v.kind().trim_start_matches("an ").trim_start_matches("a "),
    }
}

fn numbers(h: &mut dyn Host, kind: &str, values: &[&Value], out: &mut String) -> Result<()> {
    // Those of a machine word are charged with the list.
    for large in values.iter().filter(|v| matches!(v, Value::Big(_) | Value::Ratio(_) | Value::Decimal(_))) {
        // For the least and the largest.
        size_cost::compared(h, large)?;
        size_cost::compared(h, large)?;
    }
    let order = |a: &&&Value, b: &&&Value| crate::value::compare::number_order(a, b);
    let (low, high) = (values.iter().min_by(order), values.iter().max_by(order));
    let text = |v: Option<&&Value>| v.map(|v| crate::print::readable(v, 40)).unwrap_or_default();
    let (low, high) = (text(low), text(high));
    out.push_str(&if low == high { format!("{kind} {low}") } else { format!("{kind} {low}..{high}") });
    Ok(())
}

/// The keys that maps have, as far as they are shown.
#[derive(Default)]
struct Keys {
    all: Vec<Value>,
    /// Whether a map has others.
    more: bool,
}

impl Keys {
    /// Adds those of a map. Every key that is looked at is charged, and every place that it is looked for in.
    fn add(&mut self, h: &mut dyn Host, m: &Map) -> Result<()> {
        let mut at = 0;
        for (k, _) in m.iter().take(KEYS) {
            h.charge(1)?;
            // Keys that are collections are not compared: that could take long.
            if k.is_sequential() || matches!(k, Value::Map(_) | Value::Set(_)) {
                self.more = true;
                continue;
            }
            size_cost::stored_key(h, k)?;
            // Rows of a table have their keys in one order.
            if self.all.get(at).is_some_and(|next| equal(next, k)) {
                at += 1;
                continue;
            }
            h.charge(self.all.len() as u64 / 2)?;
            match self.all.iter().position(|known| equal(known, k)) {
                Some(i) => at = i + 1,
                None if self.all.len() < KEYS => {
                    self.all.push(k.clone());
                    at = self.all.len();
                }
                None => self.more = true,
            }
        }
        self.more |= m.len() > KEYS;
        Ok(())
    }
}

fn maps(h: &mut dyn Host, values: &[&Value], level: u32, d: &mut Described) -> Result<()> {
    if level >= LEVELS {
        d.text.push_str(if values.iter().all(|v| matches!(v, Value::Map(m) if m.is_empty())) { "{}" } else { "{...}" });
        return Ok(());
    }
    let mut keys = Keys::default();
    for v in values {
        let Value::Map(m) = v else { continue };
        keys.add(h, m)?;
    }
    d.text.push('{');
    let held = d.held;
    for (i, k) in keys.all.iter().enumerate() {
        if d.text.len() > BYTES {
            break;
        }
        if i > 0 {
            d.text.push_str(", ");
        }
        d.text.push_str(&crate::print::readable(k, 60));
        // The values are looked at key by key: not all of them are held at once.
        d.hold(h, std::mem::size_of_val(values).saturating_mul(2))?;
        let mut seen: Vec<Value> = Vec::with_capacity(values.len());
        for v in values {
            h.charge(size_cost::search(v))?;
            size_cost::stored_key(h, k)?;
            if let Value::Map(m) = v {
                seen.extend(m.get(k).cloned());
            }
        }
        d.text.push_str(if seen.len() < values.len() { "? " } else { " " });
        on_deep_stack(|| of(h, &seen, level + 1, d))?;
        d.back_to(held);
    }
    if keys.more {
        d.text.push_str(if keys.all.is_empty() { "..." } else { ", ..." });
    }
    d.text.push('}');
    Ok(())
}

/// Items that are taken from a lazy list before they are paid for.
const PIECE: usize = 1024;

/// Takes so many items of a list or set at most, paid for and on the meter; how many more it has, and whether it has some that
/// are not realised.
fn take(h: &mut dyn Host, v: &Value, most: usize, items: &mut Vec<Value>, d: &mut Described) -> Result<(usize, bool)> {
    let mut known = |len: usize, h: &mut dyn Host| {
        let taken = len.min(most);
        h.charge(1 + taken as u64)?;
        d.hold(h, taken.saturating_mul(size_of::<Value>())).map(|()| len - taken)
    };
    let more = match v {
        Value::Set(s) => {
            let more = known(s.len(), h)?;
            items.extend(s.iter().take(most).cloned());
            more
        }
        Value::Vector(v) => {
            let more = known(v.len(), h)?;
            items.extend(v.iter().take(most).cloned());
            more
        }
        Value::Slice(s) => {
            let more = known(s.len(), h)?;
            items.extend(s.iter().take(most).cloned());
            more
        }
        v => {
            let (mut seen, start) = (RealizedIter::new(v), items.len());
            loop {
                let piece = (start + most - items.len()).min(PIECE);
                d.hold(h, piece.saturating_mul(size_of::<Value>()))?;
                let before = items.len();
                items.extend(seen.by_ref().take(piece));
                let taken = items.len() - before;
                h.charge(1 + taken as u64)?;
                if taken < PIECE {
                    break;
                }
            }
            let more = seen.by_ref().count();
            h.charge(more as u64)?;
            return Ok((more, seen.unrealised()));
        }
    };
    Ok((more, false))
}

fn lists(h: &mut dyn Host, kind: &str, values: &[&Value], level: u32, d: &mut Described) -> Result<()> {
    let held = d.held;
    let mut items: Vec<Value> = Vec::new();
    let mut lengths: Vec<usize> = Vec::new();
    let mut unrealised = false;
    d.hold(h, std::mem::size_of_val(values))?;
    for v in values {
        let (before, room) = (items.len(), ITEMS.saturating_sub(items.len()));
        let (more, lazy) = take(h, v, room, &mut items, d)?;
        unrealised |= lazy;
        lengths.push(items.len() - before + more);
    }
    let count = match (lengths.iter().min(), lengths.iter().max()) {
        _ if unrealised => format!("{kind}, not all of it realised"),
        (Some(low), Some(high)) if low == high => format!("{kind} of {low}"),
        (Some(low), Some(high)) => format!("{kind} of {low} to {high}"),
        _ => kind.to_string(),
    };
    d.text.push_str(&count);
    let all = lengths.iter().fold(0_usize, |sum, n| sum.saturating_add(*n));
    if items.len() < all {
        d.text.push_str(&format!(", the first {} of {all}", items.len()));
    }
    if !items.is_empty() {
        d.text.push_str(": ");
        match level < LEVELS {
            true => on_deep_stack(|| of(h, &items, level + 1, d))?,
            false => d.text.push_str("..."),
        }
    }
    d.back_to(held);
    Ok(())
}
