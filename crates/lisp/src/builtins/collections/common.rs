//! Collections of every kind: adding, taking away, counting, and making one from another.

use super::{queue, sorted_by, transient_held};
use crate::builtins::args::{get, int, take};
use crate::builtins::java::builder_text;
use crate::builtins::row::BuiltinRow;
use crate::builtins::types::own_methods::own_count;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::seq::{Iter, force};
use crate::value::{Builtin, Cons, Map, SeqKind, Set, Slice, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "to-array",
        "coll",
        "The items as a vector, where Clojure makes an array.",
        &[("(to-array '(1 2))", "[1 2]")],
        &Body(vec),
    ),
    Builtin::new(
        "into-array",
        "aseq | type aseq",
        "The items as a vector, where Clojure makes an array.",
        &[("(into-array '(1 2))", "[1 2]"), ("(into-array String [\"a\"])", "[\"a\"]")],
        &Body(|h, a| {
            let items = take(a, a.len().saturating_sub(1));
            vec(h, &mut [items])
        }),
    ),
    Builtin::new(
        "char-array",
        "coll",
        "The characters as a vector, where Clojure makes an array.",
        &[("(char-array \"ab\")", "[\\a \\b]")],
        &Body(vec),
    ),
    Builtin::new(
        "conj",
        "| coll | coll x | coll x & xs",
        "The collection with x added: at the end of a vector, at the front of a list; a map takes an entry, a vector of two, or a map.",
        &[
            ("(conj [1 2] 3)", "[1 2 3]"),
            ("(conj '(1 2) 3)", "(3 1 2)"),
            ("(conj {:a 1} [:b 2])", "{:a 1, :b 2}"),
            ("(conj nil 1)", "(1)"),
            ("(conj {} '(:a 1))", "!conj"),
        ],
        &Body(conj),
    ),
    Builtin::new(
        "count",
        "coll",
        "How many items; of a string, how many characters.",
        &[("(count [1 2 3])", "3"), ("(count \"abc\")", "3"), ("(count nil)", "0"), ("(count 5)", "!count")],
        &of_32_bits!(count),
    ),
    Builtin::new(
        "vec",
        "coll",
        "A vector of the items.",
        &[("(vec '(1 2))", "[1 2]"), ("(vec nil)", "[]"), ("(vec {:a 1})", "[[:a 1]]")],
        &Body(vec),
    ),
    Builtin::new("vector", "& args", "A vector of the arguments.", &[("(vector 1 2)", "[1 2]")], &Body(vector)),
    Builtin::new(
        "set",
        "coll",
        "A set of the items.",
        &[("(set [1 2 1])", "#{1 2}"), ("(set nil)", "#{}")],
        &Body(set),
    ),
    Builtin::new(
        "hash-set",
        "& keys",
        "A set of the arguments.",
        &[("(hash-set 1 2 1)", "#{1 2}"), ("(hash-set)", "#{}")],
        &Body(hash_set),
    ),
    Builtin::new(
        "disj",
        "set | set & ks",
        "The set without these members.",
        &[("(disj #{1 2} 1)", "#{2}"), ("(disj nil 1)", "nil")],
        &Body(disj),
    ),
    Builtin::new(
        "empty",
        "coll",
        "An empty collection of the same kind, nil for what is none.",
        &[("(empty [1 2])", "[]"), ("(empty \"a\")", "nil")],
        &Body(empty),
    ),
    Builtin::new(
        "empty?",
        "coll",
        "Whether there are no items.",
        &[("(empty? [])", "true"), ("(empty? nil)", "true"), ("(empty? 5)", "!empty?")],
        &Body(is_empty),
    ),
    Builtin::new(
        "not-empty",
        "coll",
        "The collection, or nil if it has no items.",
        &[("(not-empty [])", "nil"), ("(not-empty \"a\")", "\"a\"")],
        &Body(not_empty),
    ),
    Builtin::new(
        "peek",
        "coll",
        "The item that pop takes away: the last of a vector, the first of a list.",
        &[("(peek [1 2 3])", "3"), ("(peek '(1 2 3))", "1"), ("(peek nil)", "nil")],
        &Body(peek),
    ),
    Builtin::new(
        "pop",
        "coll",
        "A vector without its last item, a list without its first; an error if it is empty.",
        &[("(pop [1 2 3])", "[1 2]"), ("(pop '(1 2))", "(2)"), ("(pop [])", "!empty")],
        &Body(pop),
    ),
    Builtin::new(
        "subvec",
        "v start | v start end",
        "The items of a vector from index start up to, without, end.",
        &[("(subvec [1 2 3 4] 1 3)", "[2 3]"), ("(subvec [1 2] 1 5)", "!out of bounds")],
        &Body(subvec),
    ),
];

