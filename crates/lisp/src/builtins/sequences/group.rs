//! Counting and grouping by key, sums and means, maps out of two sequences.

use super::callers::{Caller, Reducer};
use super::seq_source::{BLOCK, BatchedCharge, Items, core, each, each_ref, lend_blocks, nesting, part, push};
use super::value_index::Index;
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::Iter;
use crate::value::map::{Keys, LastPlace};
use crate::value::{Builtin, Map, Slice, Value};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "frequencies",
        "coll",
        "A map from each different item to how often it is there.",
        &[("(frequencies [:a :b :a])", "{:a 2, :b 1}")],
        &Body(|h, a| count_items(h, None, a, 0)),
    ),
    Builtin::new(
        "count-by",
        "f coll",
        "A map from each value of f to the number of items that have it.",
        &[("(count-by odd? [1 2 3])", "{true 2, false 1}")],
        &Body(|h, a| {
            let f = take(a, 0);
            count_items(h, Some(&f), a, 1)
        }),
    ),
    Builtin::new(
        "group-by",
        "f coll",
        "A map from each value of f to a vector of the items that have it.",
        &[("(group-by odd? [1 2 3])", "{true [1 3], false [2]}")],
        &Body(group_by),
    ),
    Builtin::new(
        "group-chosen*",
        "f pred coll wanted",
        "(group-by f (filter pred coll)) in one go, where f is a key and pred only computes; nil where more is to be done.",
        &[("(group-by :k (filter (fn [r] (:n r)) [{:k 1, :n 2} {:k 1}]))", "{1 [{:k 1, :n 2}]}")],
        &Body(group_chosen),
    ),
    Builtin::new(
        "zipmap",
        "keys vals",
        "A map of keys to values, as far as the shorter goes.",
        &[("(zipmap [:a :b] [1 2])", "{:a 1, :b 2}")],
        &Body(zipmap),
    ),
    Builtin::new(
        "sum",
        "coll",
        "The sum of the numbers; 0 when there are none.",
        &[("(sum [1 2 3])", "6")],
        &Body(|h, a| sum(h, None, a, 0).map(|s| s.0)),
    ),
    Builtin::new(
        "sum-by",
        "f coll",
        "The sum of what f gives for the items.",
        &[("(sum-by :n [{:n 1} {:n 2}])", "3")],
        &Body(|h, a| {
            let f = take(a, 0);
            sum(h, Some(&f), a, 1).map(|s| s.0)
        }),
    ),
    Builtin::new(
        "avg",
        "coll",
        "The mean of the numbers, as a double; nil when there are none.",
        &[("(avg [1 2 3])", "2.0"), ("(avg [])", "nil")],
        &Body(|h, a| avg(h, None, a, 0)),
    ),
    Builtin::new(
        "avg-by",
        "f coll",
        "The mean of what f gives for the items, as a double; nil when there are none.",
        &[("(avg-by :n [{:n 1} {:n 2}])", "1.5")],
        &Body(|h, a| {
            let f = take(a, 0);
            avg(h, Some(&f), a, 1)
        }),
    ),
    Builtin::new(
        "max-by",
        "f coll",
        "The item for which f is greatest, in the order of compare; the first of equals, nil when there are none.",
        &[("(max-by :n [{:n 1} {:n 5} {:n 3}])", "{:n 5}")],
        &Body(|h, a| best_by(h, a, Ordering::Greater)),
    ),
    Builtin::new(
        "min-by",
        "f coll",
        "The item for which f is least, in the order of compare; the first of equals, nil when there are none.",
        &[("(min-by :n [{:n 4} {:n 2}])", "{:n 2}")],
        &Body(|h, a| best_by(h, a, Ordering::Less)),
    ),
];

/// A map of keys that are known to differ.
fn map_of(h: &mut dyn Host, keys: Vec<Value>, vals: Vec<Value>) -> Result {
    let n = keys.len() as u64;
    if n > crate::value::map::SMALL_MAX as u64 {
        h.charge(n * 16)?;
        h.reserve(n * 96)?;
    }
    Ok(Value::Map(Map::shaped(Keys::new(keys), vals)))
}

