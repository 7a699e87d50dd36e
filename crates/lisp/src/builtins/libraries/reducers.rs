//! `clojure.core.reducers`: its functions over collections as those of clojure.core, and `fold` in the parts that
//! Clojure takes, one after another.

use crate::builtins::args::{get, int, take};
use crate::builtins::functions::combinators::native;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::reduce::fold as fold_all;
use crate::builtins::sequences::seq_source::core;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::Iter;
use crate::value::{Builtin, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "clojure.core.reducers/map",
        "f | f coll",
        "As map; without coll, a function of it.",
        &[
            ("(into [] (clojure.core.reducers/map inc [1 2]))", "[2 3]"),
            ("((clojure.core.reducers/map inc) [1])", "(2)"),
        ],
        &Body(|h, a| curried(h, a, "map")),
    ),
    Builtin::new(
        "clojure.core.reducers/mapcat",
        "f | f coll",
        "As mapcat; without coll, a function of it.",
        &[("(into [] (clojure.core.reducers/mapcat range [1 2]))", "[0 0 1]")],
        &Body(|h, a| curried(h, a, "mapcat")),
    ),
    Builtin::new(
        "clojure.core.reducers/filter",
        "pred | pred coll",
        "As filter; without coll, a function of it.",
        &[("(into [] (clojure.core.reducers/filter odd? [1 2 3]))", "[1 3]")],
        &Body(|h, a| curried(h, a, "filter")),
    ),
    Builtin::new(
        "clojure.core.reducers/remove",
        "pred | pred coll",
        "As remove; without coll, a function of it.",
        &[("(into [] (clojure.core.reducers/remove odd? [1 2 3]))", "[2]")],
        &Body(|h, a| curried(h, a, "remove")),
    ),
    Builtin::new(
        "clojure.core.reducers/take-while",
        "pred | pred coll",
        "As take-while; without coll, a function of it.",
        &[("(into [] (clojure.core.reducers/take-while odd? [1 2 3]))", "[1]")],
        &Body(|h, a| curried(h, a, "take-while")),
    ),
    Builtin::new(
        "clojure.core.reducers/take",
        "n | n coll",
        "As take; without coll, a function of it.",
        &[("(into [] (clojure.core.reducers/take 1 [1 2]))", "[1]")],
        &Body(|h, a| curried(h, a, "take")),
    ),
    Builtin::new(
        "clojure.core.reducers/drop",
        "n | n coll",
        "As drop; without coll, a function of it.",
        &[("(into [] (clojure.core.reducers/drop 1 [1 2]))", "[2]")],
        &Body(|h, a| curried(h, a, "drop")),
    ),
    Builtin::new(
        "clojure.core.reducers/flatten",
        "| coll",
        "As flatten; without coll, a function of it.",
        &[("(into [] (clojure.core.reducers/flatten [1 [2]]))", "[1 2]")],
        &Body(|h, a| {
            let f = core(h, "flatten")?;
            if a.is_empty() { Ok(f) } else { h.call(&f, a) }
        }),
    ),
    Builtin::new(
        "clojure.core.reducers/reduce",
        "f coll | f init coll",
        "As reduce, from (f) where no init is given; f gets key and value of the entries of a map.",
        &[
            ("(clojure.core.reducers/reduce + [1 2])", "3"),
            ("(clojure.core.reducers/reduce (fn [n _ v] (+ n v)) 0 {:a 1 :b 2})", "3"),
        ],
        &Body(|h, a| {
            let f = take(a, 0);
            let init = if a.len() > 2 { take(a, 1) } else { h.call(&f, &mut [])? };
            let coll = take(a, a.len().saturating_sub(1));
            reduce(h, &f, init, coll)
        }),
    ),
    Builtin::new(
        "clojure.core.reducers/fold",
        "reducef coll | combinef reducef coll | n combinef reducef coll",
        "Reduces parts of n items (512) of a vector, each from (combinef), and joins what comes by combinef; other collections are one part.",
        &[
            ("(clojure.core.reducers/fold + [1 2 3])", "6"),
            ("(clojure.core.reducers/fold 2 (fn ([] []) ([a b] (conj a b))) conj (range 4))", "[0 1 2 3]"),
            ("(clojure.core.reducers/fold 2 (fn ([] []) ([a b] [a b])) conj [1 2 3 4])", "[[1 2] [3 4]]"),
        ],
        &Body(fold),
    ),
    Builtin::new(
        "clojure.core.reducers/foldcat",
        "coll",
        "The items as a vector.",
        &[("(clojure.core.reducers/foldcat [1 2])", "[1 2]")],
        &Body(|h, a| Ok(Value::vector(Iter::arg(a, 0)?.collect(h)?))),
    ),
    Builtin::new(
        "clojure.core.reducers/cat",
        "| ctor | left right",
        "The items of both as a vector; with ctor alone, a function for fold that begins with (ctor).",
        &[
            ("(clojure.core.reducers/cat [1] [2])", "[1 2]"),
            ("(clojure.core.reducers/fold clojure.core.reducers/cat clojure.core.reducers/append! [1 2])", "[1 2]"),
        ],
        &Body(|h, a| match a {
            [] => Ok(Value::vector(Vec::new())),
            [_] => native(h, "cat", vec![take(a, 0)], (0, Some(2)), |h, held, a| match a {
                [left, right] => cat(h, std::mem::take(left), std::mem::take(right)),
                _ => h.call(get(held, 0), &mut []),
            }),
            _ => cat(h, take(a, 0), take(a, 1)),
        }),
    ),
    Builtin::new(
        "clojure.core.reducers/append!",
        "acc x",
        "acc with x at its end.",
        &[("(clojure.core.reducers/append! [1] 2)", "[1 2]")],
        &Body(|h, a| {
            let (acc, x) = (take(a, 0), take(a, 1));
            crate::builtins::collections::common::conj_one(h, acc, x)
        }),
    ),
    Builtin::new(
        "clojure.core.reducers/monoid",
        "op ctor",
        "A function for fold: (ctor) without arguments, (op a b) with two.",
        &[("(clojure.core.reducers/fold (clojure.core.reducers/monoid into vector) conj [1 2])", "[1 2]")],
        &Body(|h, a| {
            native(h, "monoid", vec![take(a, 0), take(a, 1)], (0, Some(2)), |h, held, a| match a {
                [] => h.call(get(held, 1), &mut []),
                _ => h.call(get(held, 0), a),
            })
        }),
    ),
];

