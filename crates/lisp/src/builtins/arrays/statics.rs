//! Static functions of Java about arrays: `java.util.Arrays` and `System/arraycopy`.

use super::items::{array, filled, items, kind, length, new, outside, put, range};
use super::kinds::{item_too_deep, stored, zero};
use crate::builtins::args::{get, int, take};
use crate::builtins::equality::{compare, equal};
use crate::builtins::io::printing::str_of;
use crate::builtins::java::natural::all_of_one_class;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::seq_source::core;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits, too_deep};
use crate::seq::{Iter, PLACE_DEPTH};
use crate::value::boxed::CellId;
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "Arrays/sort",
        "array | array comp | array from to | array from to comp",
        "Puts the items of an array in order, where they are, or those from index from up to, without, to; nil.",
        &[("(let [a (long-array [3 1 2])] (java.util.Arrays/sort a) (vec a))", "[1 2 3]")],
        &Body(sort),
    ),
    Builtin::new(
        "Arrays/fill",
        "array val | array from to val",
        "Puts val at every index of an array, or at those from from up to, without, to; nil.",
        &[("(let [a (long-array 3)] (java.util.Arrays/fill a 7) (vec a))", "[7 7 7]")],
        &Body(fill),
    ),
    Builtin::new(
        "Arrays/copyOf",
        "array len",
        "An array of the first len items, filled up where there are fewer.",
        &[("(vec (java.util.Arrays/copyOf (long-array [1 2]) 3))", "[1 2 0]")],
        &Body(|h, a| {
            let n = length(get(a, 1))?;
            copy(h, a, 0, n)
        }),
    ),
    Builtin::new(
        "Arrays/copyOfRange",
        "array from to",
        "An array of the items from index from up to, without, to, filled up past the end.",
        &[("(vec (java.util.Arrays/copyOfRange (long-array [1 2 3]) 1 3))", "[2 3]")],
        &Body(|h, a| {
            let len = items(h, get(a, 0), 0)?.len();
            let (from, to) = (int(a, 1)?, int(a, 2)?);
            match (usize::try_from(from), usize::try_from(to)) {
                (Ok(from), Ok(to)) if from <= to && from <= len => copy(h, a, from, to),
                (Ok(x), Ok(to)) if x > to => {
                    Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, format!("{from} > {to}")))
                }
                _ => Err(outside(from, len)),
            }
        }),
    ),
    Builtin::new(
        "Arrays/equals",
        "a b",
        "Whether two arrays are of one kind and hold equal items.",
        &[("(java.util.Arrays/equals (long-array [1]) (long-array [1]))", "true")],
        &Body(|h, a| {
            if kind(get(a, 0)) != kind(get(a, 1)) {
                return Ok(Value::Bool(false));
            }
            let (x, y) = (items(h, get(a, 0), 0)?, items(h, get(a, 1), 1)?);
            Ok(Value::Bool(equal(h, &Value::Vector(x), &Value::Vector(y))?))
        }),
    ),
    Builtin::new(
        "Arrays/toString",
        "array",
        "The items as Java writes them.",
        &[("(java.util.Arrays/toString (object-array [1 \"a\" nil]))", "\"[1, a, null]\"")],
        &Body(|h, a| written(h, a, false)),
    ),
    Builtin::new(
        "Arrays/deepToString",
        "array",
        "The items as Java writes them, those of arrays within too.",
        &[("(java.util.Arrays/deepToString (to-array-2d [[1 2] [3]]))", "\"[[1, 2], [3]]\"")],
        &Body(|h, a| written(h, a, true)),
    ),
    Builtin::new(
        "Arrays/asList",
        "array",
        "The items as a vector, which does not change with the array.",
        &[("(java.util.Arrays/asList (into-array [1 2]))", "[1 2]")],
        &Body(|h, a| Ok(Value::Vector(items(h, get(a, 0), 0)?))),
    ),
    Builtin::new(
        "Arrays/binarySearch",
        "array key",
        "The index of key in an array that is in order, or else -1 minus the index where it would be.",
        &[("(map #(java.util.Arrays/binarySearch (long-array [1 3 5]) %) [3 4])", "(1 -3)")],
        &of_32_bits!(search),
    ),
    Builtin::new(
        "System/arraycopy",
        "src srcPos dest destPos length",
        "Copies length items from one array into another, or within one; nil.",
        &[("(let [a (long-array [1 2 3])] (System/arraycopy a 0 a 1 2) (vec a))", "[1 1 2]")],
        &Body(arraycopy),
    ),
];

/// Makes these the items of an array.
fn replace(h: &mut dyn Host, id: CellId, items: Vec<Value>) {
    h.cell_set(id, Value::Vector(Vector::from_vec(items)));
}

