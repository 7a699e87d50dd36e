//! Functions that make functions: comp, partial, juxt and the like; what they make is a [`Native`].

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::transducer_step::Kind;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body as BuiltinBody, Host, Interrupt, Result, too_deep};
use crate::value::boxed::CellId;
use crate::value::function::{Body, MULTIMETHOD, PROTOCOL_METHOD};
use crate::value::node::UPKEEP;
use crate::value::text::OVERHEAD;
use crate::value::{Builtin, Function, Item, Map, Value};
use smallvec::{SmallVec, smallvec};
use std::any::Any;
use std::sync::Arc;

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("identity", "x", "x itself.", &[("(identity 5)", "5")], &BuiltinBody(|_, a| Ok(take(a, 0)))),
    Builtin::new(
        "constantly",
        "x",
        "A function that gives x whatever it is called with.",
        &[("((constantly 1) :any :thing)", "1")],
        &BuiltinBody(constantly),
    ),
    Builtin::new(
        "comp",
        "& fs",
        "A function that calls the last of fs with its arguments, then each one before it with what came.",
        &[("((comp inc #(* 2 %)) 5)", "11"), ("((comp) 7)", "7")],
        &BuiltinBody(comp),
    ),
    Builtin::new(
        "partial",
        "f & args",
        "A function that calls f with these arguments and then its own.",
        &[("((partial + 10) 5)", "15")],
        &BuiltinBody(partial),
    ),
    Builtin::new(
        "juxt",
        "f & fs",
        "A function that gives a vector of what each of these functions gives for its arguments.",
        &[("((juxt inc dec) 5)", "[6 4]")],
        &BuiltinBody(juxt),
    ),
    Builtin::new(
        "complement",
        "f",
        "A function that is true where f is not.",
        &[("((complement even?) 3)", "true")],
        &BuiltinBody(complement),
    ),
    Builtin::new(
        "fnil",
        "f x | f x y | f x y z",
        "A function that calls f with these values in place of arguments that are nil.",
        &[("((fnil inc 0) nil)", "1")],
        &BuiltinBody(fnil),
    ),
    Builtin::new(
        "every-pred",
        "p & ps",
        "A function that is true if all of these hold for all of its arguments.",
        &[("((every-pred pos? even?) 4)", "true")],
        &BuiltinBody(every_pred),
    ),
    Builtin::new(
        "some-fn",
        "p & ps",
        "A function that gives the first true value that one of these gives for one of its arguments.",
        &[("((some-fn :a :b) {:b 2})", "2")],
        &BuiltinBody(some_fn),
    ),
    Builtin::new(
        "memoize",
        "f",
        "A function that calls f once for the same arguments and remembers what came.",
        &[("((memoize +) 1 2)", "3")],
        &BuiltinBody(memoize),
    ),
    Builtin::new(
        "trampoline",
        "f & args",
        "Calls f, and then what it gives as long as that is a function.",
        &[("(trampoline (fn [] (fn [] :done)))", ":done")],
        &BuiltinBody(trampoline),
    ),
    Builtin::new(
        "comparator",
        "pred",
        "A comparator by a predicate that says whether its first argument comes first.",
        &[("(sort (comparator (fn [a b] (> a b))) [1 3 2])", "(3 2 1)")],
        &BuiltinBody(comparator),
    ),
];

/// What a [`Native`] does when it is called: what it holds, and the arguments.
pub type Call = fn(&mut dyn Host, &[Value], &mut [Value]) -> Result;

/// What a [`Native`] is made of: mostly a function and a value, which need no allocation of their own.
pub type Held = SmallVec<[Value; 2]>;

/// A function made by a builtin out of values.
pub struct Native {
    /// The builtin that made it.
    pub name: &'static str,
    /// What it was made of.
    pub held: Held,
    /// Fewest arguments.
    pub min: u8,
    /// Most arguments; `None` for any number.
    pub max: Option<u8>,
    /// What it does.
    pub call: Call,
    /// Which transducer it is, so that a pipeline of known ones runs without calls between them.
    pub stage: Option<Kind>,
}