/// The function of the core of this name, or one that waits for the collection.
fn curried(h: &mut dyn Host, a: &mut [Value], name: &str) -> Result {
    let f = core(h, name)?;
    match a {
        [first] => {
            let partial = core(h, "partial")?;
            h.call(&partial, &mut [f, std::mem::take(first)])
        }
        _ => h.call(&f, a),
    }
}

fn cat(h: &mut dyn Host, left: Value, right: Value) -> Result {
    let into = core(h, "into")?;
    h.call2(&into, left, right)
}

fn reduce(h: &mut dyn Host, f: &Value, init: Value, mut coll: Value) -> Result {
    if let Value::Map(_) = coll {
        let reduce = core(h, "reduce-kv")?;
        return h.call(&reduce, &mut [f.clone(), init, coll]);
    }
    fold_all(h, f, init, Iter::arg(std::slice::from_mut(&mut coll), 0)?)
}

fn fold(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let coll = take(a, a.len().saturating_sub(1));
    let (size, combine, reducer) = match a.len() {
        2 => (512, get(a, 0).clone(), take(a, 0)),
        3 => (512, take(a, 0), take(a, 1)),
        _ => (int(a, 0)?, take(a, 1), take(a, 2)),
    };
    let Some(size) = usize::try_from(size).ok().filter(|n| *n > 0) else {
        return Err(Interrupt::bad(0, ErrorKind::Value, "must be at least 1: parts have that many items"));
    };
    match coll {
        Value::Vector(v) => parts(h, &v, (0, v.len()), size, &combine, &reducer),
        coll => {
            let init = h.call(&combine, &mut [])?;
            reduce(h, &reducer, init, coll)
        }
    }
}

/// Halves are halved until they are small enough, so that this is only as deep as the number of items is long.
fn parts(
    h: &mut dyn Host,
    v: &Vector,
    (from, to): (usize, usize),
    size: usize,
    combine: &Value,
    reducer: &Value,
) -> Result {
    h.charge(4)?;
    let n = to - from;
    if n > size {
        let middle = from + n / 2;
        let left = parts(h, v, (from, middle), size, combine, reducer)?;
        let right = parts(h, v, (middle, to), size, combine, reducer)?;
        return h.call2(combine, left, right);
    }
    let init = h.call(combine, &mut [])?;
    if n == 0 {
        return Ok(init);
    }
    h.charge(n as u64 / 2)?;
    h.reserve(n as u64 * 16)?;
    fold_all(h, reducer, init, Iter::new(Value::Vector(v.slice(from, to)))?)
}
