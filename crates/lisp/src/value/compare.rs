//! One total order over all values, for keys of large maps and for equality; and Clojure's `=` and `compare`.

use super::key_hash;
use super::map::RecordType;
use super::node::{Shape, on_deep_stack};
use super::number;
use super::shapes;
use super::{Item, Map, SeqKind, Value};
use crate::time::order::order;
use std::cmp::Ordering;
use std::sync::Arc;

impl Item for Value {
    #[inline]
    fn depth(&self) -> u32 {
        if self.holds_nothing() { 0 } else { depth_within(self) }
    }

    #[inline]
    fn lazy(&self) -> bool {
        !self.holds_nothing() && lazy_within(self)
    }

    #[inline]
    fn same_key(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Keyword(a), Value::Keyword(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            _ => same_key(self, other),
        }
    }

    #[inline]
    fn key_order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.get().cmp(&b.get()),
            (Value::Str(a), Value::Str(b)) => a.as_str().cmp(b.as_str()),
            _ => key_order(self, other),
        }
    }

    fn plain(&self) -> bool {
        // Not an integer: 5 and 5N are one key, and the one that is there stays.
        matches!(self, Value::Str(_) | Value::Keyword(_) | Value::Char(_) | Value::Bool(_))
    }

    #[inline]
    fn key_hash(&self) -> Option<u32> {
        match self {
            Value::Cons(_) | Value::Lazy(_) => key_hash::items_hash(RealizedIter::new(self)),
            v => key_hash::key_hash(v),
        }
    }

    fn order_bits(&self) -> Option<(u8, u64)> {
        key_hash::order_bits(self)
    }

    #[inline]
    fn name_address(&self) -> Option<usize> {
        match self {
            Value::Keyword(k) => Some(k.address()),
            Value::Str(s) => Some(s.address()),
            _ => None,
        }
    }

    #[inline]
    fn name_number(&self) -> Option<u64> {
        if let Value::Keyword(k) = self { Some(k.text_number()) } else { None }
    }

    fn next_shape(number: u64) -> Option<Option<Shape>> {
        shapes::next(number)
    }

    fn keep_shape(number: u64, keys: Option<Shape>) {
        shapes::keep(number, keys);
    }

    #[inline(always)]
    fn needs_no_drop(&self) -> bool {
        matches!(self, Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_))
    }
    fn drain_nested(&mut self, out: &mut Vec<Self>) {
        match self {
            Value::Vector(v) => v.drain_nested(out),
            Value::Slice(s) => s.drain_nested(out),
            Value::Cons(c) => c.drain_nested(out),
            Value::Lazy(l) => l.drain_nested(out),
            Value::Map(m) => m.drain_nested(out),
            Value::Set(s) => s.drain_nested(out),
            Value::Reduced(v) => {
                if let Some(v) = Arc::get_mut(v) {
                    out.push(std::mem::take(&mut **v));
                }
            }
            Value::Exception(e) => {
                if let Some(e) = Arc::get_mut(e) {
                    out.push(std::mem::take(&mut e.data));
                    out.push(std::mem::take(&mut e.cause));
                }
            }
            Value::Object(o) => {
                if let Some(o) = Arc::get_mut(o) {
                    out.push(std::mem::take(&mut o.held));
                    out.push(std::mem::take(&mut o.meta));
                }
            }
            Value::Symbol(s) => out.extend(s.take_meta()),
            _ => {}
        }
    }
}

/// [`Item::depth`] of what may hold something.
fn depth_within(v: &Value) -> u32 {
    match v {
        Value::Vector(v) => v.depth(),
        Value::Slice(s) => s.base().0.depth(),
        Value::Cons(c) => c.depth(),
        Value::Lazy(l) => l.depth(),
        Value::Map(m) => m.depth(),
        Value::Set(s) => s.depth(),
        Value::Function(f) => f.depth(),
        Value::Reduced(v) => v.depth().saturating_add(1),
        Value::Exception(e) => e.data.depth().max(e.cause.depth()).saturating_add(1),
        Value::Object(o) => o.depth(),
        Value::Symbol(s) => s.depth(),
        _ => 0,
    }
}