fn conj(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.is_empty() {
        return Ok(Value::vector(Vec::new()));
    }
    let mut out = take(a, 0);
    for x in a.iter_mut().skip(1) {
        h.charge(1)?;
        out = conj_one(h, out, std::mem::take(x))?;
    }
    Ok(out)
}

/// Clojure's `conj` of one item (trap 13), in place when nobody else holds the collection.
pub fn conj_one(h: &mut dyn Host, coll: Value, x: Value) -> Result {
    match coll {
        Value::Vector(mut v) => {
            cost::change(h, &mut v)?;
            v.push(x);
            Ok(Value::Vector(v))
        }
        Value::Map(m) => conj_map(h, m, x),
        Value::Set(mut s) => {
            sorted_by::add(h, &mut s, x)?;
            Ok(Value::Set(s))
        }
        Value::Nil => Ok(Value::list(vec![x])),
        Value::Slice(s) if s.kind == SeqKind::Queue => queue::push(h, s, x),
        Value::Slice(ref s) if s.is_empty() => {
            let items = vec![x];
            let meta = crate::value::metadata::meta_of(&coll);
            let made = if s.kind == SeqKind::List { Slice::list(items) } else { Slice::seq(items) };
            Ok(Value::Slice(if meta.is_some() { made.with_meta(meta) } else { made }))
        }
        Value::Slice(ref s) => {
            let (len, kind) = (s.len(), s.kind);
            let meta = if kind == SeqKind::List { crate::value::metadata::meta_of(&coll) } else { None };
            let made = Cons::new(x, coll, Some(len), kind);
            Ok(Value::Cons(if meta.is_some() { made.with_meta(meta) } else { made }))
        }
        Value::Cons(ref c) => {
            let (len, kind) = (c.len(), c.kind());
            let meta = if kind == SeqKind::List { c.meta().cloned() } else { None };
            let made = Cons::new(x, coll, len, kind);
            Ok(Value::Cons(if meta.is_some() { made.with_meta(meta) } else { made }))
        }
        Value::Lazy(_) => Ok(Value::Cons(Cons::new(x, coll, None, SeqKind::Seq))),
        other => Err(Interrupt::argument(0, "a collection", &other)),
    }
}

fn conj_map(h: &mut dyn Host, mut m: Map, x: Value) -> Result {
    match x {
        Value::Vector(v) => {
            let (2, Some(k), Some(val)) = (v.len(), v.get(0), v.get(1)) else {
                return Err(Interrupt::bad(
                    1,
                    ErrorKind::Value,
                    format!("must be a vector of two to go into a map, got {}", crate::print::brief(&Value::Vector(v))),
                ));
            };
            sorted_by::insert(h, &mut m, k.clone(), val.clone())?;
        }
        Value::Map(more) => {
            if m.is_empty() && m.meta().is_none() && !m.is_sorted() && m.record_type().is_none() {
                let more = more.untyped();
                let meta = if more.meta().is_some() { None } else { return Ok(Value::Map(more)) };
                return Ok(Value::Map(more.with_meta(meta)));
            }
            h.charge(more.len() as u64 * 4)?;
            h.reserve(more.len() as u64 * 48)?;
            for (k, v) in more.iter() {
                sorted_by::insert(h, &mut m, k.clone(), v.clone())?;
            }
        }
        Value::Nil => {}
        other => {
            // A sequence must be one of entries: a list of two is not (trap 13).
            let shown = other.clone();
            let mut entries =
                if crate::seq::is_seqable(&other) { Iter::new(other)? } else { return Err(no_entry(&shown)) };
            while let Some(e) = entries.next(h)? {
                h.charge(4)?;
                let Some((k, v)) = e.as_entry() else { return Err(no_entry(&shown)) };
                sorted_by::insert(h, &mut m, k, v)?;
            }
        }
    }
    Ok(Value::Map(m))
}

