//! Folding a collection into one value: reduce and the like, tests over items, apply, the greatest and the least.

use super::callers::{Caller, Reducer};
use super::seq_source::{BatchedCharge, Items, Src, any_lazy, each, each_ref, held, items, lend, lend_blocks, made};
use super::transducers::{reduced, unreduced};
use crate::builtins::args::{get, take};
use crate::builtins::functions::combinators::Native;
use crate::builtins::row::BuiltinRow;
use crate::builtins::types::own_methods::own_reduce;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::{Generator, Iter, Step, is_lazy, is_seqable};
use crate::value::compare::number_order;
use crate::value::{Builtin, Value};
use std::cmp::Ordering;

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "reduce",
        "f coll | f val coll",
        "Calls f on a result so far (val, or else the first item) and each item in turn, and gives the last result. Stops at a reduced one.",
        &[("(reduce + [1 2 3])", "6"), ("(reduce conj [] '(1 2))", "[1 2]")],
        &Body(reduce),
    ),
    Builtin::new(
        "reduce-kv",
        "f init coll",
        "As reduce, over the keys and values of a map, or indexes and items of a vector.",
        &[("(reduce-kv (fn [acc k v] (+ acc v)) 0 {:a 1 :b 2})", "3")],
        &Body(reduce_kv),
    ),
    Builtin::new(
        "reductions",
        "f coll | f init coll",
        "All results that reduce would see on the way.",
        &[("(reductions + [1 2 3])", "(1 3 6)")],
        &Body(reductions),
    ),
    Builtin::new(
        "reduced",
        "x",
        "Ends a reduction with x as its result.",
        &[("(reduce (fn [a x] (if (> x 2) (reduced a) (+ a x))) [1 2 3 4])", "3")],
        &Body(|_, a| Ok(reduced(take(a, 0)))),
    ),
    Builtin::new(
        "reduced?",
        "x",
        "Whether x was made by reduced.",
        &[("(reduced? (reduced 1))", "true")],
        &Body(|_, a| Ok(Value::Bool(matches!(get(a, 0), Value::Reduced(_))))),
    ),
    Builtin::new(
        "unreduced",
        "x",
        "What a reduced value holds; anything else as it is.",
        &[("(unreduced (reduced 1))", "1"), ("(unreduced 5)", "5")],
        &Body(|_, a| Ok(unreduced(take(a, 0)))),
    ),
    Builtin::new(
        "ensure-reduced",
        "x",
        "x as a reduced value, once.",
        &[("(reduced? (ensure-reduced 1))", "true")],
        &Body(ensure_reduced),
    ),
    Builtin::new(
        "some",
        "pred coll",
        "The first true value that pred gives for an item, or nil.",
        &[("(some even? [1 2])", "true"), ("(some #{2 3} [1 2 3])", "2")],
        &Body(some),
    ),
    Builtin::new(
        "every?",
        "pred coll",
        "Whether pred holds for all items.",
        &[("(every? even? [2 4])", "true"), ("(every? even? [])", "true")],
        &Body(|h, a| Ok(Value::Bool(!any(h, a, false)?))),
    ),
    Builtin::new(
        "not-any?",
        "pred coll",
        "Whether pred holds for no item.",
        &[("(not-any? even? [1 3])", "true")],
        &Body(|h, a| Ok(Value::Bool(!any(h, a, true)?))),
    ),
    Builtin::new(
        "not-every?",
        "pred coll",
        "Whether pred fails for some item.",
        &[("(not-every? even? [1 2])", "true")],
        &Body(|h, a| Ok(Value::Bool(any(h, a, false)?))),
    ),
    Builtin::new(
        "run!",
        "proc coll",
        "Calls proc on every item for its effects; gives nil.",
        &[("(run! println [1 2])", "nil")],
        &Body(run),
    ),
    Builtin::new(
        "apply",
        "f args | f x args | f x y args | f x y z args | f a b c d & args",
        "Calls f with the arguments before the last and then the items of the last.",
        &[("(apply + 1 [2 3])", "6"), ("(apply max [3 1 2])", "3")],
        &Body(apply),
    ),
    Builtin::new(
        "max-key",
        "k x & more",
        "The argument for which k is greatest; the last of equals.",
        &[("(max-key count \"a\" \"ccc\" \"bb\")", "\"ccc\"")],
        &Body(|h, a| extreme(h, a, Ordering::Greater)),
    ),
    Builtin::new(
        "min-key",
        "k x & more",
        "The argument for which k is least; the last of equals.",
        &[("(min-key count \"aa\" \"b\")", "\"b\"")],
        &Body(|h, a| extreme(h, a, Ordering::Less)),
    ),
];

