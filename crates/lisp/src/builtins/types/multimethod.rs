//! Multimethods: functions that choose among their methods by what a function of their arguments says.
//!
//! What a program adds and takes away is in a cell, as what an atom holds: a vector of the methods by their values of
//! dispatch, and of the preferences among these. So it is taken back with a failed turn and a fork has its own.

use super::isa::{hierarchy, is_below, isa, parents, part, within_depth};
use crate::builtins::args::{get, take};
use crate::builtins::collections::sorted_by;
use crate::builtins::functions::combinators::{Held, Native, native};
use crate::builtins::java::class_tree;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, too_deep};
use crate::print::brief;
use crate::value::boxed::CellId;
use crate::value::function::MULTIMETHOD;
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Map, Set, Symbol, Value};
use smallvec::{SmallVec, smallvec};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "defmulti*",
        "var dispatch-fn default hierarchy",
        "What `defmulti` is rewritten to.",
        &[(
            "(do (defmulti area :kind) (defmethod area :square [s] (* (:a s) (:a s))) (area {:kind :square :a 3}))",
            "9",
        )],
        &Body(defmulti),
    ),
    Builtin::new(
        "defmethod*",
        "multifn dispatch-val f",
        "What `defmethod` is rewritten to.",
        &[("(do (defmulti area :kind) (defmethod area :default [_] 0) (area {:kind :dot}))", "0")],
        &Body(|h, a| {
            let (dispatch, f) = (take(a, 1), take(a, 2));
            change(h, a, |h, methods, _| sorted_by::insert(h, methods, dispatch, f))
        }),
    ),
    Builtin::new(
        "methods",
        "multifn",
        "The methods of a multimethod: a map from their dispatch values.",
        &[("(do (defmulti area :kind) (defmethod area :dot [_] 0) (keys (methods area)))", "(:dot)")],
        &Body(|h, a| Ok(Value::Map(table(h, a)?.1))),
    ),
    Builtin::new(
        "get-method",
        "multifn dispatch-val",
        "The method that a multimethod would call for a dispatch value, or nil.",
        &[("(do (defmulti area :kind) (get-method area :dot))", "nil")],
        &Body(|h, a| {
            let of = multi(a)?;
            Ok(chosen(h, &of, get(a, 1))?.unwrap_or_default())
        }),
    ),
    Builtin::new(
        "remove-method",
        "multifn dispatch-val",
        "Takes a method away, and gives the multimethod.",
        &[("(do (defmulti area :kind) (defmethod area :dot [_] 0) (methods (remove-method area :dot)))", "{}")],
        &Body(|h, a| {
            let dispatch = take(a, 1);
            change(h, a, |h, methods, _| {
                cost::key(h, &dispatch)?;
                sorted_by::remove(h, methods, &dispatch)
            })
        }),
    ),
    Builtin::new(
        "remove-all-methods",
        "multifn",
        "Takes all methods away, and gives the multimethod.",
        &[("(do (defmulti area :kind) (defmethod area :dot [_] 0) (methods (remove-all-methods area)))", "{}")],
        &Body(|h, a| {
            change(h, a, |_, methods, preferred| {
                (*methods, *preferred) = (Map::new(), Map::new());
                Ok(())
            })
        }),
    ),
    Builtin::new(
        "prefer-method",
        "multifn dispatch-val-x dispatch-val-y",
        "Has a multimethod call the method of x where that of y would do as well, and gives the multimethod.",
        &[("(do (defmulti f identity) (prefers (prefer-method f ::a ::b)))", "{:user/a #{:user/b}}")],
        &Body(prefer),
    ),
    Builtin::new(
        "prefers",
        "multifn",
        "The preferences of a multimethod: a map from dispatch values to sets of those they are preferred to.",
        &[("(do (defmulti f identity) (prefers f))", "{}")],
        &Body(|h, a| Ok(Value::Map(table(h, a)?.2))),
    ),
];