#[cold]
fn no_entry(v: &Value) -> Interrupt {
    if crate::seq::is_seqable(v) {
        return Interrupt::argument(1, "an entry, a vector of two or a map to go into a map", v);
    }
    Interrupt::argument(1, "a collection to go into a map: an entry, a vector of two or a map", v)
}

/// How many items.
pub fn count(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let n = match get(a, 0) {
        Value::Nil => 0,
        Value::Vector(v) => v.len(),
        Value::Slice(s) => s.len(),
        Value::Map(m) => m.len(),
        Value::Set(s) => s.len(),
        Value::Builder(id) => {
            let s = builder_text::text(h, *id)?;
            cost::text(h, s.as_str().len())?;
            s.chars()
        }
        Value::Str(s) => {
            cost::text(h, if s.is_ascii() { 0 } else { s.as_str().len() })?;
            s.chars()
        }
        Value::Cons(_) | Value::Lazy(_) => {
            // Taken, so that a sequence nobody else holds is not kept while it is counted.
            let mut items = Iter::arg(a, 0)?;
            let mut n = 0usize;
            loop {
                if let Some(rest) = items.len() {
                    break n.saturating_add(rest);
                }
                h.charge(1)?;
                match items.next(h)? {
                    Some(_) => n += 1,
                    None => break n,
                }
            }
        }
        Value::Object(_) => {
            return match own_count(h, get(a, 0))? {
                Some(n) => Ok(n),
                None => Err(Interrupt::argument(0, "a collection", get(a, 0))),
            };
        }
        other => match transient_held::held(h, other)? {
            Some(held) => return count(h, &mut [held]),
            None => return Err(Interrupt::argument(0, "a collection", other)),
        },
    };
    Ok(Value::int(n as i64))
}

fn vec(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match take(a, 0) {
        Value::Vector(v) if v.is_entry() => Ok(Value::Vector(v.slice(0, 2))),
        Value::Vector(v) if v.meta().is_none() => Ok(Value::Vector(v)),
        Value::Vector(v) => Ok(Value::Vector(v.with_meta(None))),
        Value::Slice(s) => {
            let copied = s.base().1 > 0 || !s.base().0.is_plain();
            if copied {
                h.charge(s.len() as u64 / 4)?;
                h.reserve(s.len() as u64 * 16)?;
            }
            let v = s.into_vector();
            Ok(Value::Vector(if v.meta().is_some() { v.with_meta(None) } else { v }))
        }
        // It may be one that reduces itself.
        other @ Value::Object(_) => match h.builtin("into") {
            Some(into) => h.call2(&Value::Builtin(into), Value::vector(Vec::new()), other),
            None => Err(Interrupt::argument(0, "a collection", &other)),
        },
        other => {
            if let Some(slot) = a.get_mut(0) {
                *slot = other;
            }
            Ok(Value::vector(Iter::arg(a, 0)?.collect(h)?))
        }
    }
}

fn vector(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(a.len() as u64 / 4)?;
    Ok(Value::Vector(a.iter_mut().map(std::mem::take).collect()))
}

fn set(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if let Value::Set(s) = get(a, 0)
        && s.meta().is_none()
    {
        return Ok(take(a, 0));
    }
    let mut items = Iter::arg(a, 0)?;
    let mut s = Set::new();
    while let Some(x) = items.next(h)? {
        h.charge(4)?;
        cost::key(h, &x)?;
        s.insert(x);
    }
    Ok(Value::Set(s))
}

fn hash_set(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(a.len() as u64 * 4)?;
    let mut s = Set::new();
    for x in a.iter_mut().map(std::mem::take) {
        cost::key(h, &x)?;
        s.insert(x);
    }
    Ok(Value::Set(s))
}

fn disj(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut s = match take(a, 0) {
        Value::Set(s) => s,
        other if other.is_nil() || a.len() == 1 => return Ok(other),
        other => return Err(Interrupt::argument(0, "a set", &other)),
    };
    for x in a.iter().skip(1) {
        h.charge(4)?;
        sorted_by::remove(h, s.as_map_mut(), x)?;
    }
    Ok(Value::Set(s))
}

