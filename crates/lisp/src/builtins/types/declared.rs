//! Which of the protocols and interfaces that a type names has which of its methods: one that none of them has is a mistake.

use super::protocol::cell_of;
use crate::builtins::collections::sorted_by;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::suggest::did_you_mean;
use crate::value::{Map, Value, Vector};

/// Interfaces of Java and Clojure that a type may have, and the methods of theirs that mean something here.
pub const INTERFACES: &[(&str, &[&str])] = &[
    ("java.lang.Object", &["toString", "hashCode"]),
    ("java.lang.Comparable", &["compareTo"]),
    ("clojure.lang.IFn", &["invoke"]),
    ("clojure.lang.IDeref", &["deref"]),
    ("clojure.lang.IReduceInit", &["reduce"]),
    ("clojure.lang.IReduce", &["reduce"]),
    ("clojure.lang.Counted", &["count"]),
    ("java.io.Closeable", &["close"]),
    ("java.lang.AutoCloseable", &["close"]),
];

/// The functions of a protocol, each as its definition shows it: `(area [s])`.
fn signatures(protocol: &Value) -> impl Iterator<Item = &str> {
    let all = match protocol {
        Value::Object(o) => match o.at(1) {
            Some(Value::Vector(all)) => Some(all),
            _ => None,
        },
        _ => None,
    };
    all.into_iter().flat_map(|all| all.iter().filter_map(Value::as_str))
}

/// The name in `(area [s])`.
fn name_in(signature: &str) -> &str {
    signature.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default()
}

/// Whether `(area [s] [s t])` has parameters of this number.
fn has_count(signature: &str, count: i64) -> bool {
    let each = signature.split('[').skip(1).filter_map(|part| part.split(']').next());
    each.map(|params| params.split_whitespace().count()).any(|n| i64::try_from(n) == Ok(count))
}

/// Whether a protocol or an interface has a method with parameters of these numbers.
fn has(of: &Value, name: &str, counts: &[i64]) -> bool {
    if cell_of(of).is_some() {
        return signatures(of).any(|s| name_in(s) == name && counts.iter().all(|n| has_count(s, *n)));
    }
    let interface = of.class_text().and_then(|of| INTERFACES.iter().find(|i| i.0 == of));
    interface.is_some_and(|i| i.1.contains(&name))
}

fn counts_of(counts: &Value, key: &Value) -> Vec<i64> {
    let Value::Map(counts) = counts else { return Vec::new() };
    let Some(Value::Vector(each)) = counts.get(key) else { return Vec::new() };
    each.iter().filter_map(|n| if let Value::Int(n) = n { Some(n.get()) } else { None }).collect()
}

/// The methods of a type for each of what it is of; one that stands below another protocol than its own goes to its own.
///
/// # Errors
/// When a method is of none of them, as Clojure says it.
pub fn sorted(h: &mut dyn Host, of: &Vector, maps: &Vector, counts: &Vector) -> Result<Vec<Map>> {
    let mut out: Vec<Map> = of.iter().map(|_| Map::new()).collect();
    let functions: usize = of.iter().map(|of| signatures(of).count()).sum();
    for (i, (methods, counts)) in maps.iter().zip(counts.iter()).enumerate() {
        let Value::Map(methods) = methods else { continue };
        h.charge((methods.len() as u64).saturating_mul(4 + functions as u64))?;
        for (key, f) in methods.iter() {
            let Value::Keyword(name) = key else { continue };
            let name = name.name();
            let n = counts_of(counts, key);
            let is_own = |at: &usize| of.get(*at).is_some_and(|of| has(of, name, &n));
            let object = INTERFACES.first().is_some_and(|i| i.1.contains(&name));
            // What an interface does not have is refused in words of its own.
            let interface = of.get(i).is_some_and(|of| cell_of(of).is_none());
            let owner = Some(i).filter(is_own).or_else(|| (0..of.len()).find(is_own));
            let Some(owner) = owner.or((object || interface).then_some(i)) else {
                return Err(undefined(name, of));
            };
            cost::key(h, key)?;
            if let Some(all) = out.get_mut(owner) {
                sorted_by::insert(h, all, key.clone(), f.clone())?;
            }
        }
    }
    Ok(out)
}

#[cold]
fn undefined(name: &str, of: &Vector) -> Interrupt {
    let e = Interrupt::error(ErrorKind::Value, format!("Can't define method not in interfaces: {name}"));
    let known = || of.iter().flat_map(|of| signatures(of).map(str::to_owned).collect::<Vec<_>>());
    let all: Vec<String> = known().collect();
    if let Some(signature) = all.iter().find(|s| name_in(s) == name) {
        return e.hint(format!("it takes other parameters: {signature}"));
    }
    match did_you_mean(name, all.iter().map(|s| name_in(s))) {
        Some(near) => e.hint(format!("did you mean {near}?")),
        None if all.is_empty() => e.hint("the protocols have no functions"),
        None => e.hint(format!("they have {}", all.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(" "))),
    }
}