fn sort(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (_, id) = array(get(a, 0), 0)?;
    let all = items(h, get(a, 0), 0)?;
    let (from, to) = if a.len() > 2 { range(a, 1, all.len())? } else { (0, all.len()) };
    let sort = core(h, "sort")?;
    h.charge(all.len() as u64 / 2)?;
    h.reserve(all.len() as u64 * 32)?;
    let part = all.slice(from, to);
    if a.len() % 2 == 1 || get(a, a.len().saturating_sub(1)).is_nil() {
        all_of_one_class(h, part.len(), part.iter())?;
    }
    let part = Value::Vector(part);
    let sorted = match a.len() {
        2 => h.call2(&sort, take(a, 1), part)?,
        4 => h.call2(&sort, take(a, 3), part)?,
        _ => h.call1(&sort, part)?,
    };
    let sorted = Iter::new(sorted)?.collect(h)?;
    // What the comparator did to the array meanwhile is lost, as what it does in Java is undefined.
    let mut out = all.into_vec();
    for (slot, v) in out.iter_mut().skip(from).zip(sorted) {
        *slot = v;
    }
    replace(h, id, out);
    Ok(Value::Nil)
}

fn fill(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (kind, id) = array(get(a, 0), 0)?;
    let len = items(h, get(a, 0), 0)?.len();
    let (from, to) = if a.len() > 2 { range(a, 1, len)? } else { (0, len) };
    let last = a.len().saturating_sub(1);
    let v = stored(h, kind, take(a, last))?;
    if (from, to) == (0, len) {
        let all = filled(h, &v, len)?;
        replace(h, id, all);
        return Ok(Value::Nil);
    }
    for at in from..to {
        put(h, id, at, v.clone())?;
    }
    Ok(Value::Nil)
}

fn copy(h: &mut dyn Host, a: &mut [Value], from: usize, to: usize) -> Result {
    let kind = kind(get(a, 0));
    let all = items(h, get(a, 0), 0)?;
    let mut out = filled(h, &zero(kind), to.saturating_sub(from))?;
    for (slot, v) in out.iter_mut().zip(all.iter_from(from.min(all.len()))) {
        *slot = v.clone();
    }
    new(h, kind, Vector::from_vec(out))
}

fn written(h: &mut dyn Host, a: &mut [Value], deep: bool) -> Result {
    if get(a, 0).is_nil() {
        return Ok(Value::str("null"));
    }
    let all = items(h, get(a, 0), 0)?;
    let mut out = String::new();
    write(h, &all, deep, 0, &mut out)?;
    Ok(Value::from(out))
}

fn write(h: &mut dyn Host, all: &Vector, deep: bool, nested: u32, out: &mut String) -> Result<()> {
    if nested > PLACE_DEPTH {
        return Err(too_deep(h.limits()));
    }
    out.push('[');
    for (i, v) in all.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        h.charge(2)?;
        match v {
            Value::Nil => out.push_str("null"),
            Value::Place(id) if deep && id.place().array().is_some() => {
                let inner = items(h, v, 0)?;
                on_deep_stack(|| write(h, &inner, deep, nested + 1, out))?;
            }
            v => {
                let text = str_of(h, v)?;
                cost::text(h, text.len())?;
                // Asking whether there is room is work too: it is done when more is needed.
                let more = text.len() + 2;
                if out.capacity() - out.len() < more {
                    h.reserve((2 * out.len() + more) as u64)?;
                }
                out.push_str(&text);
            }
        }
    }
    out.push(']');
    Ok(())
}

fn search(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let all = items(h, get(a, 0), 0)?;
    let key = take(a, 1);
    let (mut low, mut high) = (0, all.len());
    while low < high {
        h.charge(2)?;
        let middle = low + (high - low) / 2;
        // Java looks at the lower of two middles.
        let middle = if (high - low).is_multiple_of(2) { middle - 1 } else { middle };
        let here = all.get(middle).cloned().unwrap_or_default();
        match compare(h, &mut [here, key.clone()])? {
            Value::Int(n) if n == 0 => return Ok(Value::int(middle as i64)),
            Value::Int(n) if n.get() < 0 => low = middle + 1,
            _ => high = middle,
        }
    }
    Ok(Value::int(-1 - low as i64))
}

fn arraycopy(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let source = items(h, get(a, 0), 0)?;
    let (target, id) = array(get(a, 2), 2)?;
    if kind(get(a, 0)) != target {
        let words = "arraycopy: the arrays are of different kinds";
        return Err(Interrupt::throw("ArrayStoreException", ErrorKind::Type, words));
    }
    if source.depth() > PLACE_DEPTH.saturating_add(1) {
        return Err(item_too_deep());
    }
    let len = items(h, get(a, 2), 2)?.len();
    let n = int(a, 4)?;
    let within = |at: i64, n: i64, len: usize| {
        let end = usize::try_from(at.saturating_add(n)).ok()?;
        usize::try_from(at).ok().filter(|_| n >= 0 && end <= len)
    };
    let (Some(from), Some(to)) = (within(int(a, 1)?, n, source.len()), within(int(a, 3)?, n, len)) else {
        let words = format!("arraycopy: {n} items from {} to {} are out of bounds", int(a, 1)?, int(a, 3)?);
        return Err(Interrupt::throw("ArrayIndexOutOfBoundsException", ErrorKind::Index, words));
    };
    let n = usize::try_from(n).unwrap_or_default();
    h.charge(n as u64 / 2)?;
    h.reserve(n as u64 * 16)?;
    let part: Vec<Value> = source.iter_from(from).take(n).cloned().collect();
    drop(source);
    for (at, v) in (to..).zip(part) {
        put(h, id, at, v)?;
    }
    Ok(Value::Nil)
}
