//! Reading and writing arrays. What an array holds is a vector in a cell of the session's memory, changed where it is while
//! nobody else holds it; so a failed turn undoes changes, and a fork of the session has arrays of its own.

use super::kinds::{made, stored, zero};
use crate::builtins::args::{get, out_of_bounds, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::seq_source::core;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::seq::PLACE_DEPTH;
use crate::value::boxed::{ArrayKind, CellId, Place};
use crate::value::{Builtin, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "aget",
        "array idx | array idx & idxs",
        "The item of an array at idx; more indexes go on in the arrays within.",
        &[
            ("(aget (long-array [7 8]) 1)", "8"),
            ("(aget (to-array-2d [[1 2] [3 4]]) 1 0)", "3"),
            ("(aget (long-array 2) 2)", "!Index 2 out of bounds for length 2"),
        ],
        &Body(aget),
    ),
    Builtin::new(
        "aset",
        "array idx val | array idx idx2 & idxv",
        "Puts val at idx of an array, where it is, and gives val; more indexes go on in the arrays within.",
        &[
            ("(let [a (long-array 2)] (aset a 0 5) (vec a))", "[5 0]"),
            ("(let [a (make-array Long/TYPE 2 2)] (aset a 1 0 5) (mapv vec a))", "[[0 0] [5 0]]"),
            ("(aset (int-array 1) 0 \"a\")", "!int[] holds no \"a\""),
        ],
        &Body(|h, a| aset(h, a, None)),
    ),
    Builtin::new(
        "aset-int",
        "array idx val | array idx idx2 & idxv",
        "As aset, of (int val).",
        &[("(let [a (int-array 1)] (aset-int a 0 5.7) (vec a))", "[5]")],
        &Body(|h, a| aset(h, a, Some("int"))),
    ),
    Builtin::new(
        "aset-long",
        "array idx val | array idx idx2 & idxv",
        "As aset, of (long val).",
        &[("(let [a (long-array 1)] (aset-long a 0 5.7) (vec a))", "[5]")],
        &Body(|h, a| aset(h, a, Some("long"))),
    ),
    Builtin::new(
        "aset-double",
        "array idx val | array idx idx2 & idxv",
        "As aset, of (double val).",
        &[("(let [a (double-array 1)] (aset-double a 0 5) (vec a))", "[5.0]")],
        &Body(|h, a| aset(h, a, Some("double"))),
    ),
    Builtin::new(
        "aset-float",
        "array idx val | array idx idx2 & idxv",
        "As aset, of (float val).",
        &[("(let [a (float-array 1)] (aset-float a 0 5) (vec a))", "[5.0]")],
        &Body(|h, a| aset(h, a, Some("float"))),
    ),
    Builtin::new(
        "aset-boolean",
        "array idx val | array idx idx2 & idxv",
        "As aset, of (boolean val).",
        &[("(let [a (boolean-array 1)] (aset-boolean a 0 :x) (vec a))", "[true]")],
        &Body(|h, a| aset(h, a, Some("boolean"))),
    ),
    Builtin::new(
        "aset-char",
        "array idx val | array idx idx2 & idxv",
        "As aset, of (char val).",
        &[("(let [a (char-array 1)] (aset-char a 0 \\a) (vec a))", "[\\a]")],
        &Body(|h, a| aset(h, a, Some("char"))),
    ),
    Builtin::new(
        "aset-byte",
        "array idx val | array idx idx2 & idxv",
        "As aset, of (byte val).",
        &[("(let [a (byte-array 1)] (aset-byte a 0 5) (vec a))", "[5]")],
        &Body(|h, a| aset(h, a, Some("byte"))),
    ),
    Builtin::new(
        "aset-short",
        "array idx val | array idx idx2 & idxv",
        "As aset, of (short val).",
        &[("(let [a (short-array 1)] (aset-short a 0 5) (vec a))", "[5]")],
        &Body(|h, a| aset(h, a, Some("short"))),
    ),
    Builtin::new(
        "alength",
        "array",
        "How many items an array has.",
        &[("(alength (int-array 3))", "3"), ("(alength 3)", "!an array")],
        &of_32_bits!(|h, a| Ok(Value::int(items(h, get(a, 0), 0)?.len() as i64))),
    ),
    Builtin::new(
        "aclone",
        "array",
        "An array of the same items.",
        &[("(let [a (int-array [1]) b (aclone a)] (aset b 0 5) [(vec a) (vec b)])", "[[1] [5]]")],
        &Body(|h, a| {
            let kind = kind(get(a, 0));
            let items = items(h, get(a, 0), 0)?;
            new(h, kind, items)
        }),
    ),
];

