//! Functions that make arrays, and the casts that say which kind one is.

use super::items::{construct, filled, items, length, new};
use super::kinds::{made, of_type, zero};
use super::typed;
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::Iter;
use crate::value::boxed::{ArrayKind, Place};
use crate::value::{Builtin, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "int-array",
        "size-or-seq | size init-val-or-seq",
        "An array of 32-bit integers: so many zeros, so many of init-val, or the numbers of a collection.",
        &[("(vec (int-array 2))", "[0 0]"), ("(vec (int-array [1.5 2]))", "[1 2]"), ("(vec (int-array 2 7))", "[7 7]")],
        &Body(|h, a| construct(h, a, ArrayKind::Int)),
    ),
    Builtin::new(
        "long-array",
        "size-or-seq | size init-val-or-seq",
        "An array of integers, as int-array makes one of 32 bits.",
        &[("(vec (long-array 3 [1 2]))", "[1 2 0]"), ("(long-array [\"a\"])", "!long[] holds no \"a\"")],
        &Body(|h, a| construct(h, a, ArrayKind::Long)),
    ),
    Builtin::new(
        "short-array",
        "size-or-seq | size init-val-or-seq",
        "An array of 16-bit integers.",
        &[("(vec (short-array 1))", "[0]")],
        &Body(|h, a| construct(h, a, ArrayKind::Short)),
    ),
    Builtin::new(
        "byte-array",
        "size-or-seq | size init-val-or-seq",
        "An array of 8-bit integers.",
        &[("(vec (byte-array [1 200]))", "[1 -56]")],
        &Body(|h, a| construct(h, a, ArrayKind::Byte)),
    ),
    Builtin::new(
        "double-array",
        "size-or-seq | size init-val-or-seq",
        "An array of doubles.",
        &[("(vec (double-array [1 2]))", "[1.0 2.0]")],
        &Body(|h, a| construct(h, a, ArrayKind::Double)),
    ),
    Builtin::new(
        "float-array",
        "size-or-seq | size init-val-or-seq",
        "An array of numbers with the precision of 32 bits.",
        &[("(vec (float-array [0.1]))", "[0.1]")],
        &Body(|h, a| construct(h, a, ArrayKind::Float)),
    ),
    Builtin::new(
        "boolean-array",
        "size-or-seq | size init-val-or-seq",
        "An array of booleans.",
        &[("(vec (boolean-array 2))", "[false false]")],
        &Body(|h, a| construct(h, a, ArrayKind::Boolean)),
    ),
    Builtin::new(
        "char-array",
        "size-or-seq | size init-val-or-seq",
        "An array of characters, as those of a string.",
        &[("(vec (char-array \"ab\"))", "[\\a \\b]")],
        &Body(|h, a| construct(h, a, ArrayKind::Char)),
    ),
    Builtin::new(
        "object-array",
        "size-or-seq",
        "An array of any values: so many nils, or the items of a collection.",
        &[("(vec (object-array 2))", "[nil nil]"), ("(vec (object-array [1 :a]))", "[1 :a]")],
        &Body(|h, a| construct(h, a, ArrayKind::Object)),
    ),
    Builtin::new(
        "make-array",
        "type len | type dim & more-dims",
        "An array for items of a type, as Long/TYPE, Double/TYPE or String; of more dimensions an array of arrays.",
        &[
            ("(vec (make-array Boolean/TYPE 2))", "[false false]"),
            ("(mapv vec (make-array Long/TYPE 2 1))", "[[0] [0]]"),
        ],
        &Body(make),
    ),
    Builtin::new(
        "to-array",
        "coll",
        "An array of the items.",
        &[("(String/format \"%d-%s\" (to-array [1 \"a\"]))", "\"1-a\"")],
        &Body(|h, a| match get(a, 0) {
            Value::Place(id) if id.place() == Place::Objects => Ok(take(a, 0)),
            _ => into(h, ArrayKind::Object, a, 0),
        }),
    ),
    Builtin::new(
        "to-array-2d",
        "coll",
        "An array of arrays of the items of each collection in coll.",
        &[("(mapv vec (to-array-2d [[1 2] [3]]))", "[[1 2] [3]]")],
        &Body(|h, a| {
            let mut rows = Iter::arg(a, 0)?.collect(h)?;
            for row in &mut rows {
                *row = into(h, ArrayKind::Object, std::slice::from_mut(row), 0)?;
            }
            new(h, ArrayKind::Object, Vector::from_vec(rows))
        }),
    ),
    Builtin::new(
        "into-array",
        "coll | type coll",
        "An array of the items, which are of the type that is named, or else of that of the first one.",
        &[
            ("(seq (into-array [1 2]))", "(1 2)"),
            ("(seq (into-array Double/TYPE [1.5]))", "(1.5)"),
            ("(into-array [1 \"a\"])", "!array element type mismatch"),
        ],
        &Body(|h, a| match a.len() {
            1 => typed_array(h, ArrayKind::Object, a, 0),
            _ => {
                let kind = type_of(a, 0)?;
                typed_array(h, kind, a, 1)
            }
        }),
    ),
    Builtin::new(
        "ints",
        "xs",
        "The array, which must be one of ints.",
        &[("(vec (ints (int-array 1)))", "[0]")],
        &Body(|_, a| of(a, ArrayKind::Int)),
    ),
    Builtin::new(
        "longs",
        "xs",
        "The array, which must be one of longs.",
        &[("(longs (int-array 1))", "!a long[]")],
        &Body(|_, a| of(a, ArrayKind::Long)),
    ),
    Builtin::new(
        "shorts",
        "xs",
        "The array, which must be one of shorts.",
        &[("(vec (shorts (short-array 1)))", "[0]")],
        &Body(|_, a| of(a, ArrayKind::Short)),
    ),
    Builtin::new(
        "bytes",
        "xs",
        "The array, which must be one of bytes.",
        &[("(vec (bytes (byte-array 1)))", "[0]")],
        &Body(|_, a| of(a, ArrayKind::Byte)),
    ),
    Builtin::new(
        "doubles",
        "xs",
        "The array, which must be one of doubles.",
        &[("(vec (doubles (double-array 1)))", "[0.0]")],
        &Body(|_, a| of(a, ArrayKind::Double)),
    ),
    Builtin::new(
        "floats",
        "xs",
        "The array, which must be one of floats.",
        &[("(vec (floats (float-array 1)))", "[0.0]")],
        &Body(|_, a| of(a, ArrayKind::Float)),
    ),
    Builtin::new(
        "booleans",
        "xs",
        "The array, which must be one of booleans.",
        &[("(vec (booleans (boolean-array 1)))", "[false]")],
        &Body(|_, a| of(a, ArrayKind::Boolean)),
    ),
    Builtin::new(
        "chars",
        "xs",
        "The array, which must be one of characters.",
        &[("(vec (chars (char-array \"a\")))", "[\\a]")],
        &Body(|_, a| of(a, ArrayKind::Char)),
    ),
];

