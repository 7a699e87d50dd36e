//! Protocols: functions that choose by the class of their first argument.
//!
//! What implements a protocol is in its cell: a vector of what was extended to it, by the names of classes, and of the types
//! that were defined with it.

use super::isa::within_depth;
use crate::builtins::args::{get, take};
use crate::builtins::collections::sorted_by;
use crate::builtins::functions::combinators::{Held, native};
use crate::builtins::java::class_tree::{self, OBJECT};
use crate::builtins::java::classes::name_of_class;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::print::brief;
use crate::value::Object;
use crate::value::boxed::CellId;
use crate::value::function::PROTOCOL_METHOD;
use crate::value::object::ObjectKind;
use crate::value::{Builtin, Item, Map, RecordType, Symbol, Value};
use smallvec::smallvec;
use std::sync::Arc;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "defprotocol*",
        "var methods",
        "What `defprotocol` begins with: the protocol.",
        &[("(do (defprotocol Shape (area [s])) (extenders Shape))", "nil")],
        &Body(define),
    ),
    Builtin::new(
        "protocol-method*",
        "protocol name params fewest most",
        "A function of a protocol.",
        &[("(do (defprotocol Shape (area [s])) (extend-type Long Shape (area [n] (* n n))) (area 3))", "9")],
        &Body(method),
    ),
];

fn define(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let Value::Var(var) = take(a, 0) else { return Err(Interrupt::argument(0, "a var", get(a, 0))) };
    // One that is there keeps what was extended to it, as in Clojure.
    let known = match h.var_value(&var) {
        Ok(Value::Object(o)) if o.kind == ObjectKind::Protocol => o.at(0).cloned(),
        _ => None,
    };
    let cell = match known {
        Some(cell) => cell,
        None => Value::Atom(h.cell(Value::vector(vec![Value::Map(Map::new()), Value::Map(Map::new())]))?),
    };
    let name = Value::Symbol(Symbol::new(var.ns(), var.name()));
    let class = Arc::new(RecordType { name, fields: Vec::new() });
    h.charge(10)?;
    Ok(Value::Object(Object::new(ObjectKind::Protocol, class, Value::vector(vec![cell, take(a, 1)]), Value::Nil)))
}

fn method(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let count = |v: &Value| if let Value::Int(n) = v { u8::try_from(n.get()).unwrap_or(u8::MAX) } else { u8::MAX };
    let (min, max) = (count(get(a, 3)), count(get(a, 4)));
    let Value::Symbol(name) = get(a, 1).clone() else { return Err(Interrupt::argument(1, "a symbol", get(a, 1))) };
    let key = Value::plain_keyword(name.name());
    let held: Held = smallvec![Value::Symbol(name), take(a, 2), take(a, 0), key];
    native(h, PROTOCOL_METHOD, held, (min, Some(max)), |h, held, a| {
        let f = method_for(h, held, a)?;
        h.call(&f, a)
    })
}

/// The cell of a protocol.
pub fn cell_of(v: &Value) -> Option<CellId> {
    match v {
        Value::Object(o) if o.kind == ObjectKind::Protocol => match o.at(0) {
            Some(Value::Atom(id)) => Some(*id),
            _ => None,
        },
        _ => None,
    }
}

/// What was extended to a protocol, and the types that were defined with it.
pub fn tables(h: &mut dyn Host, cell: CellId) -> (Map, Map) {
    match h.cell_get(cell) {
        Value::Vector(v) => match (v.get(0), v.get(1)) {
            (Some(Value::Map(extended)), Some(Value::Map(inline))) => (extended.clone(), inline.clone()),
            _ => Default::default(),
        },
        _ => Default::default(),
    }
}

/// Changes what implements a protocol.
pub fn change(
    h: &mut dyn Host,
    cell: CellId,
    f: impl FnOnce(&mut dyn Host, &mut Map, &mut Map) -> Result<()>,
) -> Result<()> {
    let (mut extended, mut inline) = tables(h, cell);
    h.charge(4 + extended.len().min(32) as u64 + inline.len().min(32) as u64)?;
    h.reserve(1024)?;
    f(h, &mut extended, &mut inline)?;
    let new = Value::vector(vec![Value::Map(extended), Value::Map(inline)]);
    within_depth(h, &new)?;
    h.cell_set(cell, new);
    Ok(())
}

