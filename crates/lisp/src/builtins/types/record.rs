//! Records and types: what `defrecord` and `deftype` are rewritten to. A record is a map whose keys know its type.

use super::isa::within_depth;
use super::own_methods::{in_cell, own_method, put};
use super::protocol;
use crate::builtins::args::{get, str as text, take};
use crate::builtins::collections::sorted_by;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::print::brief;
use crate::value::Object;
use crate::value::boxed::CellId;
use crate::value::map::Keys;
use crate::value::node::on_deep_stack;
use crate::value::object::ObjectKind;
use crate::value::{Builtin, Map, RecordType, Symbol, Value, Vector};
use std::sync::Arc;

/// Most fields of a type, as Java has it for parameters.
const MAX_FIELDS: usize = 250;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "defrecord*",
        "var fields is-record",
        "What `defrecord` and `deftype` begin with: the class.",
        &[("(do (defrecord Point [x y]) Point)", "user.Point")],
        &Body(define),
    ),
    Builtin::new(
        "record-prototype*",
        "class",
        "An empty record or object of a class.",
        &[("(do (defrecord Point [x y]) (map->Point {:x 1}))", "#user.Point{:x 1, :y nil}")],
        &Body(|h, a| prototype(h, get(a, 0))),
    ),
    Builtin::new(
        "record*",
        "prototype & values",
        "What `->Point` calls.",
        &[("(do (defrecord Point [x y]) (->Point 1 2))", "#user.Point{:x 1, :y 2}")],
        &Body(|h, a| {
            let (first, values) = a.split_first_mut().ok_or_else(lost)?;
            made(h, first, values)
        }),
    ),
    Builtin::new(
        "map->record*",
        "prototype m | prototype m hints",
        "What `map->Point` calls.",
        &[("(do (defrecord Point [x y]) (map->Point {:y 2 :z 3}))", "#user.Point{:x nil, :y 2, :z 3}")],
        &Body(|h, a| {
            let hints = take(a, 2);
            let made = of_map(h, a)?;
            super::hints::check(h, &made, &hints)?;
            Ok(made)
        }),
    ),
    Builtin::new(
        "record-literal*",
        "class data",
        "What `#user.Point{...}` is read as.",
        &[("(do (defrecord Point [x y]) #user.Point{:x 1})", "#user.Point{:x 1, :y nil}")],
        &Body(|h, a| {
            let class = take(a, 0);
            literal(h, &class, take(a, 1))
        }),
    ),
    Builtin::new(
        "record-basis*",
        "class",
        "What `(Point/getBasis)` is rewritten to.",
        &[("(do (defrecord Point [x y]) (Point/getBasis))", "[x y]")],
        &Body(|h, a| {
            let name = get(a, 0).class_name().cloned().unwrap_or_default();
            let fields = match prototype(h, &name)? {
                Value::Map(m) => m.record_type().map(|r| r.fields.clone()),
                Value::Object(o) => Some(o.class.fields.clone()),
                _ => None,
            };
            h.charge(fields.as_ref().map_or(0, |f| f.len() as u64))?;
            let symbol = |f: Value| match f {
                Value::Keyword(k) => Value::Symbol(Symbol::new(None, k.name())),
                f => f,
            };
            Ok(Value::vector(fields.unwrap_or_default().into_iter().map(symbol).collect()))
        }),
    ),
    Builtin::new(
        "hinted*",
        "x kind",
        "What becomes of a value in a field with a hint, as `^int x`.",
        &[("(do (defrecord Point [^int x]) (->Point 2.0))", "#user.Point{:x 2}")],
        &Body(|h, a| {
            let kind = text(a, 1)?.clone();
            super::hints::constructed(h, kind.as_str(), take(a, 0))
        }),
    ),
    Builtin::new(
        "field*",
        "obj name",
        "What `(.-x p)` is rewritten to.",
        &[("(do (deftype Box [x]) (.-x (Box. 5)))", "5")],
        &Body(|_, a| match field(get(a, 0), text(a, 1)?.as_str()) {
            Some(v) => Ok(v),
            None => Err(no_member(a)),
        }),
    ),
    Builtin::new(
        "mutable-field*",
        "obj name",
        "What the name of a field that changes is rewritten to in a method.",
        &[(
            "(do (defprotocol Counts (more [c])) (deftype Counter [^:unsynchronized-mutable n] Counts (more [_] (set! n (inc n)))) (more (Counter. 1)))",
            "2",
        )],
        &Body(|_, a| {
            let name = Value::Symbol(Symbol::new(None, text(a, 1)?.as_str()));
            match get(a, 0) {
                Value::Object(o) => o.field(&name).cloned().ok_or_else(|| no_member(a)),
                _ => Err(no_member(a)),
            }
        }),
    ),
    Builtin::new(
        "set-field*",
        "obj name own val",
        "What `(set! (.-x this) val)` is rewritten to in a method of a type whose field x changes.",
        &[(
            "(do (defprotocol Puts (put [c v])) (deftype Cell [^:unsynchronized-mutable x] Puts (put [this v] (set! (.-x this) v))) (put (Cell. 1) 5))",
            "5",
        )],
        &Body(|h, a| {
            let name = Value::Symbol(Symbol::new(None, text(a, 1)?.as_str()));
            let field = match get(a, 0) {
                Value::Object(o) => o.field(&name).cloned(),
                _ => None,
            };
            let Some(Value::Volatile(field)) = field else { return Err(no_member(a)) };
            h.charge(2)?;
            crate::builtins::state::places::within_depth(h, get(a, 3))?;
            h.cell_set(field, get(a, 3).clone());
            Ok(take(a, 3))
        }),
    ),
    Builtin::new(
        "member*",
        "obj name otherwise & args",
        "What `(.x p)` is rewritten to where x is a field or a method of a type.",
        &[("(do (defrecord Point [x y]) (.x (->Point 1 2)))", "1")],
        &Body(member),
    ),
];

