//! Protocols extended to classes, asked about, and implemented by types and by values of their own.

use super::declared::{self, INTERFACES};
use super::own_methods::in_cell;
use super::protocol::{cell_of, change, satisfies, tables};
use super::record::add_methods;
use crate::builtins::args::{get, take};
use crate::builtins::collections::sorted_by;
use crate::builtins::java::class_tree::REIFIED;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::print::brief;
use crate::value::Object;
use crate::value::boxed::CellId;
use crate::value::object::ObjectKind;
use crate::value::{Builtin, Map, RecordType, Value};
use std::sync::Arc;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "extend",
        "class & protocols-and-methods",
        "Implements protocols for a class or nil, each by a map from the names of its methods, as keywords, to functions.",
        &[("(do (defprotocol Shape (area [s])) (extend Long Shape {:area (fn [n] (* n n))}) (area 3))", "9")],
        &Body(extend),
    ),
    Builtin::new(
        "extends?",
        "protocol class",
        "Whether a class itself implements a protocol.",
        &[("(do (defprotocol Shape (area [s])) (extends? Shape Long))", "false")],
        &Body(|h, a| {
            let cell = cell(a, 0)?;
            let (extended, inline) = tables(h, cell);
            let of = get(a, 1);
            let Some(of) = of.class_name().or_else(|| of.is_nil().then_some(of)) else { return Ok(Value::Bool(false)) };
            cost::key(h, of)?;
            Ok(Value::Bool([extended, inline].iter().any(|m| m.get(of).is_some())))
        }),
    ),
    Builtin::new(
        "extenders",
        "protocol",
        "The classes that a protocol was extended to, or nil.",
        &[("(do (defprotocol Shape (area [s])) (extend-type nil Shape (area [_] 0)) (extenders Shape))", "(nil)")],
        &Body(|h, a| {
            let cell = cell(a, 0)?;
            let (extended, _) = tables(h, cell);
            h.charge(extended.len() as u64 * 2)?;
            h.reserve(extended.len() as u64 * 200)?;
            let class = |name: &Value| if name.is_nil() { Value::Nil } else { Value::class_of_name(name.clone()) };
            let all: Vec<Value> = extended.keys().map(class).collect();
            Ok(if all.is_empty() { Value::Nil } else { Value::seq(all) })
        }),
    ),
    Builtin::new(
        "satisfies?",
        "protocol x",
        "Whether x implements a protocol.",
        &[("(do (defprotocol Shape (area [s])) (satisfies? Shape 1))", "false")],
        &Body(|h, a| Ok(Value::Bool(satisfies(h, get(a, 0), get(a, 1))?))),
    ),
    Builtin::new(
        "implement*",
        "class of methods counts",
        "What a type is defined with.",
        &[("(do (defrecord P [x] Object (toString [_] (str \"<\" x \">\"))) (str (->P 1)))", "\"<1>\"")],
        &Body(implement),
    ),
    Builtin::new(
        "reify*",
        "of methods counts",
        "What `reify` is rewritten to.",
        &[("(do (defprotocol Shape (area [s])) (area (reify Shape (area [_] 5))))", "5")],
        &Body(reify),
    ),
];

fn cell(a: &[Value], i: usize) -> Result<CellId> {
    cell_of(get(a, i)).ok_or_else(|| Interrupt::argument(i, "a protocol, as defprotocol makes it", get(a, i)))
}

fn extend(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let class = match get(a, 0) {
        Value::Nil => Value::Nil,
        v => v.class_name().cloned().ok_or_else(|| Interrupt::argument(0, "a class or nil", v))?,
    };
    let rest = a.get_mut(1..).unwrap_or_default();
    if rest.len() % 2 != 0 {
        return Err(Interrupt::error(ErrorKind::Value, "extend takes protocols and maps of methods in pairs"));
    }
    for (i, pair) in rest.chunks_exact_mut(2).enumerate() {
        let protocol = take(pair, 0);
        let Some(cell) = cell_of(&protocol) else {
            return Err(Interrupt::argument(1 + 2 * i, "a protocol, as defprotocol makes it", &protocol));
        };
        let Value::Map(methods) = take(pair, 1) else {
            return Err(Interrupt::argument(2 + 2 * i, "a map of methods", get(pair, 1)));
        };
        change(h, cell, |h, extended, inline| {
            cost::key(h, &class)?;
            if inline.get(&class).is_some() {
                let Value::Object(p) = &protocol else { return Ok(()) };
                let name = brief(&p.class.name);
                let words = format!(
                    "class {} already directly implements interface {} for protocol:#'{name}",
                    brief(&class),
                    name.replace('/', ".")
                );
                return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
            }
            sorted_by::insert(h, extended, class.clone(), Value::Map(methods))
        })?;
    }
    Ok(Value::Nil)
}