/// [`Item::lazy`] of what may hold something.
fn lazy_within(v: &Value) -> bool {
    match v {
        Value::Vector(v) => v.lazy(),
        Value::Slice(s) => s.base().0.lazy(),
        Value::Cons(c) => c.lazy(),
        Value::Lazy(_) => true,
        Value::Map(m) => m.lazy(),
        Value::Set(s) => s.lazy(),
        Value::Reduced(v) => v.lazy(),
        Value::Exception(e) => e.data.lazy() || e.cause.lazy(),
        Value::Object(o) => o.held.lazy() || o.meta.lazy(),
        Value::Symbol(s) => s.meta().is_some_and(Item::lazy),
        _ => false,
    }
}

fn same_key(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => a == b,
        // Names and text equal nothing but their own kind: no need for the general walk.
        (Value::Keyword(_) | Value::Str(_), _) | (_, Value::Keyword(_) | Value::Str(_)) => false,
        _ => a.key_order(b) == Ordering::Equal,
    }
}

/// Places of the kinds in the order; sequential things share one, since they can be equal.
fn rank(v: &Value) -> u8 {
    match v {
        Value::Nil => 0,
        Value::Bool(_) => 1,
        Value::Int(_) | Value::Big(_) | Value::Ratio(_) | Value::Decimal(_) | Value::Float(_) => 2,
        Value::Char(_) => 3,
        Value::Str(_) => 4,
        Value::Keyword(_) => 5,
        Value::Symbol(_) => 6,
        Value::Uuid(_) => 7,
        Value::Vector(_) | Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) => 8,
        Value::Set(_) => 9,
        Value::Map(_) => 10,
        Value::Regex(_) => 11,
        Value::Var(_) => 12,
        Value::Builtin(_) => 13,
        Value::Tool(_) => 14,
        Value::Function(_) => 15,
        Value::Atom(_) => 16,
        Value::Volatile(_) => 17,
        Value::Delay(_) => 18,
        Value::Reduced(_) => 19,
        Value::Exception(_) => 20,
        Value::Builder(_) => 21,
        Value::Place(..) => 22,
        Value::Object(_) => 23,
        Value::Time(_) => 24,
    }
}

/// Exact order of an integer and a double; NaN is after all numbers.
pub fn int_float(i: i64, f: f64) -> Ordering {
    if f.is_nan() || f >= 9_223_372_036_854_775_808.0 {
        return Ordering::Less;
    }
    if f < -9_223_372_036_854_775_808.0 {
        return Ordering::Greater;
    }
    // In range now: compare whole parts, then the fraction.
    let whole = f.trunc();
    let fraction = f - whole;
    i.cmp(&(whole as i64)).then(0.0f64.partial_cmp(&fraction).unwrap_or(Ordering::Equal))
}

/// Numbers by value, exactly; NaN last.
pub fn number_order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.get().cmp(&b.get()),
        (Value::Float(a), Value::Float(b)) => {
            a.get().partial_cmp(&b.get()).unwrap_or_else(|| a.get().is_nan().cmp(&b.get().is_nan()))
        }
        (Value::Int(a), Value::Float(b)) => int_float(a.get(), b.get()),
        (Value::Float(a), Value::Int(b)) => int_float(b.get(), a.get()).reverse(),
        _ => number::order(a, b),
    }
}

/// The total order of keys: kinds in a fixed order, numbers by value and then integers, decimals, doubles (1 and 1.0 are
/// two keys, trap 1), sequences item by item, maps and sets by size and then entry by entry. NaN equals itself here.
pub fn key_order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => x.get().cmp(&y.get()),
        (Value::Str(x), Value::Str(y)) => x.as_str().cmp(y.as_str()),
        (Value::Keyword(x), Value::Keyword(y)) => x.order(y),
        _ => rank(a).cmp(&rank(b)).then_with(|| same_rank(a, b)),
    }
}

/// Numbers of two kinds are never `=`: integers and ratios, decimals, doubles.
fn number_kind(v: &Value) -> u8 {
    match v {
        Value::Float(_) => 2,
        Value::Decimal(_) => 1,
        _ => 0,
    }
}

