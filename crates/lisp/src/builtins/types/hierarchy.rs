//! Hierarchies: tags derived from others, in the session's own hierarchy or in one that is a value.

use super::isa::{above, hierarchy, isa, parents, part, said, within_depth};
use crate::builtins::args::{get, take};
use crate::builtins::collections::sorted_by;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::boxed::CellId;
use crate::value::{Builtin, Item, Map, Set, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "isa?",
        "child parent | h child parent",
        "Whether child is parent, is derived from it, is a class below it, or a vector of which each item is.",
        &[
            ("(do (derive ::dog ::animal) (isa? ::dog ::animal))", "true"),
            ("(isa? Long Number)", "true"),
            ("(isa? [:a Long] [:a Number])", "true"),
        ],
        &Body(|h, a| {
            let (given, [child, parent]) = split(a);
            let known = given.as_ref().map_or_else(|| global(h), |given| parts(given, &["ancestors"]));
            // What is equal, or below as classes are, is so in any hierarchy, and in what is none.
            let is = isa(h, known.as_ref().unwrap_or(&Map::new()), &child, &parent)?;
            if is { Ok(Value::Bool(true)) } else { known.map(|_| Value::Bool(false)) }
        }),
    ),
    Builtin::new(
        "class?",
        "x",
        "Whether x is a class, be it of a record or type.",
        &[("(class? (class 1))", "true"), ("(class? 1)", "false"), ("(do (defrecord P [x]) (class? P))", "true")],
        &Body(|_, a| Ok(Value::Bool(get(a, 0).class_name().is_some()))),
    ),
    Builtin::new(
        "make-hierarchy",
        "",
        "An empty hierarchy, for derive and isa? with three arguments and for defmulti's :hierarchy.",
        &[("(isa? (derive (make-hierarchy) :dog :animal) :dog :animal)", "true")],
        &Body(|_, _| Ok(Value::Map(whole(Map::new(), Map::new(), Map::new())))),
    ),
    Builtin::new(
        "derive",
        "tag parent | h tag parent",
        "Makes tag a child of parent; with a hierarchy first, gives a hierarchy in which it is one. Tags have namespaces, as ::dog.",
        &[
            ("(do (derive ::dog ::animal) (parents ::dog))", "#{:user/animal}"),
            ("(derive :dog ::animal)", "!Assert failed"),
        ],
        &Body(derive),
    ),
    Builtin::new(
        "underive",
        "tag parent | h tag parent",
        "Takes a derivation back; with a hierarchy first, gives one without it.",
        &[("(do (derive ::dog ::animal) (underive ::dog ::animal) (isa? ::dog ::animal))", "false")],
        &Body(underive),
    ),
    Builtin::new(
        "parents",
        "tag | h tag",
        "The set of what tag was derived from, or of the classes next above a class; nil when there are none.",
        &[("(parents (derive (make-hierarchy) :dog :animal) :dog)", "#{:animal}"), ("(parents :nothing)", "nil")],
        &Body(|h, a| {
            let (known, tag) = tag_of(h, a)?;
            let all = parents(h, &known, &tag)?;
            Ok(set_or_nil(all))
        }),
    ),
    Builtin::new(
        "ancestors",
        "tag | h tag",
        "The set of all that is above tag, or nil.",
        &[("(contains? (ancestors Long) Number)", "true"), ("(ancestors :nothing)", "nil")],
        &Body(ancestors),
    ),
    Builtin::new(
        "descendants",
        "tag | h tag",
        "The set of all that is below tag, or nil.",
        &[("(descendants (derive (make-hierarchy) :dog :animal) :animal)", "#{:dog}")],
        &Body(descendants),
    ),
];

/// The hierarchy that comes before the last `N` arguments, if one does, and these.
fn split<const N: usize>(a: &mut [Value]) -> (Option<Value>, [Value; N]) {
    let first = a.len().saturating_sub(N);
    let given = (first > 0).then(|| take(a, 0));
    (given, std::array::from_fn(|i| take(a, first + i)))
}