fn lost() -> Interrupt {
    Interrupt::error(ErrorKind::Internal, "a type has lost its parts")
}

fn define(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (Value::Var(var), Value::Vector(fields)) = (get(a, 0), get(a, 1)) else { return Err(lost()) };
    if fields.len() > MAX_FIELDS {
        let words = format!("{} has more than {MAX_FIELDS} fields", var.name());
        return Err(Interrupt::error(ErrorKind::Value, words).hint("keep what belongs together in a map in one field"));
    }
    let name =
        Value::Symbol(Symbol::new(None, &format!("{}.{}", var.ns().unwrap_or("user").replace('-', "_"), var.name())));
    h.charge(20 + fields.len() as u64)?;
    h.reserve(2048)?;
    // Its methods are those of this definition alone.
    if let Some(Value::Vector(before)) = in_cell(h, CellId::METHODS, &name)?
        && let Some(Value::Vector(protocols)) = before.get(1)
    {
        for p in protocols.iter() {
            protocol::forget(h, p, &name)?;
        }
    }
    put(h, CellId::METHODS, name.clone(), Value::vector(vec![Value::Map(Map::new()), Value::vector(Vec::new())]))?;
    let fields: Vec<Value> = fields.iter().cloned().collect();
    let nothing = vec![Value::Nil; fields.len()];
    let class = Arc::new(RecordType { name: name.clone(), fields: fields.clone() });
    let empty = if get(a, 2).truthy() {
        Value::Map(Map::shaped(Keys::of_type(fields, Some(class)), nothing))
    } else {
        Value::Object(Object::new(ObjectKind::Instance, class, Value::vector(nothing), Value::Nil))
    };
    put(h, CellId::TYPES, name.clone(), empty)?;
    Ok(Value::class_of_name(name))
}

/// The empty record or object of a class.
pub fn prototype(h: &mut dyn Host, class: &Value) -> Result {
    let name = class.class_name().unwrap_or(class);
    in_cell(h, CellId::TYPES, name)?.ok_or_else(|| {
        let words = format!("there is no record {}", brief(class));
        Interrupt::error(ErrorKind::Name, words).hint("define it first: (defrecord Name [field ...])")
    })
}

fn made(h: &mut dyn Host, first: &Value, values: &mut [Value]) -> Result {
    h.charge(1 + values.len() as u64 / 4)?;
    h.reserve(values.len() as u64 * 16 + 64)?;
    let values: Vec<Value> = values.iter_mut().map(std::mem::take).collect();
    let v = match first {
        Value::Map(m) => match m.typed_shape() {
            Some(keys) => Value::Map(Map::shaped(keys.clone(), values)),
            None => {
                h.charge(values.len() as u64 * 8)?;
                h.reserve(values.len() as u64 * 64)?;
                let mut out = m.clone();
                let fields = m.record_type().map(|r| r.fields.clone()).unwrap_or_default();
                out.extend(fields.into_iter().zip(values));
                Value::Map(out)
            }
        },
        Value::Object(o) => {
            Value::Object(Object::new(ObjectKind::Instance, o.class.clone(), Value::vector(values), Value::Nil))
        }
        _ => return Err(lost()),
    };
    within_depth(h, &v)?;
    Ok(v)
}

fn of_map(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut first = take(a, 0);
    let from = match take(a, 1) {
        Value::Map(m) => m,
        other => match crate::builtins::collections::common::conj_one(h, Value::Map(Map::new()), other)? {
            Value::Map(m) => m,
            _ => Map::new(),
        },
    };
    h.charge(from.len() as u64 * 2)?;
    h.reserve(from.len() as u64 * 48)?;
    for (k, v) in from.iter() {
        let Value::Map(mut m) = first else { return Err(lost()) };
        sorted_by::insert(h, &mut m, k.clone(), v.clone())?;
        first = Value::Map(m);
    }
    Ok(first)
}