fn same_rank(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Nil, _) => Ordering::Equal,
        (Value::Bool(x), Value::Bool(y)) => x.cmp(y),
        (Value::Char(x), Value::Char(y)) => x.cmp(y),
        (Value::Symbol(x), Value::Symbol(y)) | (Value::Var(x), Value::Var(y)) => x.order(y),
        (Value::Uuid(x), Value::Uuid(y)) => uuids(***x, ***y),
        (Value::Time(x), Value::Time(y)) => order(x, y),
        (Value::Int(_) | Value::Big(_) | Value::Ratio(_) | Value::Decimal(_) | Value::Float(_), _) => {
            number_order(a, b).then_with(|| number_kind(a).cmp(&number_kind(b)))
        }
        (Value::Regex(x), Value::Regex(y)) => Arc::as_ptr(x).cmp(&Arc::as_ptr(y)),
        (Value::Builtin(x), Value::Builtin(y)) => x.name().cmp(y.name()),
        (Value::Tool(x), Value::Tool(y)) => x.as_str().cmp(y.as_str()),
        (Value::Function(x), Value::Function(y)) => x.address().cmp(&y.address()),
        (Value::Atom(x), Value::Atom(y))
        | (Value::Volatile(x), Value::Volatile(y))
        | (Value::Builder(x), Value::Builder(y))
        | (Value::Delay(x), Value::Delay(y))
        | (Value::Place(x), Value::Place(y)) => x.cmp(y),
        (Value::Reduced(x), Value::Reduced(y)) => on_deep_stack(|| key_order(x, y)),
        (Value::Exception(x), Value::Exception(y)) => Arc::as_ptr(x).cmp(&Arc::as_ptr(y)),
        (Value::Object(x), Value::Object(y)) => match (x.kind.is_data(), y.kind.is_data()) {
            (true, true) => x
                .kind
                .cmp(&y.kind)
                .then_with(|| key_order(&x.class.name, &y.class.name))
                .then_with(|| on_deep_stack(|| key_order(&x.held, &y.held))),
            (false, false) => Arc::as_ptr(x).cmp(&Arc::as_ptr(y)),
            (x, y) => x.cmp(&y),
        },
        (Value::Set(x), Value::Set(y)) => {
            if x.ptr_eq(y) {
                return Ordering::Equal;
            }
            x.len().cmp(&y.len()).then_with(|| {
                on_deep_stack(|| {
                    if x.as_map().stands_by_key() && y.as_map().stands_by_key() {
                        return side_by_side(x.iter(), y.iter());
                    }
                    sorted(x.iter()).cmp_by_key(&sorted(y.iter()))
                })
            })
        }
        (Value::Map(x), Value::Map(y)) => {
            if x.ptr_eq(y) {
                return Ordering::Equal;
            }
            x.len().cmp(&y.len()).then_with(|| type_order(x, y)).then_with(|| {
                on_deep_stack(|| {
                    if x.stands_by_key() && y.stands_by_key() {
                        return side_by_side(x.keys(), y.keys()).then_with(|| side_by_side(x.vals(), y.vals()));
                    }
                    let ranked = (by_key(x), by_key(y));
                    let (x, y) = (ranked.0.as_ref().unwrap_or(x), ranked.1.as_ref().unwrap_or(y));
                    let (xs, ys) = (sorted(x.keys()), sorted(y.keys()));
                    xs.cmp_by_key(&ys).then_with(|| {
                        let vals = xs.iter().map(|k| (x.get(k), y.get(k)));
                        vals.map(|(v, w)| match (v, w) {
                            (Some(v), Some(w)) => key_order(v, w),
                            _ => Ordering::Equal,
                        })
                        .find(|o| o.is_ne())
                        .unwrap_or(Ordering::Equal)
                    })
                })
            })
        }
        _ => on_deep_stack(|| sequential_order(a, b)),
    }
}