fn count_items(h: &mut dyn Host, f: Option<&Value>, a: &mut [Value], at: usize) -> Result {
    let (mut index, mut keys, mut counts) = (Index::default(), Vec::new(), Vec::<i64>::new());
    let f = f.map(Caller::new);
    each_ref(h, a, at, |h, x| {
        let key = match &f {
            Some(f) => f.found(h, x)?,
            None => Cow::Borrowed(x),
        };
        let (i, fresh) = index.place(h, &key)?;
        if fresh {
            push(h, &mut keys, key.into_owned())?;
            counts.push(1);
        } else if let Some(n) = counts.get_mut(i) {
            *n += 1;
        }
        Ok(true)
    })?;
    map_of(h, keys, counts.into_iter().map(Value::int).collect())
}

/// Items by what `f` gives for them.
struct Groups {
    index: Index,
    keys: Vec<Value>,
    groups: Vec<Vec<Value>>,
    /// What the groups hold together, which is not on the meter before they are vectors.
    held: u64,
}

impl Groups {
    /// The group of a key.
    #[inline]
    fn place(&mut self, h: &mut dyn Host, key: Cow<'_, Value>) -> Result<usize> {
        let (i, fresh) = self.index.place(h, &key)?;
        if fresh {
            push(h, &mut self.keys, key.into_owned())?;
            self.groups.push(Vec::new());
        }
        Ok(i)
    }

    #[inline]
    fn put(&mut self, h: &mut dyn Host, i: usize, x: Value) -> Result<()> {
        self.held += 1;
        if self.held.is_power_of_two() {
            h.reserve(self.held * 64)?;
        }
        if let Some(group) = self.groups.get_mut(i) {
            group.push(x);
        }
        Ok(())
    }

    /// The map of them, of items of `source`.
    fn made(self, h: &mut dyn Host, source: Option<(u32, bool)>) -> Result {
        h.charge(self.keys.len() as u64 * 4)?;
        let groups = self.groups.into_iter().map(|g| Value::Vector(part(source, g))).collect();
        map_of(h, self.keys, groups)
    }

    /// Takes the items of an array, moved out or copied.
    fn take(&mut self, h: &mut dyn Host, f: &Caller, s: Slice) -> Result<()> {
        let mut toll = BatchedCharge::new(s.len());
        let mut places = Vec::with_capacity(BLOCK);
        match Items::new(s) {
            Items::Own(mut all) => {
                while let Some(block) = all.block() {
                    toll.some(h, block.len())?;
                    places.clear();
                    f.each_found(h, block, |h, key| {
                        places.push(self.place(h, key)?);
                        Ok(())
                    })?;
                    for (i, x) in places.iter().zip(&mut all) {
                        self.put(h, *i, x)?;
                    }
                }
                Ok(())
            }
            Items::Shared(s) => lend_blocks(&s, |block| {
                toll.some(h, block.len())?;
                places.clear();
                f.each_found(h, block, |h, key| {
                    places.push(self.place(h, key)?);
                    Ok(())
                })?;
                for (i, x) in places.iter().zip(block) {
                    self.put(h, *i, x.clone())?;
                }
                Ok(true)
            }),
        }
    }
}

/// `group-by` and `filter` at once, a block of items after the other; nil where something is not plain, and nothing has
/// happened then.
fn group_chosen(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (f, pred, wanted) = (take(a, 0), take(a, 1), get(a, 3).truthy());
    if !matches!((&f, get(a, 2)), (Value::Keyword(_), Value::Vector(_) | Value::Slice(_))) {
        return Ok(Value::Nil);
    }
    let source = nesting(get(a, 2));
    let Iter::Array(s) = Iter::arg(a, 2)? else { return Ok(Value::Nil) };
    let mut all = Groups { index: Index::default(), keys: Vec::new(), groups: Vec::new(), held: 0 };
    let (mut toll, mut last, mut whole) = (BatchedCharge::new(s.len()), LastPlace::default(), true);
    lend_blocks(&s, |block| {
        toll.some(h, block.len())?;
        let (done, answers) = h.test_each(&pred, block)?;
        whole = done == block.len();
        if !whole {
            return Ok(false);
        }
        let chosen = block.iter().enumerate().filter(|(i, _)| (answers >> i & 1 != 0) == wanted);
        for (_, x) in chosen {
            let found = if let Value::Map(m) = x { m.field_again(&f, &mut last) } else { None };
            // A key that may have to be realised, or costs more than a look, is left to `group-by`.
            let Some((key, _)) = found.filter(|(key, _)| key.holds_nothing()) else {
                whole = false;
                return Ok(false);
            };
            h.charge(1)?;
            let i = all.place(h, Cow::Borrowed(key))?;
            all.put(h, i, x.clone())?;
        }
        Ok(true)
    })?;
    if !whole {
        return Ok(Value::Nil);
    }
    if all.held > 0 {
        h.key_found(f.constant_mark());
    }
    all.made(h, source)
}