/// The data of a literal with what literals inside it say.
fn made_within(h: &mut dyn Host, v: Value) -> Result {
    h.charge(1)?;
    Ok(match v {
        Value::Slice(s) if matches!(s.get(0), Some(Value::Symbol(n)) if n.text() == "clojure.core/record-literal*") => {
            let quoted = |i: usize| match s.get(i) {
                Some(Value::Slice(q)) => q.get(1).cloned().unwrap_or_default(),
                _ => Value::Nil,
            };
            on_deep_stack(|| literal(h, &quoted(1), quoted(2)))?
        }
        Value::Vector(x) if x.depth() > 1 => {
            h.reserve(x.len() as u64 * 16)?;
            let items = on_deep_stack(|| x.iter().cloned().map(|v| made_within(h, v)).collect::<Result<Vec<_>>>())?;
            Value::Vector(Vector::from_vec(items).with_meta(x.meta().cloned()))
        }
        Value::Map(m) if m.record_type().is_none() && m.depth() > 1 => {
            h.reserve(m.len() as u64 * 64)?;
            let mut out = m.clone();
            for (k, v) in m.iter() {
                let v = on_deep_stack(|| made_within(h, v.clone()))?;
                sorted_by::insert(h, &mut out, k.clone(), v)?;
            }
            Value::Map(out)
        }
        v => v,
    })
}

/// The record or object that a literal says.
pub fn literal(h: &mut dyn Host, class: &Value, data: Value) -> Result {
    let data = made_within(h, data)?;
    if in_cell(h, CellId::TYPES, class)?.is_none()
        && let (Value::Symbol(name), Value::Vector(args)) = (class, &data)
        && let Some(make) = h.builtin(&format!("{}.", name.text().rsplit('.').next().unwrap_or_default()))
        && crate::builtins::java::class_tree::is_known(name.text())
    {
        // A class of Java: what its constructor makes.
        let mut args: Vec<Value> = args.iter().cloned().collect();
        h.charge(4)?;
        return h.call(&Value::Builtin(make), &mut args);
    }
    let first = prototype(h, class)?;
    let fields = match &first {
        Value::Map(m) => m.record_type().map_or(0, |r| r.fields.len()),
        Value::Object(o) => o.class.fields.len(),
        _ => 0,
    };
    match data {
        Value::Map(m) if matches!(first, Value::Map(_)) => of_map(h, &mut [first, Value::Map(m)]),
        Value::Vector(_) if matches!(&first, Value::Object(o) if o.class.fields.iter().any(|f| matches!(f, Value::Symbol(_)))) =>
        {
            let words = format!("#{} has fields that change", brief(class));
            Err(Interrupt::error(ErrorKind::Denied, words).hint("call its constructor"))
        }
        Value::Vector(v) if v.len() == fields => {
            let mut values: Vec<Value> = v.iter().cloned().collect();
            made(h, &first, &mut values)
        }
        _ => Err(Interrupt::error(
            ErrorKind::Value,
            format!("#{} takes a map, or a vector of {fields} values", brief(class)),
        )),
    }
}

fn field(v: &Value, name: &str) -> Option<Value> {
    let key = Value::plain_keyword(name);
    match v {
        Value::Exception(_) if name == "actual" => crate::builtins::state::exceptions::actual(v),
        Value::Var(var) if name == "sym" => Some(Value::Symbol(Symbol::new(None, var.name()))),
        Value::Var(var) if name == "ns" => {
            Some(crate::builtins::system::namespaces::namespace(var.ns().unwrap_or("user")))
        }
        Value::Map(m) => m.record_type().filter(|r| r.has_field(&key)).and_then(|_| m.get(&key)).cloned(),
        Value::Object(o) => o.field(&key).cloned(),
        _ => None,
    }
}

#[cold]
fn no_member(a: &[Value]) -> Interrupt {
    let name = crate::print::readable(get(a, 1), 100);
    let words = format!("{} has no field or method {}", brief(get(a, 0)), name.trim_matches('"'));
    Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words)
}

fn member(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let name = text(a, 1)?.as_str().to_string();
    h.charge(4)?;
    if a.len() == 3
        && let Some(v) = field(get(a, 0), &name)
    {
        return Ok(v);
    }
    let own = own_method(h, get(a, 0), &name)?;
    let f = match own {
        Some(f) => f,
        None if get(a, 2).is_nil() => return Err(no_member(a)),
        None => take(a, 2),
    };
    let mut args = vec![take(a, 0)];
    args.extend(a.iter_mut().skip(3).map(std::mem::take));
    h.call(&f, &mut args)
}

/// Adds methods that a type is defined with, and what it implements by them.
pub fn add_methods(h: &mut dyn Host, class: &Value, methods: &Map, of: Option<Value>) -> Result<()> {
    let (mut all, mut protocols) = match in_cell(h, CellId::METHODS, class)? {
        Some(Value::Vector(both)) => match (both.get(0), both.get(1)) {
            (Some(Value::Map(m)), Some(Value::Vector(p))) => (m.clone(), p.clone()),
            _ => Default::default(),
        },
        _ => (Map::new(), Vector::new()),
    };
    for (k, f) in methods.iter() {
        sorted_by::insert(h, &mut all, k.clone(), f.clone())?;
    }
    if let Some(p) = of {
        crate::cost::change(h, &mut protocols)?;
        protocols.push(p);
    }
    put(h, CellId::METHODS, class.clone(), Value::vector(vec![Value::Map(all), Value::Vector(protocols)]))
}
