//! sort and sort-by: a stable merge sort of our own, which any comparator may lie to (SECURITY R5, SECURITY attack 16).

use super::callers::Caller;
use super::compared::compared_by;
use super::group::incomparable;
use super::seq_source::{BLOCK, BatchedCharge, items, nesting, part};
use crate::builtins::args::{get, take};
use crate::builtins::functions::combinators::{Call, Held, native};
use crate::builtins::row::BuiltinRow;
use crate::builtins::types::own_method;
use crate::cost;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::compare::compare;
use crate::value::metadata::meta_of;
use crate::value::{Builtin, Slice, Value};
use std::cmp::Ordering;

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "sort",
        "coll | comp coll",
        "The items in order, by compare or by a comparator: a predicate (<) or a function that gives a number. Equal items keep their order.",
        &[("(sort [3 1 2])", "(1 2 3)"), ("(sort > [3 1 2])", "(3 2 1)"), ("(sort [1 \"a\"])", "!compare")],
        &Body(sort),
    ),
    Builtin::new(
        "sort-by",
        "keyfn coll | keyfn comp coll",
        "The items in the order of what keyfn gives for them, by compare or by a comparator.",
        &[
            ("(sort-by count [\"aaa\" \"b\"])", "(\"b\" \"aaa\")"),
            ("(sort-by :n > [{:n 1} {:n 2}])", "({:n 2} {:n 1})"),
        ],
        &Body(sort_by),
    ),
];

/// Puts places in order by merging runs; `after(a, b)` says whether the item at `a` has to come after the one at `b`.
fn merge_sort(
    h: &mut dyn Host,
    n: usize,
    after: &mut dyn FnMut(&mut dyn Host, u32, u32) -> Result<bool>,
) -> Result<Vec<u32>> {
    h.reserve(n as u64 * 8)?;
    let mut now: Vec<u32> = (0..u32::try_from(n).unwrap_or(u32::MAX)).collect();
    let mut next = Vec::with_capacity(n);
    let mut width = 1;
    while width < n {
        h.charge(n as u64)?;
        next.clear();
        for pair in now.chunks(width.saturating_mul(2)) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(h, left, right, &mut next, after)?;
        }
        std::mem::swap(&mut now, &mut next);
        width = width.saturating_mul(2);
    }
    Ok(now)
}

fn merge(
    h: &mut dyn Host,
    left: &[u32],
    right: &[u32],
    out: &mut Vec<u32>,
    after: &mut dyn FnMut(&mut dyn Host, u32, u32) -> Result<bool>,
) -> Result<()> {
    // Runs that are in order already cost one look.
    if let (Some(l), Some(r)) = (left.last(), right.first())
        && !after(h, *l, *r)?
    {
        out.extend_from_slice(left);
        out.extend_from_slice(right);
        return Ok(());
    }
    let (mut l, mut r) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(a), Some(b)) = (l.peek(), r.peek()) {
        if after(h, **a, **b)? {
            out.extend(r.next());
        } else {
            out.extend(l.next());
        }
    }
    out.extend(l);
    out.extend(r);
    Ok(())
}

/// Clojure's `compare` as an order: the common kinds at once, vectors of them too.
fn compared(a: &Value, b: &Value) -> Result<Ordering> {
    if let (Value::Vector(x), Value::Vector(y)) = (a, b)
        && let (Some(x), Some(y)) = (x.as_slice(), y.as_slice())
        && x.len() == y.len()
    {
        for (v, w) in x.iter().zip(y) {
            match quick(v, w).map_or_else(|| slowly(v, w), Ok)? {
                Ordering::Equal => {}
                other => return Ok(other),
            }
        }
        return Ok(Ordering::Equal);
    }
    quick(a, b).map_or_else(|| slowly(a, b), Ok)
}