fn empty(_: &mut dyn Host, a: &mut [Value]) -> Result {
    if let Value::Map(m) = get(a, 0)
        && let Some(r) = m.record_type()
    {
        let words = format!("Can't create empty: {}", crate::print::brief(&r.name));
        return Err(Interrupt::throw("UnsupportedOperationException", ErrorKind::Denied, words));
    }
    Ok(match get(a, 0) {
        Value::Vector(v) if v.is_entry() => Value::Nil,
        Value::Vector(v) => Value::Vector(Vector::new().with_meta(v.meta().cloned())),
        Value::Slice(s) if s.kind == SeqKind::Queue => Value::Slice(Slice::empty_queue()),
        v @ (Value::Slice(_) | Value::Cons(_)) => match crate::value::metadata::meta_of(v) {
            Some(meta) => Value::Slice(Slice::list(Vec::new()).with_meta(Some(meta))),
            None => Value::empty_list(),
        },
        Value::Lazy(_) => Value::empty_list(),
        Value::Map(m) => Value::Map(m.emptied().with_meta(m.meta().cloned())),
        Value::Set(s) => Value::Set(s.emptied().with_meta(s.meta().cloned())),
        _ => Value::Nil,
    })
}

/// Whether a collection has no items; a lazy one is asked for its first.
pub fn has_none(h: &mut dyn Host, v: &Value) -> Result<Option<bool>> {
    Ok(Some(match v {
        Value::Nil => true,
        Value::Vector(v) => v.is_empty(),
        Value::Slice(s) => s.is_empty(),
        Value::Cons(_) => false,
        Value::Lazy(l) => force(h, l)?.is_nil(),
        Value::Map(m) => m.is_empty(),
        Value::Set(s) => s.is_empty(),
        Value::Str(s) => s.as_str().is_empty(),
        _ => return Ok(None),
    }))
}

fn is_empty(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match has_none(h, get(a, 0))? {
        Some(b) => Ok(Value::Bool(b)),
        None => Err(Interrupt::argument(0, "a collection", get(a, 0))),
    }
}

fn not_empty(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match has_none(h, get(a, 0))? {
        Some(true) => Ok(Value::Nil),
        Some(false) => Ok(take(a, 0)),
        None => Err(Interrupt::argument(0, "a collection", get(a, 0))),
    }
}

fn peek(_: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(match get(a, 0) {
        Value::Nil => Value::Nil,
        Value::Vector(v) => v.len().checked_sub(1).and_then(|i| v.get(i)).cloned().unwrap_or_default(),
        Value::Slice(s) if matches!(s.kind, SeqKind::List | SeqKind::Queue) => s.first().cloned().unwrap_or_default(),
        Value::Cons(c) if c.kind() == SeqKind::List => c.first().clone(),
        other => return Err(Interrupt::argument(0, "a vector or a list", other)),
    })
}

fn pop(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match take(a, 0) {
        Value::Nil => Ok(Value::Nil),
        Value::Vector(mut v) => {
            cost::change(h, &mut v)?;
            match v.pop() {
                Some(_) => Ok(Value::Vector(v)),
                None => Err(Interrupt::bad(0, ErrorKind::Value, "is an empty vector: there is nothing to pop")),
            }
        }
        Value::Slice(s) if s.kind == SeqKind::Queue => queue::pop(h, s),
        Value::Slice(s) if s.kind == SeqKind::List => {
            if s.is_empty() {
                return Err(Interrupt::bad(0, ErrorKind::Value, "is an empty list: there is nothing to pop"));
            }
            Ok(Value::Slice(s.rest()))
        }
        Value::Cons(c) if c.kind() == SeqKind::List => Ok(c.rest().clone()),
        other => Err(Interrupt::argument(0, "a vector or a list", &other)),
    }
}

/// An index, doubles cut toward zero as Java does.
fn whole(a: &[Value], i: usize) -> Result<i64> {
    match get(a, i) {
        Value::Float(f) if f.get().is_finite() => Ok(f.get() as i64),
        _ => int(a, i),
    }
}

fn subvec(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let Value::Vector(v) = get(a, 0) else { return Err(Interrupt::argument(0, "a vector", get(a, 0))) };
    let len = v.len() as i64;
    let start = whole(a, 1)?;
    let end = if a.len() > 2 { whole(a, 2)? } else { len };
    if end < 0 || end > len {
        return Err(crate::builtins::args::out_of_bounds(2, end, v.len()));
    }
    if start < 0 || start > end {
        return Err(crate::builtins::args::out_of_bounds(1, start, v.len()));
    }
    h.charge((end - start) as u64 / 4)?;
    h.reserve((end - start) as u64 * 16)?;
    Ok(Value::Vector(v.slice(start as usize, end as usize)))
}