/// Folds `it` into `acc`; stops at a reduced value and gives what it holds.
pub fn fold(h: &mut dyn Host, f: &Value, mut acc: Value, it: Iter) -> Result {
    let f = Reducer::new(f);
    match it {
        Iter::Array(s) => {
            let (mut toll, mut done) = (BatchedCharge::new(s.len()), 0);
            // What is only computed is computed from what is lent.
            lend_blocks(&s, |block| {
                let n = f.fold_each(h, &mut acc, block)?;
                toll.some(h, n)?;
                done += n;
                Ok(n == block.len() && !matches!(acc, Value::Reduced(_)))
            })?;
            if done > 0
                && let Value::Reduced(_) = acc
            {
                return Ok(unreduced(acc));
            }
            match Items::new(s.skip(done)) {
                Items::Own(items) => {
                    for x in items {
                        toll.one(h)?;
                        acc = f.step(h, acc, x)?;
                        if let Value::Reduced(_) = acc {
                            return Ok(unreduced(acc));
                        }
                    }
                }
                Items::Shared(s) => {
                    let mut ended = false;
                    lend(&s, |x| {
                        toll.one(h)?;
                        ended = f.lent(h, &mut acc, x)?;
                        Ok(!ended)
                    })?;
                    if ended {
                        return Ok(unreduced(acc));
                    }
                }
            }
        }
        mut it => {
            while let Some(x) = it.next(h)? {
                h.charge(1)?;
                acc = f.step(h, acc, x)?;
                if let Value::Reduced(_) = acc {
                    return Ok(unreduced(acc));
                }
            }
        }
    }
    Ok(acc)
}

/// `(reduce f val coll)`
pub fn reduce(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = take(a, 0);
    if let Some(coll @ Value::Object(_)) = a.last() {
        let init = a.get(1).filter(|_| a.len() > 2);
        if let Some(v) = own_reduce(h, coll, &f, init)? {
            return Ok(v);
        }
    }
    if a.len() > 2 {
        let it = Iter::arg(a, 2)?;
        return fold(h, &f, take(a, 1), it);
    }
    let mut it = Iter::arg(a, 1)?;
    match it.next(h)? {
        Some(first) => fold(h, &f, first, it),
        None => h.call(&f, &mut []),
    }
}

fn reduce_kv(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (f, mut acc, coll) = (take(a, 0), take(a, 1), take(a, 2));
    let mut pairs: Box<dyn Iterator<Item = (Value, Value)>> = match coll {
        Value::Nil => return Ok(acc),
        Value::Map(ref m) => Box::new(m.iter().map(|(k, v)| (k.clone(), v.clone()))),
        Value::Vector(ref v) => Box::new((0i64..).map(Value::int).zip(v.iter().cloned())),
        other if is_seqable(&other) => {
            // Clojure 1.11 takes any sequence of a map's own entries.
            let all = Iter::new(other)?.collect(h)?;
            let bad = all.iter().find(|e| !matches!(e, Value::Vector(v) if v.is_entry()));
            if let Some(bad) = bad {
                let shown = crate::print::brief(bad);
                return Err(Interrupt::error(
                    ErrorKind::Type,
                    format!("reduce-kv: coll must hold entries of a map, got {shown}"),
                ));
            }
            let pair = |e: Value| match e {
                Value::Vector(v) => (v.get(0).cloned().unwrap_or_default(), v.get(1).cloned().unwrap_or_default()),
                _ => Default::default(),
            };
            Box::new(all.into_iter().map(pair))
        }
        other => return Err(Interrupt::argument(2, "a map or a vector", &other)),
    };
    for (k, v) in &mut pairs {
        h.charge(1)?;
        acc = h.call(&f, &mut [acc, k, v])?;
        if let Value::Reduced(_) = acc {
            return Ok(unreduced(acc));
        }
    }
    Ok(acc)
}