/// An array of these items, which may be held by others: whoever changes them first makes a copy.
///
/// # Errors
/// When fuel or memory ends.
pub fn new(h: &mut dyn Host, kind: ArrayKind, items: Vector) -> Result {
    if items.depth() > PLACE_DEPTH.saturating_add(1) {
        return Err(super::kinds::item_too_deep());
    }
    let items = if items.meta().is_some() || !items.is_plain() { items.slice(0, items.len()) } else { items };
    place_of(h, kind.place(), Value::Vector(items))
}

/// A place of this kind that holds a value.
///
/// # Errors
/// When fuel or memory ends.
pub fn place_of(h: &mut dyn Host, place: Place, held: Value) -> Result {
    h.place_made();
    let plain = h.cell(Value::Nil)?;
    h.cell_remove(plain);
    let id = plain.with_place(place);
    h.cell_set(id, held);
    Ok(Value::Place(id))
}

/// The kind of an array; what is a vector here instead holds any values.
pub fn kind(v: &Value) -> ArrayKind {
    match v {
        Value::Place(id) => id.place().array().unwrap_or(ArrayKind::Object),
        _ => ArrayKind::Object,
    }
}

/// The items of an array, argument `i`, or of a vector where Java gives an array.
///
/// # Errors
/// When it is neither.
pub fn items(h: &mut dyn Host, v: &Value, i: usize) -> Result<Vector> {
    match v {
        Value::Vector(v) => Ok(v.clone()),
        Value::Place(id) if id.place().array().is_some() => match h.cell_get(*id) {
            Value::Vector(v) => Ok(v),
            _ => Ok(Vector::new()),
        },
        other => Err(no_array(other, i)),
    }
}

#[cold]
fn no_array(v: &Value, i: usize) -> Interrupt {
    Interrupt::argument(i, "an array", v).hint(match v {
        Value::Vector(_) => {
            "vectors never change: (assoc v i x) gives a changed one, (object-array v) an array of its items"
        }
        _ => "(long-array n), (object-array coll) and (into-array coll) make arrays",
    })
}

/// An array that is written.
///
/// # Errors
/// When the argument `i` is none.
pub fn array(v: &Value, i: usize) -> Result<(ArrayKind, CellId)> {
    match v {
        Value::Place(id) if let Some(kind) = id.place().array() => Ok((kind, *id)),
        other => Err(no_array(other, i)),
    }
}

/// An index below `len`.
///
/// # Errors
/// When it is another number, or none.
pub fn place(v: &Value, i: usize, len: usize) -> Result<usize> {
    let at = match v {
        Value::Int(n) => n.get(),
        Value::Float(f) if f.get().is_finite() => f.get() as i64,
        other => return Err(Interrupt::argument(i, "an integer", other)),
    };
    match usize::try_from(at) {
        Ok(at) if at < len => Ok(at),
        _ => Err(outside(at, len)),
    }
}

/// The error of an index that is none of an array.
#[cold]
pub fn outside(at: i64, len: usize) -> Interrupt {
    let words = format!("Index {at} out of bounds for length {len}");
    Interrupt::throw("ArrayIndexOutOfBoundsException", ErrorKind::Index, words)
}

fn aget(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut now = take(a, 0);
    for i in 1..a.len() {
        h.charge(1)?;
        let items = items(h, &now, 0)?;
        let at = place(get(a, i), i, items.len())?;
        now = items.get(at).cloned().unwrap_or_default();
    }
    Ok(now)
}

/// Puts a value at a place that is there.
///
/// # Errors
/// When fuel or memory ends.
pub fn put(h: &mut dyn Host, id: CellId, at: usize, v: Value) -> Result<()> {
    h.charge(1)?;
    match h.cell_mut(id) {
        Some(Value::Vector(items)) if items.is_unique() => {
            items.set(at, v);
            return Ok(());
        }
        _ => {}
    }
    // A limit on the way ends the turn, which takes its changes back.
    let Value::Vector(mut items) = h.cell_take(id) else { return Ok(()) };
    cost::change(h, &mut items)?;
    items.set(at, v);
    h.cell_set(id, Value::Vector(items));
    Ok(())
}

