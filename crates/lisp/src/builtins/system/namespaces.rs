//! Namespaces as values, and what programs ask of them.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::print::brief;
use crate::value::object::{Object, ObjectKind};
use crate::value::{Builtin, Map, RecordType, Symbol, Value};
use std::sync::Arc;

/// The rows of this file. Names that end in `*` are for sugar and are not shown.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "current-ns*",
        "",
        "What `*ns*` is.",
        &[("(str *ns*)", "\"user\"")],
        &Body(|h, _| {
            let name = h.space();
            Ok(namespace(&name))
        }),
    ),
    Builtin::new(
        "in-ns*",
        "name",
        "What `(in-ns 'name)` and `(ns name)` do when they are run.",
        &[("(do (ns report) (str *ns*))", "\"report\"")],
        &Body(|h, a| {
            let name = crate::builtins::args::str(a, 0)?.as_str().to_owned();
            h.charge(4)?;
            h.enter_space(&name);
            Ok(namespace(&name))
        }),
    ),
    Builtin::new(
        "ns-name",
        "ns",
        "The name of a namespace, a symbol.",
        &[("(ns-name *ns*)", "user"), ("(ns-name 'nowhere)", "!No namespace: nowhere")],
        &Body(|h, a| Ok(Value::Symbol(Symbol::new(None, &named(h, get(a, 0))?)))),
    ),
    Builtin::new(
        "the-ns",
        "x",
        "The namespace of this name; an error where there is none.",
        &[("(str (the-ns 'user))", "\"user\"")],
        &Body(|h, a| {
            let name = named(h, get(a, 0))?;
            Ok(namespace(&name))
        }),
    ),
    Builtin::new(
        "find-ns",
        "sym",
        "The namespace of this name, or nil.",
        &[("(str (find-ns 'user))", "\"user\""), ("(find-ns 'nowhere)", "nil")],
        &Body(|h, a| {
            let Value::Symbol(name) = get(a, 0) else { return Err(Interrupt::argument(0, "a symbol", get(a, 0))) };
            let all = all(h)?;
            Ok(if all.iter().any(|ns| **ns == *name.text()) { namespace(name.text()) } else { Value::Nil })
        }),
    ),
    Builtin::new(
        "all-ns",
        "",
        "All namespaces: those of the program, of its libraries and of the language.",
        &[("(first (map ns-name (all-ns)))", "user")],
        &Body(|h, _| Ok(Value::seq(all(h)?.iter().map(|ns| namespace(ns)).collect()))),
    ),
    Builtin::new(
        "ns-publics",
        "ns",
        "The vars of a namespace that are for others, by their names.",
        &[("(do (def x 1) (ns-publics 'user))", "{x #'user/x}")],
        &Body(|h, a| vars(h, get(a, 0), false)),
    ),
    Builtin::new(
        "ns-interns",
        "ns",
        "All vars of a namespace by their names.",
        &[("(do (defn- f [] 1) (ns-interns 'user))", "{f #'user/f}")],
        &Body(|h, a| vars(h, get(a, 0), true)),
    ),
    Builtin::new(
        "ns-aliases",
        "ns",
        "The namespaces that a namespace has other names for, by these.",
        &[("(do (require '[clojure.set :as cs]) (str (get (ns-aliases *ns*) 'cs)))", "\"clojure.set\"")],
        &Body(|h, a| {
            let name = named(h, get(a, 0))?;
            let all = h.space_aliases(&name);
            h.charge(all.len() as u64 * 8)?;
            let entry = |(alias, of): &(String, String)| (Value::Symbol(Symbol::new(None, alias)), namespace(of));
            Ok(Value::map(all.iter().map(entry).collect::<Vec<_>>()))
        }),
    ),
    Builtin::new(
        "resolve",
        "sym",
        "The var or the class that a symbol means in the namespace that the program is in, or nil.",
        &[("(resolve 'inc)", "#'clojure.core/inc"), ("(resolve 'nowhere)", "nil")],
        &Body(|h, a| {
            let ns = h.space();
            resolve(h, &ns, get(a, 0), 0)
        }),
    ),
    Builtin::new(
        "ns-resolve",
        "ns sym",
        "The var or the class that a symbol means in a namespace, or nil.",
        &[("(ns-resolve 'user 'inc)", "#'clojure.core/inc")],
        &Body(|h, a| {
            let ns = named(h, get(a, 0))?;
            resolve(h, &ns, get(a, 1), 1)
        }),
    ),
    Builtin::new(
        "requiring-resolve",
        "sym",
        "The var of a symbol with a namespace, or nil.",
        &[("(requiring-resolve 'clojure.string/join)", "#'clojure.string/join")],
        &Body(|h, a| {
            let ns = h.space();
            resolve(h, &ns, get(a, 0), 0)
        }),
    ),
    Builtin::new(
        "find-var",
        "sym",
        "The var of a symbol with a namespace, or nil.",
        &[
            ("(find-var 'clojure.core/inc)", "#'clojure.core/inc"),
            ("(find-var 'inc)", "!Symbol must be namespace-qualified"),
        ],
        &Body(|h, a| {
            let Value::Symbol(name) = take(a, 0) else { return Err(Interrupt::argument(0, "a symbol", get(a, 0))) };
            let Some(ns) = name.ns() else {
                let words = "Symbol must be namespace-qualified";
                return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
            };
            if !all(h)?.iter().any(|known| **known == *ns) {
                let words = format!("No such namespace: {ns}");
                return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
            }
            h.find_var(ns, name.name())
        }),
    ),
];