/// A type that is defined anew is of no protocol until its definition says so.
pub fn forget(h: &mut dyn Host, protocol: &Value, class: &Value) -> Result<()> {
    match cell_of(protocol) {
        Some(cell) => change(h, cell, |h, _, inline| sorted_by::remove(h, inline, class)),
        None => Ok(()),
    }
}

/// The methods of a protocol for a value: those of its own class, else of the nearest class that has some.
pub fn methods_for(h: &mut dyn Host, cell: CellId, v: &Value) -> Result<Option<Value>> {
    let of = name_of_class(v);
    let (extended, inline) = tables(h, cell);
    h.charge(2 + (extended.len().min(32) + inline.len().min(32)) as u64 / 8)?;
    cost::key(h, &of)?;
    if let Some(own) = inline.get(&of).or_else(|| extended.get(&of)) {
        return Ok(Some(own.clone()));
    }
    let Value::Symbol(name) = &of else { return Ok(None) };
    let record = matches!(v, Value::Map(_)) && v.is_of_own_type();
    let above = if record { Some(&*class_tree::RECORD) } else { class_tree::above(name.text()) };
    let Some(above) = above else { return Ok(extended.get(&object()).cloned()) };
    h.charge(extended.len() as u64 * 2)?;
    let mut best: Option<(usize, &str, &Value)> = None;
    for (k, methods) in extended.iter() {
        let Value::Symbol(k) = k else { continue };
        // Classes come before interfaces, the nearest first; of interfaces the most special.
        let place = above.extended.iter().position(|c| c == k.text());
        let Some(place) = place.or_else(|| above.interfaces.iter().any(|c| c == k.text()).then_some(usize::MAX)) else {
            continue;
        };
        let better = best.is_none_or(|(at, now, _)| {
            place < at || place == at && k.text() != now && class_tree::is_assignable(k.text(), now)
        });
        if better {
            best = Some((place, k.text(), methods));
        }
    }
    Ok(best.map(|b| b.2.clone()).or_else(|| extended.get(&object()).cloned()))
}

fn object() -> Value {
    Value::Symbol(Symbol::new(None, OBJECT))
}

/// What a protocol's function made of `held` calls with these arguments.
pub fn method_for(h: &mut dyn Host, held: &[Value], a: &[Value]) -> Result {
    let [Value::Symbol(name), _, protocol, key] = held else {
        return Err(Interrupt::error(ErrorKind::Internal, "a protocol has lost its parts"));
    };
    if a.is_empty() {
        let e = crate::arity::arity_error(name.name(), 1, None, 0);
        return Err(Interrupt::from(e));
    }
    let v = get(a, 0);
    let methods = match (v, cell_of(protocol)) {
        (Value::Object(o), _) if o.kind == ObjectKind::Reified => o.at(0).cloned(),
        (v, Some(cell)) => methods_for(h, cell, v)?,
        _ => None,
    };
    if let Some(Value::Map(m)) = &methods
        && let Some(f) = m.get(key)
    {
        return Ok(f.clone());
    }
    let (Value::Object(of), of_class) = (protocol, name_of_class(v)) else {
        return Err(Interrupt::error(ErrorKind::Internal, "a protocol has lost its parts"));
    };
    let words = format!(
        "No implementation of method: :{} of protocol: #'{} found for class: {}",
        name.name(),
        brief(&of.class.name),
        brief(&of_class)
    );
    let hint = format!("(extend-type {} {} ({} [x] ...))", brief(&of_class), short(&of.class.name), name.name());
    Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words).hint(hint))
}

fn short(name: &Value) -> String {
    if let Value::Symbol(s) = name { s.name().to_string() } else { String::new() }
}

/// Whether a value implements a protocol.
pub fn satisfies(h: &mut dyn Host, protocol: &Value, v: &Value) -> Result<bool> {
    let Some(cell) = cell_of(protocol) else {
        return Err(Interrupt::argument(0, "a protocol, as defprotocol makes it", protocol));
    };
    if let (Value::Object(o), Value::Object(p)) = (v, protocol)
        && o.kind == ObjectKind::Reified
    {
        h.charge(4)?;
        let Some(Value::Vector(of)) = o.at(1) else { return Ok(false) };
        return Ok(of.iter().any(|x| matches!(x, Value::Object(x) if x.class.name.same_key(&p.class.name))));
    }
    Ok(methods_for(h, cell, v)?.is_some())
}