fn global(h: &mut dyn Host) -> Result<Map> {
    hierarchy(h, &Value::Nil)
}

/// A hierarchy that must have these parts.
fn parts(given: &Value, names: &[&str]) -> Result<Map> {
    let has = |m: &Map, name: &&str| matches!(m.get(&Value::plain_keyword(name)), Some(Value::Map(_)));
    match given {
        Value::Map(m) if names.iter().all(|name| has(m, name)) => Ok(m.clone()),
        other => Err(Interrupt::argument(0, "a hierarchy, as make-hierarchy gives it", other)),
    }
}

/// The hierarchy that is asked of a tag, and the tag. As in Clojure, what is no hierarchy says nothing of it.
fn tag_of(h: &mut dyn Host, a: &mut [Value]) -> Result<(Map, Value)> {
    let known = match split(a) {
        (None, [tag]) => (global(h)?, tag),
        (Some(Value::Map(m)), [tag]) => (m, tag),
        (Some(_), [tag]) => (Map::new(), tag),
    };
    Ok(known)
}

fn set_or_nil(all: Vec<Value>) -> Value {
    if all.is_empty() { Value::Nil } else { Value::set(all) }
}

fn whole(parents: Map, ancestors: Map, descendants: Map) -> Map {
    let of = |name: &str, m: Map| (Value::plain_keyword(name), Value::Map(m));
    Map::from_entries([of("parents", parents), of("ancestors", ancestors), of("descendants", descendants)])
}

fn ancestors(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (known, tag) = tag_of(h, a)?;
    cost::key(h, &tag)?;
    let derived = part(&known, "ancestors");
    let mut all = above(h, &tag)?;
    for of in [tag].into_iter().chain(all.clone()) {
        let more = said(&derived, &of);
        let n = more.map_or(0, Set::len) as u64;
        h.charge(2 + n)?;
        h.reserve(n * 48)?;
        all.extend(more.into_iter().flat_map(Set::iter).cloned());
    }
    Ok(set_or_nil(all))
}

fn descendants(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (known, tag) = tag_of(h, a)?;
    if tag.class_name().is_some() {
        let words = "Can't get descendants of classes";
        return Err(Interrupt::throw("UnsupportedOperationException", ErrorKind::Denied, words));
    }
    cost::key(h, &tag)?;
    Ok(said(&part(&known, "descendants"), &tag).filter(|s| !s.is_empty()).map_or(Value::Nil, |s| Value::Set(s.clone())))
}

#[cold]
fn failed(test: &str) -> Interrupt {
    Interrupt::throw("AssertionError", ErrorKind::Value, format!("Assert failed: {test}"))
        .hint("tags are keywords or symbols with a namespace, as ::dog")
}

/// Keywords and symbols; of the global hierarchy those with a namespace.
fn is_tag(v: &Value, global: bool) -> bool {
    match v {
        Value::Keyword(k) => !global || k.ns().is_some(),
        Value::Symbol(s) => !global || s.ns().is_some(),
        _ => false,
    }
}