/// Maps that are no records first, then records by the names of their types.
fn type_order(x: &Map, y: &Map) -> Ordering {
    let name = |m: &Map| m.record_type().map(|r| r.name.clone());
    match (name(x), name(y)) {
        (Some(a), Some(b)) => key_order(&a, &b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

trait CmpByKey {
    fn cmp_by_key(&self, other: &Self) -> Ordering;
}
impl CmpByKey for Vec<&Value> {
    fn cmp_by_key(&self, other: &Self) -> Ordering {
        side_by_side(self.iter().copied(), other.iter().copied())
    }
}

/// Of as many items each: the order of the first two that differ.
fn side_by_side<'a>(x: impl Iterator<Item = &'a Value>, y: impl Iterator<Item = &'a Value>) -> Ordering {
    x.zip(y).map(|(a, b)| key_order(a, b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
}

fn sorted<'a>(items: impl Iterator<Item = &'a Value>) -> Vec<&'a Value> {
    let mut v: Vec<&Value> = items.collect();
    // The order is total and runs no code of programs.
    v.sort_by(|a, b| key_order(a, b));
    v
}

fn sequential_order(a: &Value, b: &Value) -> Ordering {
    if let (Value::Vector(x), Value::Vector(y)) = (a, b)
        && x.ptr_eq(y)
    {
        return Ordering::Equal;
    }
    if let (Some(x), Some(y)) = (array(a), array(b)) {
        // Arrays side by side, nothing copied: vectors are common keys.
        let items = || x.iter().zip(y).map(|(v, w)| key_order(v, w)).find(|o| o.is_ne());
        return x.len().cmp(&y.len()).then_with(|| items().unwrap_or(Ordering::Equal));
    }
    if let (Value::Vector(x), Value::Vector(y)) = (a, b) {
        return x.len().cmp(&y.len()).then_with(|| side_by_side(x.iter(), y.iter()));
    }
    // Shorter ones first, as vectors compare in Clojure (trap 12).
    let by_length = RealizedIter::new(a).count().cmp(&RealizedIter::new(b).count());
    if by_length.is_ne() {
        return by_length;
    }
    let (mut x, mut y) = (RealizedIter::new(a), RealizedIter::new(b));
    loop {
        match (x.next(), y.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(a), Some(b)) => {
                let o = key_order(&a, &b);
                if o.is_ne() {
                    return o;
                }
            }
        }
    }
}

/// Walks a sequence as far as it is realised, running nothing: what is not there yet counts as the end, and so does
/// the place where a sequence that contains itself begins again.
pub struct RealizedIter {
    now: Value,
    at: usize,
    /// A lazy sequence passed earlier, renewed at steps 1, 2, 4, 8 ... (Brent's way to see a cycle).
    passed: Option<super::Lazy>,
    steps: u64,
}

impl RealizedIter {
    /// From the start of a sequential value; anything else is empty.
    pub fn new(v: &Value) -> Self {
        RealizedIter { now: v.clone(), at: 0, passed: None, steps: 0 }
    }

    /// Whether it stopped at something unrealised.
    pub fn unrealised(&self) -> bool {
        matches!(&self.now, Value::Lazy(_))
    }
}

impl Iterator for RealizedIter {
    type Item = Value;
    fn next(&mut self) -> Option<Value> {
        loop {
            match &self.now {
                Value::Vector(v) => {
                    self.at += 1;
                    return v.get(self.at - 1).cloned();
                }
                Value::Slice(s) => {
                    self.at += 1;
                    return s.get(self.at - 1).cloned();
                }
                Value::Cons(c) => {
                    let (first, rest) = (c.first().clone(), c.rest().clone());
                    self.now = rest;
                    self.at = 0;
                    return Some(first);
                }
                Value::Lazy(l) => {
                    if self.passed.as_ref().is_some_and(|p| p.ptr_eq(l)) {
                        return None;
                    }
                    self.steps += 1;
                    if self.steps.is_power_of_two() {
                        self.passed = Some(l.clone());
                    }
                    self.now = l.made()?;
                    self.at = 0;
                }
                _ => return None,
            }
        }
    }
}

/// Clojure's `=`: kinds of number apart (trap 1), sequences by items, NaN equal to nothing. What is lazy inside
/// must have been realised.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Nil, Value::Nil) => true,
        (Value::Int(x), Value::Int(y)) => x == y,
        (Value::Float(x), Value::Float(y)) => x == y,
        (Value::Str(x), Value::Str(y)) => x == y,
        (Value::Keyword(x), Value::Keyword(y)) => x == y,
        (Value::Bool(x), Value::Bool(y)) => x == y,
        (Value::Map(x), Value::Map(y)) => {
            x.ptr_eq(y)
                || x.len() == y.len()
                    && RecordType::same(x.record_type(), y.record_type())
                    && on_deep_stack(|| {
                        let ranked = by_key(y);
                        let y = ranked.as_ref().unwrap_or(y);
                        x.iter_unordered().all(|(k, v)| y.get(k).is_some_and(|w| equal(v, w)))
                    })
        }
        (Value::Set(x), Value::Set(y)) => {
            x.ptr_eq(y)
                || x.len() == y.len()
                    && on_deep_stack(|| {
                        let ranked = by_key(y.as_map());
                        let y = ranked.as_ref().unwrap_or(y.as_map());
                        x.iter_unordered().all(|v| y.get(v).is_some())
                    })
        }
        _ if a.is_sequential() && b.is_sequential() => sequential_equal(a, b),
        _ if rank(a) != rank(b) || number_kind(a) != number_kind(b) => false,
        _ => key_order(a, b) == Ordering::Equal,
    }
}