/// Refuses what a type cannot be here.
fn check_interface(of: &Value, methods: &Map) -> Result<()> {
    let Some(name) = of.class_text() else {
        return Err(Interrupt::error(ErrorKind::Type, format!("{} is no protocol", brief(of))));
    };
    let Some((_, known)) = INTERFACES.iter().find(|i| i.0 == name) else {
        let words = format!("a type cannot be a {name} here");
        return Err(Interrupt::error(ErrorKind::Denied, words).hint(
            "it can implement protocols, Object with toString, Comparable, clojure.lang.IFn, clojure.lang.IDeref and java.io.Closeable",
        ));
    };
    let named = |k: &Value| if let Value::Keyword(k) = k { known.contains(&k.name()) } else { false };
    match methods.keys().find(|k| !named(k)) {
        None => Ok(()),
        Some(k) => {
            let words = format!("a type cannot define the method {} of {name} here", brief(k));
            Err(Interrupt::error(ErrorKind::Denied, words).hint(
                "records are = by type and content, values of other types and of reify by identity: write a function that compares",
            ))
        }
    }
}

fn implement(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let class = take(a, 0);
    let class = class.class_name().cloned().ok_or_else(|| Interrupt::argument(0, "a class", &class))?;
    let [Value::Vector(of), Value::Vector(maps), Value::Vector(counts)] = [take(a, 1), take(a, 2), take(a, 3)] else {
        return Err(Interrupt::argument(1, "a vector", get(a, 1)));
    };
    let all = declared::sorted(h, &of, &maps, &counts)?;
    for (of, methods) in of.iter().zip(all) {
        match cell_of(of) {
            Some(cell) => {
                let all = Value::Map(methods.clone());
                change(h, cell, |h, _, inline| sorted_by::insert(h, inline, class.clone(), all))?;
                add_methods(h, &class, &methods, Some(of.clone()))?;
            }
            None => {
                check_interface(of, &methods)?;
                // A record has the hash of a map.
                let named = Value::plain_keyword("hashCode");
                if methods.get(&named).is_some() && matches!(in_cell(h, CellId::TYPES, &class)?, Some(Value::Map(_))) {
                    let words = "a record cannot define the method :hashCode of java.lang.Object";
                    return Err(
                        Interrupt::error(ErrorKind::Denied, words).hint("it has the hash of a map with its entries")
                    );
                }
                add_methods(h, &class, &methods, None)?;
            }
        }
    }
    Ok(Value::Nil)
}

fn reify(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let [Value::Vector(of), Value::Vector(maps), Value::Vector(counts)] = [take(a, 0), take(a, 1), take(a, 2)] else {
        return Err(Interrupt::argument(0, "a vector", get(a, 0)));
    };
    let mut all = Map::new();
    for (of, methods) in of.iter().zip(declared::sorted(h, &of, &maps, &counts)?) {
        if cell_of(of).is_none() {
            check_interface(of, &methods)?;
        }
        for (k, f) in methods.iter() {
            sorted_by::insert(h, &mut all, k.clone(), f.clone())?;
        }
    }
    h.charge(8 + of.len() as u64)?;
    h.reserve(512)?;
    let name = Value::Symbol(crate::value::Symbol::new(None, REIFIED));
    let class = Arc::new(RecordType { name, fields: Vec::new() });
    let v = Value::Object(Object::new(
        ObjectKind::Reified,
        class,
        Value::vector(vec![Value::Map(all), Value::Vector(of)]),
        Value::Nil,
    ));
    super::isa::within_depth(h, &v)?;
    Ok(v)
}

/// Whether `v` is of the class of this name, which a program made or a value of its own has; `None` for other classes.
pub fn is_of_own(h: &mut dyn Host, class: &Value, v: &Value) -> Result<Option<bool>> {
    let (Some(class), Some(name)) = (class.class_name(), class.class_text()) else { return Ok(None) };
    if v.is_of_own_type()
        && matches!(crate::builtins::java::classes::name_of_class(v), Value::Symbol(c) if c.text() == name)
    {
        return Ok(Some(true));
    }
    if in_cell(h, CellId::TYPES, class)?.is_some() {
        return Ok(Some(false));
    }
    // Interfaces that a type has by its methods.
    let Some((_, methods)) = INTERFACES.iter().skip(1).find(|i| i.0 == name) else { return Ok(None) };
    for m in *methods {
        if super::own_method(h, v, m)?.is_some() {
            return Ok(Some(true));
        }
    }
    Ok(None)
}