fn derive(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (given, [tag, parent]) = split(a);
    let is_global = given.is_none();
    if crate::builtins::equality::equal(h, &tag, &parent)? {
        return Err(failed("(not= tag parent)"));
    }
    if is_global && !is_tag(&parent, true) {
        return Err(failed("(namespace parent)"));
    }
    if !is_tag(&tag, is_global) && tag.class_name().is_none() {
        return Err(failed(if is_global {
            "(or (class? tag) (and (instance? clojure.lang.Named tag) (namespace tag)))"
        } else {
            "(or (class? tag) (instance? clojure.lang.Named tag))"
        }));
    }
    if !is_tag(&parent, false) {
        return Err(failed("(instance? clojure.lang.Named parent)"));
    }
    let all = ["parents", "ancestors", "descendants"];
    let known = given.map_or_else(|| global(h), |given| parts(&given, &all))?;
    cost::key(h, &tag)?;
    cost::key(h, &parent)?;
    let above = part(&known, "ancestors");
    if said(&part(&known, "parents"), &tag).is_some_and(|s| s.contains(&parent)) {
        return Ok(if is_global { Value::Nil } else { Value::Map(known) });
    }
    let shown = |v: &Value| crate::print::readable(v, 200);
    let refused = |words: String| Err(Interrupt::throw("Exception", ErrorKind::Value, words));
    if said(&above, &tag).is_some_and(|s| s.contains(&parent)) {
        return refused(format!("{} already has {} as ancestor", shown(&tag), shown(&parent)));
    }
    if said(&above, &parent).is_some_and(|s| s.contains(&tag)) {
        return refused(format!("Cyclic derivation: {} has {} as ancestor", shown(&parent), shown(&tag)));
    }
    let new = derived(h, &known, &tag, &parent)?;
    kept(h, new, is_global)
}

/// Gives a hierarchy, or makes it the session's own.
fn kept(h: &mut dyn Host, new: Map, global: bool) -> Result {
    let new = Value::Map(new);
    within_depth(h, &new)?;
    if !global {
        return Ok(new);
    }
    h.cell_set(CellId::HIERARCHY, new);
    Ok(Value::Nil)
}

/// The hierarchy with one more derivation.
fn derived(h: &mut dyn Host, known: &Map, tag: &Value, parent: &Value) -> Result<Map> {
    let (mut parents, above, below) = (part(known, "parents"), part(known, "ancestors"), part(known, "descendants"));
    let mut of_tag = said(&parents, tag).cloned().unwrap_or_default();
    sorted_by::add(h, &mut of_tag, parent.clone())?;
    sorted_by::insert(h, &mut parents, tag.clone(), Value::Set(of_tag))?;
    let new_above = spread(h, &above, tag, &below, parent)?;
    let new_below = spread(h, &below, parent, &above, tag)?;
    Ok(whole(parents, new_above, new_below))
}

/// `all` with `target`, and what it says of that, added to what it says of `source` and of all that `others` says of `source`.
fn spread(h: &mut dyn Host, all: &Map, source: &Value, others: &Map, target: &Value) -> Result<Map> {
    let mut out = all.clone();
    let more = said(all, target).cloned().unwrap_or_default();
    let sources = said(others, source).cloned().unwrap_or_default();
    for k in [source].into_iter().chain(sources.iter()) {
        cost::key(h, k)?;
        let mut now = said(all, k).cloned().unwrap_or_default();
        h.reserve((now.len() + more.len()) as u64 * 48)?;
        h.charge(now.len() as u64 / 2)?;
        for t in [target].into_iter().chain(more.iter()) {
            h.charge(2)?;
            sorted_by::add(h, &mut now, t.clone())?;
        }
        sorted_by::insert(h, &mut out, k.clone(), Value::Set(now))?;
    }
    Ok(out)
}

fn underive(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (given, [tag, parent]) = split(a);
    let is_global = given.is_none();
    let known = given.map_or_else(|| global(h), |given| parts(&given, &["parents"]))?;
    cost::key(h, &tag)?;
    cost::key(h, &parent)?;
    let before = part(&known, "parents");
    if !said(&before, &tag).is_some_and(|s| s.contains(&parent)) {
        return Ok(if is_global { Value::Nil } else { Value::Map(known) });
    }
    // What is above and below is made anew of the derivations that are left.
    let mut new = whole(Map::new(), Map::new(), Map::new());
    for (child, over) in before.iter() {
        let Value::Set(over) = over else { continue };
        for p in over.iter() {
            h.charge(2)?;
            if !(child.same_key(&tag) && p.same_key(&parent)) {
                new = derived(h, &new, child, p)?;
            }
        }
    }
    kept(h, new, is_global)
}