/// Of a map sorted by a comparator, which cannot be asked here, one of the same entries that finds them by themselves.
fn by_key(m: &Map) -> Option<Map> {
    m.comparator()?;
    Some(Map::from_entries(m.iter().map(|(k, v)| (k.clone(), v.clone()))))
}

fn sequential_equal(a: &Value, b: &Value) -> bool {
    if let (Some(x), Some(y)) = (array(a), array(b)) {
        let same = std::ptr::eq(x, y) && !a.lazy();
        return same || x.len() == y.len() && on_deep_stack(|| x.iter().zip(y).all(|(v, w)| equal(v, w)));
    }
    on_deep_stack(|| {
        let (mut x, mut y) = (RealizedIter::new(a), RealizedIter::new(b));
        loop {
            match (x.next(), y.next()) {
                (None, None) => return true,
                (Some(v), Some(w)) if equal(&v, &w) => {}
                _ => return false,
            }
        }
    })
}

fn array(v: &Value) -> Option<&[Value]> {
    match v {
        Value::Vector(v) => v.as_slice(),
        Value::Slice(s) => s.as_slice(),
        _ => None,
    }
}

/// Clojure's `compare`: -1, 0, 1, or for names and text the difference Java gives; `None` when they cannot be compared.
pub fn compare(a: &Value, b: &Value) -> Option<i64> {
    let sign = |o: Ordering| Some(o as i64);
    match (a, b) {
        (Value::Nil, Value::Nil) => Some(0),
        (Value::Nil, _) => Some(-1),
        (_, Value::Nil) => Some(1),
        (Value::Float(x), Value::Float(y)) if x.get().is_nan() || y.get().is_nan() => Some(0),
        (Value::Float(x), _) if x.get().is_nan() && rank(b) == 2 => Some(0),
        (_, Value::Float(y)) if y.get().is_nan() && rank(a) == 2 => Some(0),
        _ if rank(a) == 2 && rank(b) == 2 => sign(number_order(a, b)),
        (Value::Str(x), Value::Str(y)) => Some(text_compare(x.as_str(), y.as_str())),
        (Value::Char(x), Value::Char(y)) => Some(i64::from(u32::from(*x)) - i64::from(u32::from(*y))),
        (Value::Keyword(x), Value::Keyword(y)) => Some(name_compare(x.ns(), x.name(), y.ns(), y.name())),
        // Keys of one row may be both: strings come first, as in the order of sorted maps.
        (Value::Str(_), Value::Keyword(_)) => Some(-1),
        (Value::Keyword(_), Value::Str(_)) => Some(1),
        (Value::Symbol(x), Value::Symbol(y)) => Some(name_compare(x.ns(), x.name(), y.ns(), y.name())),
        (Value::Bool(x), Value::Bool(y)) => sign(x.cmp(y)),
        (Value::Uuid(x), Value::Uuid(y)) => sign(uuids(***x, ***y)),
        (Value::Time(x), Value::Time(y)) => crate::time::order::compare(x, y),
        (Value::Vector(x), Value::Vector(y)) => {
            if x.len() != y.len() {
                return sign(x.len().cmp(&y.len()));
            }
            on_deep_stack(|| {
                for (v, w) in x.iter().zip(y.iter()) {
                    match compare(v, w) {
                        Some(0) => {}
                        other => return other,
                    }
                }
                Some(0)
            })
        }
        _ => None,
    }
}