fn of(a: &mut [Value], kind: ArrayKind) -> Result {
    match get(a, 0) {
        Value::Place(id) if id.place() == kind.place() => Ok(take(a, 0)),
        other => Err(Interrupt::argument(0, &format!("a {}", kind.name()), other)),
    }
}

/// The kind of array for a type that is argument `i`.
fn type_of(a: &[Value], i: usize) -> Result<ArrayKind> {
    of_type(get(a, i)).ok_or_else(|| {
        Interrupt::argument(i, "a type", get(a, i)).hint("types are named as Long/TYPE, Double/TYPE, String or Object")
    })
}

/// The items of argument `i` as an array.
fn into(h: &mut dyn Host, kind: ArrayKind, a: &mut [Value], i: usize) -> Result {
    if let Value::Vector(v) = get(a, i)
        && v.items_kind().is_none()
        && kind == ArrayKind::Object
        && crate::value::Item::depth(get(a, i)) < crate::seq::PLACE_DEPTH
    {
        let all = items(h, get(a, i), i)?;
        return new(h, kind, all);
    }
    let mut all = Iter::arg(a, i)?.collect(h)?;
    h.charge(all.len() as u64 / 2)?;
    for slot in &mut all {
        let v = std::mem::take(slot);
        *slot = made(h, kind, v)?;
    }
    new(h, kind, Vector::from_vec(all))
}

/// The items of argument `i` as an array; the argument before it is their type, if there is one.
fn typed_array(h: &mut dyn Host, kind: ArrayKind, a: &mut [Value], i: usize) -> Result {
    let class = if i > 0 { Some(take(a, 0)) } else { None };
    let mut all = Iter::arg(a, i)?.collect(h)?;
    if kind == ArrayKind::Object {
        typed::check(h, class.as_ref(), &all)?;
    }
    h.charge(all.len() as u64 / 2)?;
    for slot in &mut all {
        let v = std::mem::take(slot);
        *slot = if kind == ArrayKind::Object { made(h, kind, v)? } else { typed::item(h, kind, v)? };
    }
    new(h, kind, Vector::from_vec(all))
}

fn make(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let kind = type_of(a, 0)?;
    let lengths = a.iter().skip(1).map(length).collect::<Result<Vec<_>>>()?;
    dimension(h, kind, &lengths)
}

/// An array of arrays, as deep as there are arguments.
fn dimension(h: &mut dyn Host, kind: ArrayKind, lengths: &[usize]) -> Result {
    let Some((n, inner)) = lengths.split_first() else { return Ok(Value::Nil) };
    if inner.is_empty() {
        let all = filled(h, &zero(kind), *n)?;
        return new(h, kind, Vector::from_vec(all));
    }
    let mut rows = filled(h, &Value::Nil, *n)?;
    for row in &mut rows {
        *row = crate::value::node::on_deep_stack(|| dimension(h, kind, inner))?;
    }
    new(h, ArrayKind::Object, Vector::from_vec(rows))
}