fn aset(h: &mut dyn Host, a: &mut [Value], cast: Option<&'static str>) -> Result {
    let (last, before) = (a.len().saturating_sub(1), a.len().saturating_sub(2));
    let mut v = take(a, last);
    if let Some(cast) = cast {
        let f = core(h, cast)?;
        v = h.call1(&f, v)?;
    }
    let mut target = take(a, 0);
    for i in 1..before {
        h.charge(1)?;
        let items = items(h, &target, 0)?;
        let at = place(get(a, i), i, items.len())?;
        target = items.get(at).cloned().unwrap_or_default();
    }
    let (kind, id) = array(&target, 0)?;
    let len = match h.cell_mut(id) {
        Some(Value::Vector(items)) => items.len(),
        _ => 0,
    };
    let at = place(get(a, before), before, len)?;
    let v = stored(h, kind, v)?;
    put(h, id, at, v.clone())?;
    Ok(v)
}

/// An array of a kind made of the arguments from `from` on, as the constructors take them: a length, with what to fill it
/// with if that is not its zero; a collection; a length and a collection of its first items.
///
/// # Errors
/// When an item is of another type.
pub fn construct(h: &mut dyn Host, a: &mut [Value], kind: ArrayKind) -> Result {
    let size = match get(a, 0) {
        v if crate::number::is_number(v) => {
            let cast = core(h, "int")?;
            let n = h.call1(&cast, v.clone())?;
            Some(length(&n)?)
        }
        _ => None,
    };
    let Some(size) = size else {
        let mut all = crate::seq::Iter::arg(a, 0)?.collect(h)?;
        h.charge(all.len() as u64 / 2)?;
        for slot in &mut all {
            let v = std::mem::take(slot);
            *slot = made(h, kind, v)?;
        }
        return new(h, kind, Vector::from_vec(all));
    };
    let (fill, mut first) = match take(a, 1) {
        Value::Nil => (zero(kind), None),
        coll if crate::seq::is_seqable(&coll) && !matches!(coll, Value::Str(_)) => {
            (zero(kind), Some(crate::seq::Iter::new(coll)?))
        }
        fill => (made(h, kind, fill)?, None),
    };
    let mut all = filled(h, &fill, size)?;
    for slot in &mut all {
        let Some(v) = first.as_mut().map_or(Ok(None), |items| items.next(h))? else { break };
        h.charge(1)?;
        *slot = made(h, kind, v)?;
    }
    new(h, kind, Vector::from_vec(all))
}

/// So many times the same value, paid for.
///
/// # Errors
/// When fuel or memory ends.
pub fn filled(h: &mut dyn Host, v: &Value, n: usize) -> Result<Vec<Value>> {
    h.charge(n as u64 / 4)?;
    h.reserve(n as u64 * 16)?;
    Ok(vec![v.clone(); n])
}

/// A length.
///
/// # Errors
/// When it is negative, or no integer.
pub fn length(v: &Value) -> Result<usize> {
    match v {
        Value::Int(n) if n.get() < 0 => {
            Err(Interrupt::throw("NegativeArraySizeException", ErrorKind::Value, n.to_string()))
        }
        // Where numbers of items have 32 bits, none of so many is there: its memory is refused.
        Value::Int(n) => Ok(usize::try_from(n.get()).unwrap_or(usize::MAX / 2)),
        other => Err(Interrupt::argument(0, "a length", other)),
    }
}

/// A range of indexes, argument `i` and the next.
///
/// # Errors
/// When it is none within the array.
pub fn range(a: &[Value], i: usize, len: usize) -> Result<(usize, usize)> {
    let (from, to) = (crate::builtins::args::int(a, i)?, crate::builtins::args::int(a, i + 1)?);
    let within = |n: i64| usize::try_from(n).ok().filter(|n| *n <= len);
    match (within(from), within(to)) {
        (Some(from), Some(to)) if from <= to => Ok((from, to)),
        (Some(_), Some(_)) => {
            Err(Interrupt::bad(i, ErrorKind::Value, format!("must not be above the end: {from} > {to}")))
        }
        (None, _) => Err(out_of_bounds(i, from, len)),
        _ => Err(out_of_bounds(i + 1, to, len)),
    }
}