/// As Java's `String.compareTo`: the difference of the first units that differ, else of the lengths (trap 12).
pub fn text_compare(a: &str, b: &str) -> i64 {
    let mut same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    // Back to where the characters that differ begin, in both: what is before is the same.
    while !a.is_char_boundary(same) || !b.is_char_boundary(same) {
        same -= 1;
    }
    let (x, y) = (a.get(same..).unwrap_or_default(), b.get(same..).unwrap_or_default());
    // Two characters beyond 16 bits may have their first unit in common.
    for (v, w) in x.encode_utf16().zip(y.encode_utf16()).take(2) {
        if v != w {
            return i64::from(v) - i64::from(w);
        }
    }
    units(x) - units(y)
}

/// How many UTF-16 units a text has: one a character, two for those of four bytes.
fn units(text: &str) -> i64 {
    if text.is_ascii() {
        return text.len() as i64;
    }
    let count = |of: fn(u8) -> bool| text.bytes().filter(|b| of(*b)).count() as i64;
    count(|b| b & 0xC0 != 0x80) + count(|b| b >= 0xF0)
}

fn name_compare(a_ns: Option<&str>, a: &str, b_ns: Option<&str>, b: &str) -> i64 {
    match (a_ns, b_ns) {
        (None, Some(_)) => -1,
        (Some(_), None) => 1,
        (x, y) => match text_compare(x.unwrap_or_default(), y.unwrap_or_default()) {
            0 => text_compare(a, b),
            n => n,
        },
    }
}

/// Java's `==`: the same object. Names and small numbers are interned there, so they are the same when equal.
pub fn identical(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Vector(x), Value::Vector(y)) => x.ptr_eq(y) || x.is_empty() && y.is_empty(),
        (Value::Map(x), Value::Map(y)) => x.ptr_eq(y) || x.is_empty() && y.is_empty(),
        (Value::Set(x), Value::Set(y)) => x.ptr_eq(y) || x.is_empty() && y.is_empty(),
        (Value::Slice(x), Value::Slice(y)) => {
            let ((v, i), (w, j)) = (x.base(), y.base());
            i == j && v.ptr_eq(w) || x.is_empty() && y.is_empty()
        }
        (Value::Cons(x), Value::Cons(y)) => x.ptr_eq(y),
        (Value::Lazy(x), Value::Lazy(y)) => x.ptr_eq(y),
        (Value::Float(_), Value::Float(_)) | (Value::Big(_) | Value::Ratio(_) | Value::Decimal(_), _) => false,
        (Value::Int(x), Value::Int(y)) => x == y && x.width() == y.width(),
        (Value::Uuid(x), Value::Uuid(y)) => Arc::ptr_eq(x, y),
        (Value::Time(x), Value::Time(y)) => Arc::ptr_eq(x, y) || x.is_constant() && equal(a, b),
        // Equal literals are one string there.
        (Value::Str(x), Value::Str(y)) => x == y,
        _ if a.is_sequential() || matches!(a, Value::Map(_) | Value::Set(_)) => false,
        _ => equal(a, b),
    }
}

/// Whether a sequence is a list to `list?`.
pub fn is_list(v: &Value) -> bool {
    match v {
        // A queue is one as well: in Clojure, too, it is an `IPersistentList`.
        Value::Slice(s) => matches!(s.kind, SeqKind::List | SeqKind::Queue),
        Value::Cons(c) => c.kind() == SeqKind::List,
        _ => false,
    }
}

/// The order of uuids that Java has: by each half with its sign.
fn uuids(x: u128, y: u128) -> Ordering {
    let halves = |u: u128| ((u >> 64) as i64, u as i64);
    halves(x).cmp(&halves(y))
}