/// Results on the way; the first one comes without a call.
#[derive(Clone)]
struct Results {
    f: Value,
    acc: Option<Value>,
    src: Src,
    started: bool,
    done: bool,
}

impl Generator for Results {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        if self.done {
            return Ok(Step::End);
        }
        if !std::mem::replace(&mut self.started, true) {
            let first = match self.acc.take() {
                Some(init) => init,
                None => match self.src.next(h)? {
                    Some(x) => x,
                    None => {
                        self.done = true;
                        return Ok(Step::Item(h.call(&self.f, &mut [])?));
                    }
                },
            };
            return Ok(self.give(first));
        }
        let Some(x) = self.src.next(h)? else { return Ok(Step::End) };
        let acc = self.acc.take().unwrap_or_default();
        let next = h.call2(&self.f, acc, x)?;
        Ok(self.give(next))
    }
    fn weight(&self) -> u64 {
        self.src.weight()
    }
    fn finite(&self) -> bool {
        self.done || self.src.finite()
    }
    fn depth(&self) -> u32 {
        let acc = self.acc.as_ref().map_or(0, |v| held(&[v]));
        held(&[&self.f]).max(acc).max(self.src.depth())
    }
    fn endless(&self) -> bool {
        // A function of the program may give a `reduced`: of such results nobody knows.
        !self.done && matches!(self.f, Value::Builtin(_)) && self.src.endless()
    }
}

impl Results {
    fn give(&mut self, v: Value) -> Step {
        if let Value::Reduced(_) = v {
            self.done = true;
            return Step::Item(unreduced(v));
        }
        self.acc = Some(v.clone());
        Step::Item(v)
    }
}

fn reductions(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let later = any_lazy(a.get(1..).unwrap_or_default().last().map_or(&[], std::slice::from_ref));
    let at = a.len().saturating_sub(1);
    let src = Src::arg(a, at)?;
    let acc = if at > 1 { Some(take(a, 1)) } else { None };
    made(h, later, Results { f: take(a, 0), acc, src, started: false, done: false })
}

fn ensure_reduced(_: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(match take(a, 0) {
        done @ Value::Reduced(_) => done,
        v => reduced(v),
    })
}

fn some(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let pred = take(a, 0);
    let (pred, mut found) = (Caller::new(&pred), Value::Nil);
    each_ref(h, a, 1, |h, x| {
        let v = pred.on(h, x)?;
        let more = !v.truthy();
        if !more {
            found = v;
        }
        Ok(more)
    })?;
    Ok(found)
}

/// Whether the predicate's answer for some item is as `wanted`.
fn any(h: &mut dyn Host, a: &mut [Value], wanted: bool) -> Result<bool> {
    let pred = take(a, 0);
    let (pred, mut found) = (Caller::new(&pred), false);
    each_ref(h, a, 1, |h, x| {
        found = pred.on(h, x)?.truthy() == wanted;
        Ok(!found)
    })?;
    Ok(found)
}

fn run(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = take(a, 0);
    let f = Caller::new(&f);
    each(h, a, 1, |h, x| Ok(!matches!(f.give(h, x)?, Value::Reduced(_))))?;
    Ok(Value::Nil)
}

fn apply(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let last = a.len().saturating_sub(1);
    if !is_seqable(get(a, last)) {
        return Err(Interrupt::argument(last, "a collection", get(a, last)));
    }
    let f = take(a, 0);
    if is_lazy(get(a, last)) {
        let rest = take(a, last);
        let mut args: Vec<Value> = a.iter_mut().take(last).skip(1).map(std::mem::take).collect();
        return apply_lazily(h, &f, &mut args, rest);
    }
    h.charge(2)?;
    let spread = items(h, a, last)?;
    if last == 1 {
        let mut spread = spread;
        return h.call(&f, &mut spread);
    }
    let mut args = Vec::with_capacity(last + spread.len());
    args.extend(a.iter_mut().take(last).skip(1).map(std::mem::take));
    args.extend(spread);
    h.call(&f, &mut args)
}