impl Body<Value> for Native {
    fn name(&self) -> Option<&str> {
        match self.held.first() {
            Some(Value::Symbol(own)) if self.chooses() => Some(own.name()),
            _ => Some(self.name),
        }
    }
    fn word(&self) -> &'static str {
        if self.name == MULTIMETHOD { MULTIMETHOD } else { "function" }
    }
    fn doc(&self) -> Option<&str> {
        None
    }
    fn params(&self) -> String {
        if self.name == MULTIMETHOD {
            return "[& args]".into();
        }
        if self.name == PROTOCOL_METHOD
            && let Some(Value::Str(params)) = self.held.get(1)
        {
            return params.as_str().to_string();
        }
        let mut names: Vec<String> = (0..self.min).map(|i| format!("x{i}")).collect();
        if self.max != Some(self.min) {
            names.push("& more".into());
        }
        format!("[{}]", names.join(" "))
    }
    fn depth(&self) -> u32 {
        self.held.iter().map(Item::depth).max().unwrap_or(0)
    }
    fn lazy(&self) -> bool {
        self.held.iter().any(Item::lazy)
    }
    fn held(&self) -> &[Value] {
        &self.held
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Native {
    /// Whether all it does is to choose the function that is called.
    pub fn chooses(&self) -> bool {
        self.name == MULTIMETHOD || self.name == PROTOCOL_METHOD
    }

    /// What it takes, with the function value around it.
    fn bytes(&self) -> usize {
        let values = if self.held.spilled() { self.held.capacity() } else { self.held.len() };
        // Inline or not, with what an array of its own would take: fuel and memory are those of traces of earlier versions.
        let array = size_of::<Vec<Value>>() + UPKEEP + values * size_of::<Value>();
        size_of::<Native>() - size_of::<Held>() + 2 * OVERHEAD + array
    }
}

/// A function value of this body; it counts as nested around what it holds.
pub fn made(h: &mut dyn Host, native: Native) -> Result {
    if native.depth() >= h.limits().data_depth {
        return Err(too_deep(h.limits()));
    }
    let bytes = native.bytes();
    h.reserve(bytes as u64)?;
    Ok(Value::Function(Function::new(Arc::new(native), bytes)))
}

/// What a call of one of these builtins with constants makes, where it is the same each time but for being another
/// object: a constant in the place of the call.
pub fn of_constants(name: &str, args: &[Value]) -> Option<Value> {
    let (name, (min, max), call): (&'static str, (u8, Option<u8>), Call) = match (name, args.len()) {
        ("fnil", 2..=4) => ("fnil", fnil_takes(args.len()), call_fnil),
        ("partial", 2..) => ("partial", (0, None), call_partial),
        ("complement", 1) => ("complement", (0, None), call_complement),
        ("constantly", 1) => ("constantly", (0, None), call_constantly),
        ("juxt", 1..) => ("juxt", (0, None), call_juxt),
        _ => return None,
    };
    let native = Native { name, held: args.iter().cloned().collect(), min, max, call, stage: None };
    let bytes = native.bytes();
    Some(Value::Function(Function::constant(Arc::new(native), bytes)))
}

/// A function that does `call` with `held`.
pub fn native(
    h: &mut dyn Host,
    name: &'static str,
    held: impl Into<Held>,
    (min, max): (u8, Option<u8>),
    call: Call,
) -> Result {
    made(h, Native { name, held: held.into(), min, max, call, stage: None })
}

/// All arguments, taken.
fn all(a: &mut [Value]) -> Held {
    a.iter_mut().map(std::mem::take).collect()
}

/// A function that does what `f` does, and is another one.
///
/// # Errors
/// Limits.
pub fn same(h: &mut dyn Host, f: Value) -> Result {
    let name = if let Value::Builtin(b) = &f { b.name() } else { "partial" };
    native(h, name, smallvec![f], (0, None), call_partial)
}

fn constantly(h: &mut dyn Host, a: &mut [Value]) -> Result {
    native(h, "constantly", all(a), (0, None), call_constantly)
}

fn call_constantly(_: &mut dyn Host, held: &[Value], _: &mut [Value]) -> Result {
    Ok(get(held, 0).clone())
}

fn comp(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match a {
        [] => return crate::builtins::sequences::seq_source::core(h, "identity"),
        [f] => return Ok(std::mem::take(f)),
        _ => {}
    }
    // Compositions of compositions are one list, so that `(reduce comp fs)` is not as deep as it is long.
    let mut held = Vec::with_capacity(a.len());
    for f in a {
        match std::mem::take(f) {
            Value::Function(g) => match g.downcast::<Native>() {
                Some(n) if n.name == "comp" => {
                    h.charge(n.held.len() as u64 + 1)?;
                    h.reserve(n.held.len() as u64 * 32)?;
                    held.extend(n.held.iter().cloned());
                }
                _ => held.push(Value::Function(g)),
            },
            other => held.push(other),
        }
    }
    native(h, "comp", held, (0, None), |h, held, a| {
        let Some((last, before)) = held.split_last() else { return Ok(Value::Nil) };
        let mut x = h.call(last, a)?;
        for f in before.iter().rev() {
            x = h.call1(f, x)?;
        }
        Ok(x)
    })
}

/// `first` and then the arguments, as one list.
fn joined(h: &mut dyn Host, first: &[Value], a: &mut [Value]) -> Result<Vec<Value>> {
    h.charge((first.len() + a.len()) as u64 / 8)?;
    let mut args = Vec::with_capacity(first.len() + a.len());
    args.extend(first.iter().cloned());
    args.extend(a.iter_mut().map(std::mem::take));
    Ok(args)
}

fn partial(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if let [f] = a {
        return Ok(std::mem::take(f));
    }
    native(h, "partial", all(a), (0, None), call_partial)
}

fn call_partial(h: &mut dyn Host, held: &[Value], a: &mut [Value]) -> Result {
    match (held, &mut *a) {
        ([f, x], [y]) => h.call2(f, x.clone(), std::mem::take(y)),
        ([f, first @ ..], _) => {
            let mut args = joined(h, first, a)?;
            h.call(f, &mut args)
        }
        _ => Ok(Value::Nil),
    }
}

fn juxt(h: &mut dyn Host, a: &mut [Value]) -> Result {
    native(h, "juxt", all(a), (0, None), call_juxt)
}

fn call_juxt(h: &mut dyn Host, held: &[Value], a: &mut [Value]) -> Result {
    h.charge(held.len() as u64)?;
    let mut out = Vec::with_capacity(held.len());
    for f in held {
        out.push(match &*a {
            [x] => crate::builtins::sequences::callers::Caller::new(f).on(h, x)?,
            _ => {
                let mut args = joined(h, &[], &mut a.to_vec())?;
                h.call(f, &mut args)?
            }
        });
    }
    Ok(Value::vector(out))
}

fn complement(h: &mut dyn Host, a: &mut [Value]) -> Result {
    native(h, "complement", all(a), (0, None), call_complement)
}

fn call_complement(h: &mut dyn Host, held: &[Value], a: &mut [Value]) -> Result {
    Ok(Value::Bool(!h.call(get(held, 0), a)?.truthy()))
}

fn fnil(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let takes = fnil_takes(a.len());
    native(h, "fnil", all(a), takes, call_fnil)
}

/// Fewest and most arguments of what `fnil` with so many gives.
fn fnil_takes(n: usize) -> (u8, Option<u8>) {
    (u8::try_from(n.saturating_sub(1).clamp(1, 2)).unwrap_or(1), None)
}

fn call_fnil(h: &mut dyn Host, held: &[Value], a: &mut [Value]) -> Result {
    let Some((f, defaults)) = held.split_first() else { return Ok(Value::Nil) };
    for (x, default) in a.iter_mut().zip(defaults) {
        if x.is_nil() {
            *x = default.clone();
        }
    }
    match a {
        [x] => h.call1(f, std::mem::take(x)),
        [x, y] => h.call2(f, std::mem::take(x), std::mem::take(y)),
        _ => h.call(f, a),
    }
}

/// Asks predicates about arguments in Clojure's order: all predicates about the first three, one after the other, then
/// every further argument by itself. Stops when `done` says so, and gives the last answer.
fn ask(h: &mut dyn Host, preds: &[Value], a: &[Value], done: impl Fn(&Value) -> bool) -> Result<Option<Value>> {
    let (first, more) = a.split_at(a.len().min(3));
    let early = preds.iter().flat_map(|p| first.iter().map(move |x| (p, x)));
    let late = more.iter().flat_map(|x| preds.iter().map(move |p| (p, x)));
    let mut last = None;
    for (p, x) in early.chain(late) {
        let answer = h.call1(p, x.clone())?;
        if done(&answer) {
            return Ok(Some(answer));
        }
        last = Some(answer);
    }
    Ok(last)
}

fn every_pred(h: &mut dyn Host, a: &mut [Value]) -> Result {
    native(h, "every-pred", all(a), (0, None), |h, held, a| {
        let answer = ask(h, held, a, |v| !v.truthy())?;
        Ok(Value::Bool(answer.is_none_or(|v| v.truthy())))
    })
}

fn some_fn(h: &mut dyn Host, a: &mut [Value]) -> Result {
    native(h, "some-fn", all(a), (0, None), |h, held, a| {
        let answer = ask(h, held, a, Value::truthy)?.unwrap_or_default();
        // Up to three of each Clojure writes out as `or`, which gives its last value; beyond that it asks `some`.
        Ok(if answer.truthy() || held.len() <= 3 && a.len() <= 3 { answer } else { Value::Nil })
    })
}

fn memoize(h: &mut dyn Host, a: &mut [Value]) -> Result {
    // One argument is its own key; several are a vector, in a map of their own.
    let one = Value::Volatile(h.cell(Value::map([]))?);
    let many = Value::Volatile(h.cell(Value::map([]))?);
    native(h, "memoize", vec![take(a, 0), one, many], (0, None), |h, held, a| {
        let [f, Value::Volatile(one), Value::Volatile(many)] = held else { return Ok(Value::Nil) };
        let (cell, key) = match &*a {
            [x] => (*one, x.clone()),
            more => (*many, Value::vector(more.to_vec())),
        };
        cost::key(h, &key)?;
        if let Value::Map(m) = h.cell_get(cell)
            && let Some(v) = m.get(&key)
        {
            return Ok(v.clone());
        }
        let v = h.call(f, a)?;
        remember(h, cell, key, v.clone())?;
        Ok(v)
    })
}

/// Puts an entry into the map in a cell. The function may have remembered more meanwhile, so the map is looked at
/// anew; out of its cell it is changed in place.
fn remember(h: &mut dyn Host, cell: CellId, key: Value, v: Value) -> Result<()> {
    if key.depth().max(v.depth()) >= h.limits().data_depth {
        return Ok(());
    }
    h.charge(8)?;
    h.reserve(256)?;
    let mut m = match h.cell_set(cell, Value::Nil) {
        Value::Map(m) => m,
        _ => Map::new(),
    };
    m.insert(key, v);
    h.cell_set(cell, Value::Map(m));
    Ok(())
}

fn trampoline(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let Some((f, args)) = a.split_first_mut() else { return Ok(Value::Nil) };
    let mut x = h.call(f, args)?;
    while matches!(x, Value::Function(_) | Value::Builtin(_)) {
        h.charge(1)?;
        x = h.call(&x, &mut [])?;
    }
    Ok(x)
}

fn comparator(h: &mut dyn Host, a: &mut [Value]) -> Result {
    native(h, "comparator", all(a), (2, Some(2)), |h, held, a| {
        let (x, y) = (take(a, 0), take(a, 1));
        let pred = get(held, 0);
        Ok(Value::int(if h.call2(pred, x.clone(), y.clone())?.truthy() {
            -1
        } else if h.call2(pred, y, x)?.truthy() {
            1
        } else {
            0
        }))
    })
}

/// The error of a transducer that is called with what it has no use for.
#[cold]
pub fn wrong_arity(name: &str, n: usize) -> Interrupt {
    Interrupt::error(ErrorKind::Arity, format!("{name}: the function it made does not take {n} arguments"))
}