/// A namespace as a value.
pub fn namespace(name: &str) -> Value {
    let class = RecordType { name: Value::Symbol(Symbol::new(None, "clojure.lang.Namespace")), fields: Vec::new() };
    let held = Value::vector(vec![Value::str(name)]);
    Value::Object(Object::new(ObjectKind::Namespace, Arc::new(class), held, Value::Nil))
}

/// The namespaces there are.
fn all(h: &mut dyn Host) -> Result<Vec<Arc<str>>> {
    let all = h.spaces();
    h.charge(all.len() as u64 * 8)?;
    h.reserve(all.len() as u64 * 400)?;
    Ok(all)
}

/// The name of a namespace, which is given itself or by its name.
fn named(h: &mut dyn Host, v: &Value) -> Result<String> {
    let name = match v {
        Value::Object(o) if o.kind == ObjectKind::Namespace => match o.at(0) {
            Some(Value::Str(name)) => return Ok(name.as_str().to_owned()),
            _ => return Err(Interrupt::error(ErrorKind::Internal, "a namespace has lost its name")),
        },
        Value::Symbol(name) => name.text().to_owned(),
        other => return Err(Interrupt::argument(0, "a namespace or its name", other)),
    };
    if all(h)?.iter().any(|ns| **ns == *name) {
        return Ok(name);
    }
    Err(Interrupt::throw("Exception", ErrorKind::Value, format!("No namespace: {name} found")))
}

/// The vars of a namespace by name.
fn vars(h: &mut dyn Host, ns: &Value, private: bool) -> Result {
    let name = named(h, ns)?;
    let mut out = Map::new();
    if h.is_own_space(&name) {
        let vars = h.space_vars(&name)?;
        h.charge(vars.len() as u64 * 8)?;
        h.reserve(vars.len() as u64 * 200)?;
        for (var, own) in vars {
            if private || !own {
                out.insert(Value::Symbol(Symbol::new(None, var.name())), Value::Var(var));
            }
        }
        return Ok(Value::Map(out));
    }
    let rows = h.builtins();
    let names: Vec<&str> = rows
        .filter_map(|b| match b.name().split_once('/') {
            Some((of, word)) if !of.is_empty() && !word.is_empty() => (of == name).then_some(word),
            _ => (name == "clojure.core" && !b.name().ends_with('*') && !b.name().starts_with('.')).then_some(b.name()),
        })
        .collect();
    h.charge(names.len() as u64 * 16 + 2000)?;
    h.reserve(names.len() as u64 * 200)?;
    for word in names {
        out.insert(Value::Symbol(Symbol::new(None, word)), Value::Var(Symbol::new(Some(&name), word)));
    }
    Ok(Value::Map(out))
}

/// What a symbol means in a namespace: a var, a class, or nil.
fn resolve(h: &mut dyn Host, ns: &str, symbol: &Value, index: usize) -> Result {
    let Value::Symbol(name) = symbol else { return Err(Interrupt::argument(index, "a symbol", symbol)) };
    h.charge(20)?;
    let found = match name.ns() {
        Some(of) => {
            let of = h.alias_in(ns, of).unwrap_or_else(|| of.to_owned());
            h.find_var(&of, name.name())?
        }
        None => {
            let own = h.find_var(ns, name.name())?;
            let own = if own.is_nil() { h.find_referred(ns, name.name())? } else { own };
            if own.is_nil() { h.find_var("clojure.core", name.name())? } else { own }
        }
    };
    // The name of a type means its class.
    if let Value::Var(var) = &found
        && name.ns().is_none()
        && let Ok(class) = h.var_value(var)
        && class.class_text().and_then(|c| c.rsplit('.').next()) == Some(var.name())
    {
        return Ok(class);
    }
    if !found.is_nil() || name.ns().is_some() {
        return Ok(found);
    }
    // All classes are looked through.
    h.charge(80)?;
    Ok(crate::builtins::java::classes::named(name.name()).unwrap_or_default())
}

/// What the text of a namespace is: its name; `None` for what is none.
pub fn name_of(v: &Value) -> Option<String> {
    match v {
        Value::Object(o) if o.kind == ObjectKind::Namespace => o.at(0).map(|n| brief(n).trim_matches('"').to_owned()),
        _ => None,
    }
}
