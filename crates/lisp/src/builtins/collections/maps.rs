//! Maps: reading, writing in place, and building them.

use super::lookup;
use super::sorted_by;
use crate::builtins::args::{get as arg, take};
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::Iter;
use crate::value::map::Keys;
use crate::value::{Builtin, Map, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "get",
        "map key | map key not-found",
        "The value at key, or not-found (nil). A keyword also finds the equal string and a string the equal keyword.",
        &[
            ("(get {:a 1} :a)", "1"),
            ("(get {:a nil} :a :none)", "nil"),
            ("(get [10 20] 5 :none)", ":none"),
            ("(get {\"a\" 1} :a)", "1"),
        ],
        &Body(get),
    ),
    Builtin::new(
        "get-in",
        "m ks | m ks not-found",
        "The value at the end of a path of keys, or not-found (nil).",
        &[("(get-in {:a [{:b 1}]} [:a 0 :b])", "1"), ("(get-in {} [:a :b] 0)", "0")],
        &Body(get_in),
    ),
    Builtin::new(
        "assoc",
        "map key val | map key val & kvs",
        "The map with val at key. On a vector key is an index, at most its length.",
        &[
            ("(assoc {:a 1} :b 2)", "{:a 1, :b 2}"),
            ("(assoc [1 2] 0 :x)", "[:x 2]"),
            ("(assoc [1] 5 2)", "!out of bounds"),
        ],
        &Body(assoc),
    ),
    Builtin::new(
        "assoc-in",
        "m ks v",
        "The map with v at the end of a path of keys; maps that are missing on the way are made.",
        &[("(assoc-in {} [:a :b] 1)", "{:a {:b 1}}"), ("(assoc-in {:a [1 2]} [:a 0] 9)", "{:a [9 2]}")],
        &Body(assoc_in),
    ),
    Builtin::new(
        "update",
        "m k f | m k f & args",
        "The map with (f old & args) at k.",
        &[
            ("(update {:a 1} :a inc)", "{:a 2}"),
            ("(update {} :a (fnil conj []) 1)", "{:a [1]}"),
            ("(update {\"n\" 1} :n + 5)", "{\"n\" 6}"),
        ],
        &Body(update),
    ),
    Builtin::new(
        "update-in",
        "m ks f | m ks f & args",
        "The map with (f old & args) at the end of a path of keys.",
        &[("(update-in {:a {:b 1}} [:a :b] inc)", "{:a {:b 2}}")],
        &Body(update_in),
    ),
    Builtin::new(
        "dissoc",
        "map | map & ks",
        "The map without these keys.",
        &[("(dissoc {:a 1 :b 2} :a)", "{:b 2}"), ("(dissoc nil :a)", "nil")],
        &Body(dissoc),
    ),
    Builtin::new(
        "select-keys",
        "map keyseq",
        "A map of only those entries whose key is in keyseq.",
        &[("(select-keys {:a 1 :b 2 :c 3} [:c :a])", "{:c 3, :a 1}"), ("(select-keys [10 20] [0])", "{0 10}")],
        &Body(select_keys),
    ),
    Builtin::new(
        "merge",
        "& maps",
        "One map of all entries; later maps win.",
        &[("(merge {:a 1} {:a 2 :b 3})", "{:a 2, :b 3}"), ("(merge nil nil)", "nil")],
        &Body(merge),
    ),
    Builtin::new(
        "merge-with",
        "f & maps",
        "One map of all entries; values of the same key are joined by (f earlier later).",
        &[("(merge-with + {:a 1} {:a 2 :b 3})", "{:a 3, :b 3}"), ("(merge-with into {:a [1]} {:a [2]})", "{:a [1 2]}")],
        &Body(merge_with),
    ),
    Builtin::new(
        "keys",
        "map",
        "The keys of a map, nil for an empty one.",
        &[("(keys {:a 1 :b 2})", "(:a :b)"), ("(keys {})", "nil")],
        &Body(keys),
    ),
    Builtin::new(
        "vals",
        "map",
        "The values of a map, nil for an empty one.",
        &[("(vals {:a 1 :b 2})", "(1 2)"), ("(vals nil)", "nil")],
        &Body(vals),
    ),
    Builtin::new(
        "contains?",
        "coll key",
        "Whether key is a key of the collection: of a map, a member of a set, an index of a vector or string.",
        &[
            ("(contains? {:a nil} :a)", "true"),
            ("(contains? [10 20] 10)", "false"),
            ("(contains? '(1 2) 1)", "!contains?"),
        ],
        &Body(contains),
    ),
    Builtin::new(
        "find",
        "map key",
        "The entry at key, or nil.",
        &[("(find {:a nil} :a)", "[:a nil]"), ("(find {:a 1} :b)", "nil")],
        &Body(find),
    ),
    Builtin::new(
        "key",
        "e",
        "The key of an entry of a map.",
        &[("(key (first {:a 1}))", ":a"), ("(key [:a 1])", "!key")],
        &Body(|_, a| half(a, 0)),
    ),
    Builtin::new(
        "val",
        "e",
        "The value of an entry of a map.",
        &[("(val (first {:a 1}))", "1")],
        &Body(|_, a| half(a, 1)),
    ),
    Builtin::new(
        "hash-map",
        "& keyvals",
        "A map of these keys and values; of equal keys the last wins.",
        &[("(hash-map :a 1 :b 2)", "{:a 1, :b 2}"), ("(hash-map :a)", "!No value supplied for key")],
        &Body(hash_map),
    ),
    Builtin::new(
        "array-map",
        "& keyvals",
        "A map of these keys and values.",
        &[("(array-map :b 1 :a 2)", "{:b 1, :a 2}")],
        &Body(hash_map),
    ),
    Builtin::new(
        "update-vals",
        "m f",
        "The map with (f value) for every value.",
        &[
            ("(update-vals {:a 1 :b 2} inc)", "{:a 2, :b 3}"),
            ("(update-vals (group-by odd? [1 2 3]) count)", "{true 2, false 1}"),
        ],
        &Body(update_vals),
    ),
    Builtin::new(
        "update-keys",
        "m f",
        "The map with (f key) for every key.",
        &[("(update-keys {:a 1 :b 2} name)", "{\"a\" 1, \"b\" 2}")],
        &Body(update_keys),
    ),
];