/// What a multimethod is made of.
struct Multi {
    name: Symbol,
    default: Value,
    table: CellId,
    hierarchy: Value,
}

fn parts(held: &[Value]) -> Option<Multi> {
    match held {
        [Value::Symbol(name), _, default, Value::Atom(table), hierarchy] => {
            Some(Multi { name: name.clone(), default: default.clone(), table: *table, hierarchy: hierarchy.clone() })
        }
        _ => None,
    }
}

fn of_value(v: &Value) -> Option<Multi> {
    match v {
        Value::Function(f) if f.is_multimethod() => parts(&f.downcast::<Native>()?.held),
        _ => None,
    }
}

fn multi(a: &[Value]) -> Result<Multi> {
    of_value(get(a, 0)).ok_or_else(|| Interrupt::argument(0, "a multimethod, as defmulti makes it", get(a, 0)))
}

/// The multimethod of the first argument, its methods and its preferences.
fn table(h: &mut dyn Host, a: &[Value]) -> Result<(Multi, Map, Map)> {
    let of = multi(a)?;
    let (methods, preferred) = read(h, &of);
    Ok((of, methods, preferred))
}

fn read(h: &mut dyn Host, of: &Multi) -> (Map, Map) {
    match h.cell_get(of.table) {
        Value::Vector(v) => match (v.get(0), v.get(1)) {
            (Some(Value::Map(methods)), Some(Value::Map(preferred))) => (methods.clone(), preferred.clone()),
            _ => Default::default(),
        },
        _ => Default::default(),
    }
}

/// Changes the table of the first argument, which comes back.
fn change(
    h: &mut dyn Host,
    a: &mut [Value],
    f: impl FnOnce(&mut dyn Host, &mut Map, &mut Map) -> Result<()>,
) -> Result {
    let (of, mut methods, mut preferred) = table(h, a)?;
    // The table is held by the cell as well, so that a change copies what is small.
    h.charge(4 + methods.len().min(32) as u64)?;
    h.reserve(1024)?;
    f(h, &mut methods, &mut preferred)?;
    let new = Value::vector(vec![Value::Map(methods), Value::Map(preferred)]);
    within_depth(h, &new)?;
    h.cell_set(of.table, new);
    Ok(take(a, 0))
}

fn defmulti(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let Value::Var(name) = take(a, 0) else { return Err(Interrupt::argument(0, "a var", get(a, 0))) };
    // As in Clojure, a multimethod that is there stays as it is, with its methods.
    if let Ok(known) = h.var_value(&name)
        && of_value(&known).is_some()
    {
        return Ok(known);
    }
    let table = h.cell(Value::vector(vec![Value::Map(Map::new()), Value::Map(Map::new())]))?;
    let held: Held = smallvec![Value::Symbol(name), take(a, 1), take(a, 2), Value::Atom(table), take(a, 3)];
    native(h, MULTIMETHOD, held, (0, None), |h, held, a| {
        let method = method_for(h, held, a)?;
        h.call(&method, a)
    })
}

/// The method that a multimethod made of `held` calls with these arguments.
pub fn method_for(h: &mut dyn Host, held: &[Value], a: &[Value]) -> Result {
    let (Some(dispatch), Some(of)) = (held.get(1), parts(held)) else {
        return Err(Interrupt::error(ErrorKind::Internal, "a multimethod has lost its parts"));
    };
    h.charge(1 + a.len() as u64 / 4)?;
    let value = h.call(dispatch, &mut a.to_vec())?;
    match chosen(h, &of, &value)? {
        Some(method) => Ok(method),
        None => {
            let shown = match &value {
                Value::Nil => "null".to_string(),
                Value::Str(s) if s.as_str().len() <= 200 => s.as_str().to_string(),
                v => match v.class_text() {
                    Some(class) => format!("{}{class}", class_tree::word(v)),
                    None => brief(v),
                },
            };
            let words = format!("No method in multimethod '{}' for dispatch value: {shown}", of.name.name());
            let stop = Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words);
            Err(stop.hint(format!("(defmethod {} :default [...] ...) is called for all others", of.name.name())))
        }
    }
}