fn group_by(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = take(a, 0);
    let f = Caller::new(&f);
    let source = nesting(get(a, 1));
    let mut all = Groups { index: Index::default(), keys: Vec::new(), groups: Vec::new(), held: 0 };
    match Iter::arg(a, 1)? {
        Iter::Array(s) => all.take(h, &f, s)?,
        mut other => {
            while let Some(x) = other.next(h)? {
                h.charge(1)?;
                let i = f.found(h, &x)?;
                let i = all.place(h, i)?;
                all.put(h, i, x)?;
            }
        }
    }
    all.made(h, source)
}

fn zipmap(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (mut keys, mut vals) = (Iter::arg(a, 0)?, Iter::arg(a, 1)?);
    let mut m = Map::new();
    while let Some(k) = keys.next(h)? {
        let Some(v) = vals.next(h)? else { break };
        h.charge(4)?;
        if m.len().is_power_of_two() {
            h.reserve(m.len() as u64 * 96)?;
        }
        cost::key(h, &k)?;
        m.insert(k, v);
    }
    Ok(Value::Map(m))
}

/// The sum of the items, or of what `f` gives for them, and their number. Numbers add as `+` adds them.
fn sum(h: &mut dyn Host, f: Option<&Value>, a: &mut [Value], at: usize) -> Result<(Value, i64)> {
    let plus = core(h, "+")?;
    let plus = Reducer::new(&plus);
    let (mut acc, mut n) = (Value::int(0), 0i64);
    let f = f.map(Caller::new);
    each_ref(h, a, at, |h, x| {
        n += 1;
        match &f {
            Some(f) => {
                let x = f.found(h, x)?;
                plus.lent(h, &mut acc, &x)?;
            }
            None => {
                plus.lent(h, &mut acc, x)?;
            }
        }
        Ok(true)
    })?;
    Ok((acc, n))
}

fn avg(h: &mut dyn Host, f: Option<&Value>, a: &mut [Value], at: usize) -> Result {
    let (sum, n) = sum(h, f, a, at)?;
    if n == 0 {
        return Ok(Value::Nil);
    }
    let sum = match sum {
        Value::Float(f) => f.get(),
        Value::Int(i) => i.get() as f64,
        other => match h.call1(&core(h, "double")?, other)? {
            Value::Float(f) => f.get(),
            _ => f64::NAN,
        },
    };
    Ok(Value::float(sum / n as f64))
}

/// The error of two things that have no order between them.
#[cold]
pub fn incomparable(name: &str, a: &Value, b: &Value) -> Interrupt {
    let (x, y) = (crate::print::brief(a), crate::print::brief(b));
    let text = if a.kind() == b.kind() {
        format!("{name}: {} cannot be put in order: {x} and {y}", a.kind())
    } else {
        format!("{name}: {} cannot be compared with {}: {x} and {y}", a.kind(), b.kind())
    };
    Interrupt::error(ErrorKind::Type, text)
}

fn best_by(h: &mut dyn Host, a: &mut [Value], better: Ordering) -> Result {
    let name = if better == Ordering::Greater { "max-by" } else { "min-by" };
    let f = take(a, 0);
    let f = Caller::new(&f);
    let mut best: Option<(Value, Value)> = None;
    each(h, a, 1, |h, x| {
        let key = f.on(h, &x)?;
        cost::key(h, &key)?;
        let wins = match &best {
            None => true,
            Some((_, b)) => {
                let order = crate::value::compare::compare(&key, b).ok_or_else(|| incomparable(name, &key, b))?;
                order.cmp(&0) == better
            }
        };
        if wins {
            best = Some((x, key));
        }
        Ok(true)
    })?;
    Ok(best.unwrap_or_default().0)
}