fn get(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(cost::search(arg(a, 0)))?;
    if a.len() < 3 {
        return Ok(lookup::find_noted(h, arg(a, 0), arg(a, 1))?.unwrap_or_default());
    }
    h.key_found(arg(a, 1).constant_mark());
    Ok(lookup::find(h, arg(a, 0), arg(a, 1))?.unwrap_or_else(|| take(a, 2)))
}

fn get_in(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut path = Iter::arg(a, 1)?;
    let mut now = take(a, 0);
    while let Some(key) = path.next(h)? {
        // Each level is somewhere else in memory.
        h.charge(6 + cost::search(&now))?;
        if a.len() > 2 {
            h.key_found(key.constant_mark());
        }
        match lookup::find_noted(h, &now, &key)? {
            Some(v) => now = v,
            // The path continues at a present nil and ends at an absent key (trap 15).
            None => return Ok(take(a, 2)),
        }
    }
    Ok(now)
}

#[cold]
fn odd(name: &str) -> Interrupt {
    Interrupt::error(ErrorKind::Value, format!("{name} needs a value after every key; the last key has none"))
}

fn assoc(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len().is_multiple_of(2) {
        return Err(odd("assoc"));
    }
    let mut coll = take(a, 0);
    if !matches!(coll, Value::Nil | Value::Map(_) | Value::Vector(_)) {
        return Err(Interrupt::argument(0, "a map or a vector", &coll));
    }
    h.charge(a.len() as u64)?;
    for pair in a.get_mut(1..).unwrap_or_default().chunks_exact_mut(2) {
        coll = lookup::assoc(h, coll, take(pair, 0), take(pair, 1))?;
    }
    Ok(coll)
}

fn assoc_in(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let path = Iter::arg(a, 1)?.collect(h)?;
    let (root, new) = (take(a, 0), take(a, 2));
    lookup::update_in(h, root, path, &mut |_, _| Ok(new.clone()))
}

/// Calls `f` (argument `at`) with the old value and the arguments that follow.
fn apply_to(h: &mut dyn Host, a: &mut [Value], at: usize, old: Value) -> Result {
    let (head, more) = a.split_at_mut((at + 1).min(a.len()));
    let f = arg(head, at);
    match more {
        [] => h.call1(f, old),
        [x] => h.call2(f, old, std::mem::take(x)),
        _ => {
            let mut all = Vec::with_capacity(more.len() + 1);
            all.push(old);
            all.extend(more.iter_mut().map(std::mem::take));
            h.call(f, &mut all)
        }
    }
}

fn update(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (coll, key) = (take(a, 0), take(a, 1));
    lookup::update_with(h, coll, key, &mut |h, old| apply_to(h, a, 2, old))
}

fn update_in(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let path = Iter::arg(a, 1)?.collect(h)?;
    let root = take(a, 0);
    lookup::update_in(h, root, path, &mut |h, old| apply_to(h, a, 2, old))
}