/// The method for a dispatch value: its own, or the one that dominates those of what is above it, or the default's.
fn chosen(h: &mut dyn Host, of: &Multi, value: &Value) -> Result<Option<Value>> {
    let (methods, preferred) = read(h, of);
    cost::find(h, &Value::Map(methods.clone()), value)?;
    // Nothing dominates a value's own method, unless it is said so.
    if preferred.is_empty()
        && let Some(method) = methods.get(value)
    {
        return Ok(Some(method.clone()));
    }
    let known = hierarchy(h, &of.hierarchy)?;
    let above = part(&known, "ancestors");
    // Those that no other dominates. Clojure gives up at the first two of which neither does, which depends on its order of methods.
    let mut best: SmallVec<[(&Value, &Value); 4]> = SmallVec::new();
    for (key, method) in methods.iter() {
        if !is_below(h, &above, value, key, 0)? {
            continue;
        }
        let mut dominated = false;
        let mut kept = SmallVec::new();
        for (now, of_now) in best {
            let goes = dominates(h, &known, &preferred, key, now)?;
            if !goes {
                dominated = dominated || dominates(h, &known, &preferred, now, key)?;
                kept.push((now, of_now));
            }
        }
        best = kept;
        if !dominated {
            best.push((key, method));
        }
    }
    match best.as_slice() {
        [] => {}
        [(_, method)] => return Ok(Some((*method).clone())),
        [(one, _), (other, _), ..] => {
            let words = format!(
                "Multiple methods in multimethod '{}' match dispatch value: {} -> {} and {}, and neither is preferred",
                of.name.name(),
                brief(value),
                brief(other),
                brief(one)
            );
            let stop = Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words);
            return Err(stop.hint(format!("(prefer-method {} {} {})", of.name.name(), brief(other), brief(one))));
        }
    }
    cost::key(h, &of.default)?;
    Ok(methods.get(&of.default).cloned())
}

fn dominates(h: &mut dyn Host, known: &Map, preferred: &Map, x: &Value, y: &Value) -> Result<bool> {
    Ok(prefers(h, known, preferred, x, y, 0)? || isa(h, known, x, y)?)
}

/// Whether `x`, or what is above it, is preferred to `y`, or to what is above that.
fn prefers(h: &mut dyn Host, known: &Map, preferred: &Map, x: &Value, y: &Value, nested: u32) -> Result<bool> {
    h.charge(2)?;
    if preferred.is_empty() {
        return Ok(false);
    }
    if nested > 1000 {
        return Err(too_deep(h.limits()));
    }
    cost::key(h, x)?;
    cost::key(h, y)?;
    if matches!(preferred.get(x), Some(Value::Set(s)) if s.contains(y)) {
        return Ok(true);
    }
    for p in parents(h, known, y)? {
        if on_deep_stack(|| prefers(h, known, preferred, x, &p, nested + 1))? {
            return Ok(true);
        }
    }
    for p in parents(h, known, x)? {
        if on_deep_stack(|| prefers(h, known, preferred, &p, y, nested + 1))? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn prefer(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (x, y) = (take(a, 1), take(a, 2));
    let (of, _, preferred) = table(h, a)?;
    let known = hierarchy(h, &of.hierarchy)?;
    if prefers(h, &known, &preferred, &y, &x, 0)? {
        let name = of.name.name();
        let words =
            format!("Preference conflict in multimethod '{name}': {} is already preferred to {}", brief(&y), brief(&x));
        return Err(Interrupt::throw("IllegalStateException", ErrorKind::Value, words));
    }
    change(h, a, |h, _, preferred| {
        cost::key(h, &x)?;
        let mut over = match preferred.get(&x) {
            Some(Value::Set(s)) => s.clone(),
            _ => Set::new(),
        };
        sorted_by::add(h, &mut over, y)?;
        sorted_by::insert(h, preferred, x, Value::Set(over))
    })
}