fn quick(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Some(x.get().cmp(&y.get())),
        (Value::Float(x), Value::Float(y)) => x.get().partial_cmp(&y.get()),
        (Value::Bool(x), Value::Bool(y)) => Some(x.cmp(y)),
        // Bytes of ASCII are in the order of Java's characters.
        (Value::Str(x), Value::Str(y)) if x.is_ascii() && y.is_ascii() => Some(x.as_str().cmp(y.as_str())),
        _ => None,
    }
}

fn slowly(a: &Value, b: &Value) -> Result<Ordering> {
    compare(a, b).map(|o| o.cmp(&0)).ok_or_else(|| incomparable("compare", a, b))
}

/// A text's first eight bytes and its length: for most pairs enough to say which comes first.
fn start(text: &str) -> (u64, usize) {
    let mut first = [0u8; 8];
    for (slot, byte) in first.iter_mut().zip(text.bytes()) {
        *slot = byte;
    }
    (u64::from_be_bytes(first), text.len())
}

/// The order of two texts whose starts are known. Equal starts of up to eight bytes differ in zeros at the end only.
fn orders(a: (u64, usize), b: (u64, usize), whole: impl FnOnce() -> Ordering) -> Ordering {
    a.0.cmp(&b.0).then_with(|| if a.1 <= 8 && b.1 <= 8 { a.1.cmp(&b.1) } else { whole() })
}

/// Keys, or one place of keys that are vectors, of a kind whose order is plain: numbers side by side, texts by how they
/// start.
enum Column<'a> {
    Ints(Vec<i64>),
    Floats(Vec<f64>),
    Texts(Vec<(u64, usize)>, Vec<&'a str>),
}