fn dissoc(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let coll = take(a, 0);
    let mut m = match coll {
        Value::Map(m) => m,
        // Without keys there is nothing to take out of anything, as in Clojure.
        other if other.is_nil() || a.len() == 1 => return Ok(other),
        other => return Err(Interrupt::argument(0, "a map", &other)),
    };
    for key in a.iter().skip(1) {
        h.charge(4)?;
        sorted_by::remove(h, &mut m, key)?;
    }
    Ok(Value::Map(m))
}

fn select_keys(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut keys = Iter::arg(a, 1)?;
    let coll = take(a, 0);
    let mut out = Map::new();
    while let Some(key) = keys.next(h)? {
        h.charge(2)?;
        let entry = entry_at(h, &coll, key.clone(), true)?;
        if let Value::Map(m) = &coll {
            lookup::note(h, m, &key, entry.is_some())?;
        }
        if let Some((k, v)) = entry {
            out.insert(k, v);
        }
    }
    if let Value::Map(m) = &coll
        && let Some(meta) = m.meta()
    {
        out = out.with_meta(Some(meta.clone()));
    }
    Ok(Value::Map(out))
}

/// The entry of `find`; with `names`, also by the equal name (difference 2).
fn entry_at(h: &mut dyn Host, coll: &Value, key: Value, names: bool) -> Result<Option<(Value, Value)>> {
    cost::find(h, coll, &key)?;
    match coll {
        Value::Nil => Ok(None),
        Value::Map(m) => {
            let e =
                if names && m.comparator().is_none() { crate::value::lookup::entry(m, &key) } else { m.entry(&key) };
            match e {
                Some((k, v)) if m.comparator().is_none() => Ok(Some((k.clone(), v.clone()))),
                _ if m.is_sorted() => sorted_by::find(h, m, &key),
                _ => Ok(None),
            }
        }
        Value::Vector(_) => Ok(crate::value::lookup::get(coll, &key).map(|v| (key, v))),
        other => match super::transient_held::held(h, other)? {
            Some(held) => entry_at(h, &held, key, names),
            None => Err(Interrupt::argument(0, "a map or a vector", other)),
        },
    }
}

fn find(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (coll, key) = (take(a, 0), take(a, 1));
    let e = entry_at(h, &coll, key, false)?;
    Ok(e.map_or(Value::Nil, |(k, v)| Value::Vector(Vector::entry(k, v))))
}

fn merge(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if !a.iter().any(Value::truthy) {
        return Ok(Value::Nil);
    }
    let mut all = a.iter_mut().map(std::mem::take);
    let mut out = all.next().unwrap_or_default();
    if !out.truthy() {
        out = Value::Map(Map::new());
    }
    for more in all {
        out = super::common::conj_one(h, out, more)?;
    }
    Ok(out)
}

fn merge_with(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = take(a, 0);
    if !a.iter().any(Value::truthy) {
        return Ok(Value::Nil);
    }
    let mut all = a.iter_mut().skip(1).map(std::mem::take);
    let mut out = all.next().unwrap_or_default();
    if !out.truthy() {
        out = Value::Map(Map::new());
    }
    for (i, more) in all.enumerate() {
        let mut entries = Iter::new(more)?;
        while let Some(e) = entries.next(h)? {
            h.charge(4)?;
            let Some((k, v)) = e.as_entry() else { return Err(Interrupt::argument(i + 2, "a map", &e)) };
            out = match out {
                Value::Map(mut m) => {
                    // Exact keys only: `merge-with` is not among the loosened lookups (difference 2).
                    let k = sorted_by::ready(h, &m, k)?;
                    let mut new = Some(v);
                    if !m.change(&k, |old| h.call2(&f, old, new.take().unwrap_or_default()))? {
                        sorted_by::insert(h, &mut m, k, new.unwrap_or_default())?;
                    }
                    Value::Map(m)
                }
                other => match crate::value::lookup::get(&other, &k) {
                    Some(old) => {
                        let new = h.call2(&f, old, v)?;
                        lookup::assoc(h, other, k, new)?
                    }
                    None => lookup::assoc(h, other, k, v)?,
                },
            };
        }
    }
    Ok(out)
}

/// Key (0) or value (1) of an entry.
pub fn half(a: &mut [Value], i: usize) -> Result {
    match arg(a, 0) {
        Value::Vector(v) if v.is_entry() => Ok(v.get(i).cloned().unwrap_or_default()),
        other => Err(Interrupt::argument(0, "an entry of a map", other)),
    }
}