/// Over a sequence that is not there yet, perhaps an endless one: what takes its arguments one by one gets them so.
fn apply_lazily(h: &mut dyn Host, f: &Value, args: &mut Vec<Value>, rest: Value) -> Result {
    if let Value::Builtin(b) = f
        && b.name() == "concat"
    {
        let mut colls = rest;
        while let Some(first) = args.pop() {
            colls = super::basic::cons_onto(h, first, colls)?;
        }
        return Ok(super::join::concat_lazily(colls));
    }
    if let Value::Function(g) = f {
        match g.downcast::<Native>() {
            Some(n) if n.name == "partial" => {
                if let Some((f, first)) = n.held.split_first() {
                    h.charge(first.len() as u64)?;
                    let mut all = first.to_vec();
                    all.append(args);
                    return h.call_spread(f, all, rest);
                }
            }
            Some(n) if n.name == "comp" => {
                if let Some((last, before)) = n.held.split_last() {
                    let mut x = h.call_spread(last, std::mem::take(args), rest)?;
                    for f in before.iter().rev() {
                        x = h.call1(f, x)?;
                    }
                    return Ok(x);
                }
            }
            Some(_) => {}
            None => return h.call_spread(f, std::mem::take(args), rest),
        }
    }
    if let Value::Builtin(b) = f
        && b.name() == "distinct?"
    {
        return all_distinct(h, std::mem::take(args), rest);
    }
    h.call_spread(f, std::mem::take(args), rest)
}

/// `distinct?` of what is made one by one: the first item that comes again ends it.
fn all_distinct(h: &mut dyn Host, args: Vec<Value>, rest: Value) -> Result {
    let mut seen = crate::value::Set::new();
    let mut rest = Iter::new(rest)?;
    let mut args = args.into_iter();
    loop {
        let next = match args.next() {
            Some(next) => Some(next),
            None => rest.next(h)?,
        };
        let Some(next) = next else { return Ok(Value::Bool(true)) };
        crate::cost::key(h, &next)?;
        h.reserve(64)?;
        if !seen.insert(next) {
            return Ok(Value::Bool(false));
        }
    }
}

/// The order of two keys; NaN has none.
fn compared(h: &mut dyn Host, a: &Value, b: &Value) -> Result<Option<Ordering>> {
    for v in [a, b] {
        match v {
            Value::Int(_) | Value::Big(_) => {}
            Value::Ratio(_) | Value::Decimal(_) => crate::size_cost::walk(h, v)?,
            Value::Float(f) if f.get().is_nan() => return Ok(None),
            Value::Float(_) => {}
            v => {
                let shown = crate::print::brief(v);
                return Err(Interrupt::bad(0, ErrorKind::Type, format!("must give numbers, got {shown}")));
            }
        }
    }
    Ok(Some(number_order(a, b)))
}

/// Clojure's `max-key` and `min-key`: of two the second, unless the first is beyond it; then whatever is as far (trap
/// 18).
fn extreme(h: &mut dyn Host, a: &mut [Value], beyond: Ordering) -> Result {
    if a.len() == 2 {
        return Ok(take(a, 1));
    }
    let f = take(a, 0);
    let f = Caller::new(&f);
    let mut best: Option<(Value, Value)> = None;
    for (i, slot) in a.iter_mut().enumerate().skip(1) {
        h.charge(1)?;
        let x = std::mem::take(slot);
        let key = f.on(h, &x)?;
        let better = match &best {
            None => true,
            Some((_, b)) if i == 2 => compared(h, b, &key)? != Some(beyond),
            Some((_, b)) => matches!(compared(h, &key, b)?, Some(o) if o == beyond || o == Ordering::Equal),
        };
        if better {
            best = Some((x, key));
        }
    }
    Ok(best.unwrap_or_default().0)
}