impl<'a> Column<'a> {
    /// Of `keys`, if they are all of one plain kind.
    fn new(keys: &[&'a Value]) -> Option<Column<'a>> {
        match keys.first()? {
            Value::Str(_) => {
                // Bytes of ASCII are in the order of Java's characters.
                let text = |k: &&'a Value| if let Value::Str(s) = k { s.is_ascii().then(|| s.as_str()) } else { None };
                let texts: Vec<&str> = keys.iter().map(text).collect::<Option<_>>()?;
                Some(Column::Texts(texts.iter().map(|t| start(t)).collect(), texts))
            }
            Value::Int(_) | Value::Float(_) => {
                let int = |k: &&Value| if let Value::Int(i) = k { Some(i.get()) } else { None };
                let ints: Option<Vec<i64>> = keys.iter().map(int).collect();
                // Whole numbers below 2^53 are the same as doubles; NaN has no order.
                let float = |k: &&Value| match k {
                    Value::Float(f) if !f.get().is_nan() => Some(f.get()),
                    Value::Int(i) if i.get().unsigned_abs() < 1 << 53 => Some(i.get() as f64),
                    _ => None,
                };
                ints.map(Column::Ints).or_else(|| Some(Column::Floats(keys.iter().map(float).collect::<Option<_>>()?)))
            }
            _ => None,
        }
    }

    /// Bytes that comparing may have to look at, beside the numbers themselves.
    fn bytes(&self) -> u64 {
        match self {
            Column::Texts(starts, _) => starts.iter().map(|s| 48 + s.1 as u64).fold(0, u64::saturating_add),
            _ => 0,
        }
    }

    #[inline]
    fn order(&self, a: usize, b: usize) -> Ordering {
        match self {
            Column::Ints(k) => k.get(a).cmp(&k.get(b)),
            Column::Floats(k) => k.get(a).partial_cmp(&k.get(b)).unwrap_or(Ordering::Equal),
            Column::Texts(starts, texts) => {
                let known = |i: usize| starts.get(i).copied().unwrap_or_default();
                let text = |i: usize| texts.get(i).copied().unwrap_or_default();
                orders(known(a), known(b), || text(a).cmp(text(b)))
            }
        }
    }
}

fn item(key: &Value, i: usize) -> Option<&Value> {
    if let Value::Vector(v) = key { v.get(i) } else { None }
}

/// The columns of keys that are plain, or short vectors of one length with plain places: `(juxt :a :b)`.
fn columns(keys: &[Value]) -> Option<Vec<Column<'_>>> {
    let Some(Value::Vector(first)) = keys.first() else {
        let all: Vec<&Value> = keys.iter().collect();
        return Some(vec![Column::new(&all)?]);
    };
    let width = first.len();
    let row = |k: &'_ Value| matches!(k, Value::Vector(v) if v.len() == width && v.as_slice().is_some());
    if !(1..=4).contains(&width) || !keys.iter().all(row) {
        return None;
    }
    let place = |i: usize| {
        let column: Vec<&Value> = keys.iter().map(|k| item(k, i)).collect::<Option<_>>()?;
        Column::new(&column)
    };
    (0..width).map(place).collect()
}

/// The places of `keys` in their natural order, or the reverse of it, equal ones as they are.
fn natural(h: &mut dyn Host, keys: &[Value], down: bool) -> Result<Vec<u32>> {
    let n = keys.len() as u64;
    h.charge(n)?;
    // A reference, a number or start of a text, and a place, for every key or place of a key.
    let width = if let Some(Value::Vector(v)) = keys.first() { v.len().min(4) as u64 } else { 1 };
    h.reserve(n.saturating_mul(16 + 32 * width))?;
    let turn = |o: Ordering| if down { o.reverse() } else { o };
    if let Some(columns) = columns(keys) {
        // Numbers cost a quarter of a unit a look, texts one and what they are long.
        let bytes = columns.iter().map(Column::bytes).fold(0u64, u64::saturating_add);
        let looks = n.saturating_mul(columns.len() as u64).saturating_add(bytes / 16) / 4;
        h.charge(looks.saturating_mul(log2(n)))?;
        let mut places: Vec<u32> = (0..u32::try_from(keys.len()).unwrap_or(u32::MAX)).collect();
        // This order is total and runs no code, so the standard sort, which is stable, may have it.
        places.sort_by(|a, b| {
            let (a, b) = (*a as usize, *b as usize);
            turn(columns.iter().map(|c| c.order(a, b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal))
        });
        return Ok(places);
    }
    // Small keys are charged with the runs, others by their size whenever they are looked at.
    let small = keys.iter().all(light);
    merge_sort(h, keys.len(), &mut |h, a, b| {
        let (a, b) = (at(keys, a), at(keys, b));
        if small {
            h.charge(2)?
        } else {
            cost::key(h, a)?
        }
        Ok(turn(compared(a, b)?) == Ordering::Greater)
    })
}

/// Whether a comparison with this key costs next to nothing.
fn light(v: &Value) -> bool {
    match v {
        Value::Str(s) => s.as_str().len() < 64,
        Value::Keyword(k) => k.text().len() < 64,
        Value::Symbol(s) => s.text().len() < 64,
        Value::Vector(v) => v.len() <= 8 && v.depth() <= 1 && v.iter().all(light),
        Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) | Value::Map(_) | Value::Set(_) => false,
        Value::Big(_) | Value::Ratio(_) | Value::Decimal(_) => false,
        _ => true,
    }
}

fn log2(n: u64) -> u64 {
    u64::from(64 - n.leading_zeros())
}

fn at(keys: &[Value], i: u32) -> &Value {
    keys.get(i as usize).unwrap_or(&Value::Nil)
}

/// The places of `keys` in the order of a comparator.
fn by(h: &mut dyn Host, f: &Value, keys: &[Value]) -> Result<Vec<u32>> {
    if let Value::Builtin(b) = f {
        let number = |k: &Value| {
            matches!(k, Value::Int(_) | Value::Ratio(_) | Value::Big(_) | Value::Decimal(_))
                || matches!(k, Value::Float(f) if !f.get().is_nan())
        };
        match b.name() {
            "compare" => return natural(h, keys, false),
            "<" if keys.iter().all(number) => return natural(h, keys, false),
            ">" if keys.iter().all(number) => return natural(h, keys, true),
            _ => {}
        }
    }
    merge_sort(h, keys.len(), &mut |h, a, b| {
        let order = compared_by(h, f, at(keys, a), at(keys, b))?;
        Ok(order == Ordering::Greater)
    })
}

fn order(h: &mut dyn Host, comp: Option<&Value>, keys: &[Value]) -> Result<Vec<u32>> {
    match comp {
        None | Some(Value::Nil) => natural(h, keys, false),
        Some(f) => by(h, f, keys),
    }
}

/// Only functions compare: what else can be called cannot (as in Clojure).
pub fn comparator(h: &mut dyn Host, a: &mut [Value], i: usize) -> Result {
    if let Value::Object(_) = get(a, i)
        && let Some(method) = own_method(h, get(a, i), "compare")?
    {
        let held = vec![method, take(a, i)];
        return native(h, "compare", held, (2, Some(2)), |h, held, a| {
            h.call(get(held, 0), &mut [get(held, 1).clone(), take(a, 0), take(a, 1)])
        });
    }
    match get(a, i) {
        Value::Nil | Value::Function(_) | Value::Builtin(_) | Value::Var(_) | Value::Tool(_) => Ok(take(a, i)),
        other => Err(Interrupt::argument(i, "a comparator function", other)),
    }
}

/// What the sorted sequence has of the collection: how deep it nests, and its metadata.
struct Origin {
    nesting: Option<(u32, bool)>,
    meta: Option<Value>,
}

fn origin(v: &Value) -> Origin {
    Origin { nesting: nesting(v), meta: meta_of(v) }
}

/// The items in the order of their places; `source` is where they are from.
fn arrange(source: Origin, mut items: Vec<Value>, places: &[u32]) -> Value {
    let mut all = Vec::with_capacity(places.len());
    all.extend(places.iter().filter_map(|i| items.get_mut(*i as usize).map(std::mem::take)));
    let sorted = Slice::all(part(source.nesting, all));
    Value::Slice(if source.meta.is_some() { sorted.with_meta(source.meta) } else { sorted })
}

/// `compare` itself, where it may call what a type of the program says.
fn own_order(h: &mut dyn Host, first: Option<&Value>) -> Result<Option<Value>> {
    match first {
        Some(v) if v.is_of_own_type() => {
            let call: Call = |h, _, a| crate::builtins::equality::compare(h, a);
            Ok(Some(native(h, "compare", Held::new(), (2, Some(2)), call)?))
        }
        _ => Ok(None),
    }
}

fn sort(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let last = a.len().saturating_sub(1);
    let source = origin(get(a, last));
    let all = items(h, a, last)?;
    if all.is_empty() {
        return Ok(Value::empty_list());
    }
    let comp = if last > 0 { Some(comparator(h, a, 0)?) } else { own_order(h, all.first())? };
    let places = order(h, comp.as_ref(), &all)?;
    Ok(arrange(source, all, &places))
}

fn sort_by(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let last = a.len().saturating_sub(1);
    let source = origin(get(a, last));
    let all = items(h, a, last)?;
    if all.is_empty() {
        return Ok(Value::empty_list());
    }
    let comp = if last > 1 { Some(comparator(h, a, 1)?) } else { None };
    // A single item is compared with nothing, so nobody asks for its key: `(sort-by nil [1])` is `(1)`.
    if all.len() == 1 {
        return Ok(arrange(source, all, &[0]));
    }
    let f = take(a, 0);
    // A key is computed once; that Clojure does it at every comparison nobody can rely on.
    let (f, mut toll) = (Caller::new(&f), BatchedCharge::new(all.len()));
    h.reserve(all.len() as u64 * 16)?;
    let mut keys = Vec::with_capacity(all.len());
    for block in all.chunks(BLOCK) {
        toll.some(h, block.len())?;
        f.on_each(h, block, &mut keys)?;
    }
    let comp = if comp.is_none() { own_order(h, keys.first())? } else { comp };
    let places = order(h, comp.as_ref(), &keys)?;
    Ok(arrange(source, all, &places))
}