fn keys(h: &mut dyn Host, a: &mut [Value]) -> Result {
    side(h, a, 0)
}

fn vals(h: &mut dyn Host, a: &mut [Value]) -> Result {
    side(h, a, 1)
}

fn side(h: &mut dyn Host, a: &mut [Value], i: usize) -> Result {
    let items = if let Value::Map(m) = arg(a, 0) {
        h.charge(m.len() as u64)?;
        h.reserve(m.len() as u64 * 16)?;
        if i == 0 { m.keys().cloned().collect() } else { m.vals().cloned().collect() }
    } else {
        // What `filter` leaves of a map is still made of entries.
        let whole = arg(a, 0).clone();
        let mut entries = Iter::arg(a, 0)?;
        let mut items = Vec::new();
        while let Some(e) = entries.next(h)? {
            h.charge(1)?;
            let Some((k, v)) = e.as_entry() else { return Err(Interrupt::argument(0, "a map", &whole)) };
            items.push(if i == 0 { k } else { v });
        }
        items
    };
    Ok(if items.is_empty() { Value::Nil } else { Value::seq(items) })
}

fn contains(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(cost::search(arg(a, 0)))?;
    cost::key(h, arg(a, 1))?;
    h.key_found(arg(a, 1).constant_mark());
    match lookup::has(h, arg(a, 0), arg(a, 1))? {
        Some(b) => Ok(Value::Bool(b)),
        None => Err(Interrupt::argument(0, "a map, set, vector or string", arg(a, 0))
            .hint("contains? looks for keys; (some #{x} coll) looks for an item")),
    }
}

fn hash_map(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if !a.len().is_multiple_of(2) {
        let key = a.last().map(crate::print::brief).unwrap_or_default();
        return Err(Interrupt::error(ErrorKind::Value, format!("No value supplied for key: {key}")));
    }
    h.charge(a.len() as u64 * 2)?;
    let mut m = Map::new();
    for pair in a.chunks_exact_mut(2) {
        let key = take(pair, 0);
        cost::key(h, &key)?;
        m.insert(key, take(pair, 1));
    }
    Ok(Value::Map(m))
}

fn update_vals(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = take(a, 1);
    match take(a, 0) {
        Value::Nil => Ok(Value::Map(Map::new())),
        Value::Map(m) => {
            h.charge(m.len() as u64 * 2)?;
            h.reserve(m.len() as u64 * 48)?;
            let meta = m.meta().cloned();
            let shape = m.shape().cloned();
            let (keys, mut vals): (Vec<Value>, Vec<Value>) = m.iter().map(|(k, v)| (k.clone(), v.clone())).unzip();
            drop(m);
            for v in &mut vals {
                let old = std::mem::take(v);
                *v = h.call1(&f, old)?;
            }
            // The same keys: a small map shares them.
            let out = match shape {
                Some(shape) => Map::shaped(shape, vals),
                None => {
                    keys.iter().try_for_each(|k| cost::wide_key(h, k))?;
                    Map::shaped(Keys::new(keys), vals)
                }
            };
            Ok(Value::Map(out.with_meta(meta)))
        }
        Value::Vector(v) => {
            h.charge(v.len() as u64 * 2)?;
            h.reserve(v.len() as u64 * 16)?;
            let mut items = v.into_vec();
            for v in &mut items {
                let old = std::mem::take(v);
                *v = h.call1(&f, old)?;
            }
            Ok(Value::vector(items))
        }
        other => Err(Interrupt::argument(0, "a map", &other)),
    }
}

fn update_keys(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = take(a, 1);
    let coll = take(a, 0);
    let meta = if let Value::Map(m) = &coll { m.meta().cloned() } else { None };
    let entries: Vec<(Value, Value)> = match &coll {
        Value::Nil => Vec::new(),
        Value::Map(m) => {
            h.charge(m.len() as u64 * 4)?;
            h.reserve(m.len() as u64 * 64)?;
            m.iter().map(|(k, v)| (k.clone(), v.clone())).collect()
        }
        Value::Vector(v) => {
            h.charge(v.len() as u64 * 4)?;
            h.reserve(v.len() as u64 * 64)?;
            v.iter().enumerate().map(|(i, x)| (Value::int(i as i64), x.clone())).collect()
        }
        other => return Err(Interrupt::argument(0, "a map", other)),
    };
    drop(coll);
    let mut out = Map::new();
    for (k, v) in entries {
        let k = h.call1(&f, k)?;
        cost::key(h, &k)?;
        out.insert(k, v);
    }
    Ok(Value::Map(out.with_meta(meta)))
}
