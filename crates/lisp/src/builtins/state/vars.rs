//! Dynamic vars: what `binding`, `with-redefs` and `set!` are rewritten to.

use crate::builtins::args::{get, take};
use crate::builtins::functions::combinators::native;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::{Builtin, Symbol, Value};

/// The rows of this file. Names that end in `*` are for sugar and are not shown.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "binding*",
        "vars vals f",
        "What `binding` is rewritten to.",
        &[("(do (def ^:dynamic *n* 1) (binding [*n* 2] *n*))", "2")],
        &Body(|h, a| call_with(h, a, true)),
    ),
    Builtin::new(
        "with-redefs*",
        "vars vals f",
        "What `with-redefs` is rewritten to.",
        &[("(do (defn f [] 1) (with-redefs [f (fn [] 2)] (f)))", "2")],
        &Body(|h, a| call_with(h, a, false)),
    ),
    Builtin::new(
        "setting*",
        "name",
        "What a dynamic var of the language is, as `*print-length*`.",
        &[("(binding [*print-length* 2] *print-length*)", "2"), ("*print-level*", "nil")],
        &Body(|h, a| {
            let name = crate::builtins::args::str(a, 0)?;
            let bound = h.setting(name.as_str());
            Ok(bound.or_else(|| crate::settings::root(name.as_str())).unwrap_or_default())
        }),
    ),
    Builtin::new(
        "with-redefs-fn",
        "binding-map func",
        "What func gives while vars of the program have the values of a map.",
        &[("(do (defn f [] 1) (with-redefs-fn {#'f (fn [] 2)} (fn [] (f))))", "2")],
        &Body(|h, a| {
            let pairs = pairs_of(h, take(a, 0))?;
            h.call_with(pairs, get(a, 1), false)
        }),
    ),
    Builtin::new(
        "with-bindings*",
        "binding-map f & args",
        "What f gives for these arguments while dynamic vars have the values of a map.",
        &[("(do (def ^:dynamic *n* 1) (with-bindings* {#'*n* 2} (fn [x] (+ x *n*)) 5))", "7")],
        &Body(|h, a| {
            let pairs = pairs_of(h, take(a, 0))?;
            let mut call = a.iter_mut().skip(1).map(std::mem::take).collect::<Vec<_>>();
            let thunk = if call.len() > 1 {
                let partial = crate::builtins::sequences::seq_source::core(h, "partial")?;
                h.call(&partial, &mut call)?
            } else {
                call.pop().unwrap_or_default()
            };
            h.call_with(pairs, &thunk, true)
        }),
    ),
    Builtin::new(
        "set!*",
        "var val",
        "What `set!` is rewritten to.",
        &[("(do (def ^:dynamic *n* 1) (binding [*n* 2] (set! *n* 3) *n*))", "3")],
        &Body(|h, a| {
            if let Value::Volatile(field) = get(a, 0) {
                let field = *field;
                h.charge(2)?;
                crate::builtins::state::places::within_depth(h, get(a, 1))?;
                h.cell_set(field, get(a, 1).clone());
                return Ok(take(a, 1));
            }
            let name = name(get(a, 0), 0)?;
            crate::builtins::state::places::within_depth(h, get(a, 1))?;
            h.set_bound(&name, get(a, 1).clone())?;
            Ok(take(a, 1))
        }),
    ),
    Builtin::new(
        "bound-fn*",
        "f",
        "A function that calls f while dynamic vars are as they were where it was made.",
        &[("(do (def ^:dynamic *n* 1) ((binding [*n* 2] (bound-fn* (fn [] *n*)))))", "2")],
        &Body(|h, a| {
            let bound = h.bound_now();
            h.charge(bound.len() as u64)?;
            h.reserve(bound.len() as u64 * 64)?;
            let (names, values): (Vec<Value>, Vec<Value>) =
                bound.into_iter().map(|(name, v)| (Value::Var(name), v)).unzip();
            let held = vec![take(a, 0), Value::vector(names), Value::vector(values)];
            native(h, "bound-fn", held, (0, None), |h, held, a| {
                let [f, names, values] = held else { return Ok(Value::Nil) };
                let mut args = vec![f.clone()];
                args.extend(a.iter_mut().map(std::mem::take));
                let partial = crate::builtins::sequences::seq_source::core(h, "partial")?;
                let thunk = if args.len() > 1 { h.call(&partial, &mut args)? } else { f.clone() };
                call_with(h, &mut [names.clone(), values.clone(), thunk], true)
            })
        }),
    ),
    Builtin::new(
        "bound?",
        "& vars",
        "Whether all of these vars have a value.",
        &[("(do (def a 1) (bound? #'a))", "true")],
        &Body(|h, a| {
            for (i, v) in a.iter().enumerate() {
                if h.var_value(&name(v, i)?).is_err() {
                    return Ok(Value::Bool(false));
                }
            }
            Ok(Value::Bool(true))
        }),
    ),
];

/// The vars and values of a map.
fn pairs_of(h: &mut dyn Host, map: Value) -> Result<Vec<(Symbol, Value)>> {
    let Value::Map(m) = map else { return Err(Interrupt::argument(0, "a map of vars and values", &map)) };
    h.charge(m.len() as u64)?;
    h.reserve(m.len() as u64 * 64)?;
    m.iter().map(|(k, v)| Ok((name(k, 0)?, v.clone()))).collect()
}

fn name(v: &Value, i: usize) -> Result<Symbol> {
    match v {
        Value::Var(name) => Ok(name.clone()),
        other => Err(Interrupt::argument(i, "a var", other)),
    }
}

fn call_with(h: &mut dyn Host, a: &mut [Value], dynamic: bool) -> Result {
    let (Value::Vector(vars), Value::Vector(values)) = (take(a, 0), take(a, 1)) else {
        return Err(Interrupt::argument(0, "a vector of vars", &Value::Nil));
    };
    h.charge(vars.len() as u64)?;
    let mut pairs = Vec::with_capacity(vars.len());
    for (v, value) in vars.iter().zip(values.iter()) {
        pairs.push((name(v, 0)?, value.clone()));
    }
    h.call_with(pairs, get(a, 2), dynamic)
}
