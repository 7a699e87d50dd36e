//! Metadata of vars: what their definitions say.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::system::namespaces::namespace;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::facts::{Facts, Written};
use crate::value::role::Role;
use crate::value::{Builtin, Map, Symbol, Value};
use std::sync::Arc;

/// The rows of this file. Names that end in `*` are for sugar and are not shown.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "var-meta*",
        "var m lead",
        "What metadata of a definition is set with that has to be computed.",
        &[("(do (def n 5) (def ^{:of n} x 1) (:of (meta #'x)))", "5")],
        &Body(|h, a| {
            let (var, lead) = (var(a)?, if let Value::Int(n) = get(a, 2) { n.get() } else { 0 });
            let Value::Map(entries) = take(a, 1) else { return Err(Interrupt::argument(1, "a map", get(a, 1))) };
            let Some(known) = h.var_facts(&var) else { return Ok(Value::Nil) };
            let flag = |name: &str| entries.get(&Value::keyword(name)).is_some_and(Value::truthy);
            let role = if flag("dynamic") { Role::Dynamic } else { known.facts.role };
            let private = known.facts.private || flag("private");
            let lead = usize::try_from(lead).unwrap_or_default();
            let facts = Facts { role, private, ..known.facts.clone() };
            write(h, &var, facts, entries, lead, false)?;
            Ok(Value::Var(var))
        }),
    ),
    Builtin::new(
        "alter-var-root",
        "v f & args",
        "Gives a definition of the program the value that (f value & args) gives.",
        &[("(do (def x 1) (alter-var-root #'x + 2) x)", "3")],
        &Body(|h, a| {
            let var = var(a)?;
            let f = take(a, 1);
            let mut args = vec![h.var_value(&var)?];
            args.extend(a.iter_mut().skip(2).map(std::mem::take));
            let value = h.call(&f, &mut args)?;
            let facts = h.var_facts(&var).map(|known| known.facts).unwrap_or_default();
            crate::builtins::state::places::within_depth(h, &value)?;
            h.set_var(&var, Some(value.clone()), facts)?;
            Ok(value)
        }),
    ),
];

fn var(a: &[Value]) -> Result<Symbol> {
    match get(a, 0) {
        Value::Var(var) => Ok(var.clone()),
        other => Err(Interrupt::argument(0, "a var", other)),
    }
}

/// Makes this the metadata of a var.
fn write(h: &mut dyn Host, var: &Symbol, facts: Facts, entries: Map, lead: usize, whole: bool) -> Result<()> {
    crate::builtins::state::places::within_depth(h, &Value::Map(entries.clone()))?;
    h.reserve(128)?;
    h.set_var(var, None, Facts { written: Some(Arc::new(Written { entries, lead, whole })), ..facts })
}

/// Replaces the metadata of a var.
///
/// # Errors
/// For what is no map, and vars of the language.
pub fn replace(h: &mut dyn Host, var: &Symbol, meta: &Value) -> Result<()> {
    let entries = match meta {
        Value::Map(m) => m.clone(),
        Value::Nil => Map::new(),
        other => return Err(Interrupt::argument(1, "a map", other)),
    };
    let Some(known) = h.var_facts(var) else {
        let words = format!("{} is of the language: its metadata stays as it is", var.text());
        return Err(Interrupt::error(ErrorKind::Denied, words));
    };
    write(h, var, known.facts, entries, 0, true)
}

/// What is known of the definition that a var names: `{:arglists ([x]) :doc "..." :name f}`.
///
/// # Errors
/// Limits.
pub fn of_var(h: &mut dyn Host, var: &Symbol) -> Result {
    let (ns, name) = (var.ns().unwrap_or("user"), var.name());
    h.charge(60)?;
    h.reserve(1024)?;
    let (mut value, doc, facts) = match h.var_facts(var) {
        Some(known) if known.value.is_some() || known.facts.place != (0, 0) || known.facts.declared => {
            (known.value, known.doc, known.facts)
        }
        _ => match h.builtin(if ns == "clojure.core" { name } else { var.text() }) {
            Some(b) => (Some(Value::Builtin(b)), Some(b.doc().into()), Facts { function: true, ..Facts::default() }),
            None => return Ok(Value::Nil),
        },
    };
    let none = Map::new();
    let (entries, lead, whole) = facts.written.as_ref().map_or((&none, 0, false), |w| (&w.entries, w.lead, w.whole));
    if whole {
        return Ok(Value::Map(entries.clone()));
    }
    h.charge(entries.len() as u64 * 2)?;
    let has = |key: &str| entries.get(&Value::keyword(key)).is_some();
    let mut out = Map::new();
    for (k, v) in entries.iter().take(lead) {
        out.insert(k.clone(), v.clone());
    }
    if facts.function
        && !has("arglists")
        && let Some(lists) = value.take().as_ref().and_then(params)
        && let Some(lists) = crate::builtins::io::edn::read(h, &format!("({lists})"))?
    {
        out.insert(Value::keyword("arglists"), lists);
    }
    let doc = doc.filter(|_| !has("doc")).map(|d| Value::str(&*d));
    if let Some(doc) = doc.clone().filter(|_| facts.function) {
        out.insert(Value::keyword("doc"), doc);
    }
    for (k, v) in entries.iter().skip(lead) {
        out.insert(k.clone(), v.clone());
    }
    let mut add = |key: &str, v: Value| {
        out.insert(Value::keyword(key), v);
    };
    if facts.declared {
        add("declared", Value::Bool(true));
    }
    if facts.place != (0, 0) {
        add("line", Value::int(i64::from(facts.place.0)));
        add("column", Value::int(i64::from(facts.place.1)));
        add("file", Value::str("NO_SOURCE_PATH"));
    }
    if let Some(doc) = doc.filter(|_| !facts.function) {
        add("doc", doc);
    }
    add("name", Value::Symbol(Symbol::new(None, name)));
    add("ns", namespace(ns));
    if facts.role == Role::Macro {
        add("macro", Value::Bool(true));
    }
    Ok(Value::Map(out))
}

/// The parameter lists of a function, as they were written: `[x] [x y]`.
pub fn params(v: &Value) -> Option<String> {
    match v {
        Value::Function(f) => {
            let text = f.body()?.params();
            let many = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
            Some(many.unwrap_or(&text).to_string())
        }
        Value::Builtin(b) => {
            Some(b.params().split('|').map(|p| format!("[{}]", p.trim())).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    }
}
