//! `isa?`: what is above a value in a hierarchy, and above a class.

use super::own_methods::in_cell;
use crate::builtins::equality::equal;
use crate::builtins::java::class_tree::{self, Above, OBJECT};
use crate::cost;
use crate::host::{Host, Interrupt, Result, too_deep};
use crate::value::boxed::CellId;
use crate::value::node::on_deep_stack;
use crate::value::{Item, Map, Value};

/// The hierarchy that a value stands for: nil for the global one, a map as `make-hierarchy` gives it, or a var or atom
/// that holds one.
pub fn hierarchy(h: &mut dyn Host, v: &Value) -> Result<Map> {
    let held = match v {
        Value::Nil => h.cell_get(CellId::HIERARCHY),
        Value::Var(name) => h.var_value(name)?,
        Value::Atom(id) => h.cell_get(*id),
        v => v.clone(),
    };
    match held {
        Value::Map(m) => Ok(m),
        Value::Nil => Ok(Map::new()),
        other => Err(Interrupt::argument(0, "a hierarchy, as make-hierarchy gives it", &other)),
    }
}

/// One of the three parts of a hierarchy.
pub fn part(hierarchy: &Map, name: &str) -> Map {
    match hierarchy.get(&Value::plain_keyword(name)) {
        Some(Value::Map(m)) => m.clone(),
        _ => Map::new(),
    }
}

/// What a hierarchy says of a tag: a set, if it says anything. The tag is charged already.
pub fn said<'m>(part: &'m Map, tag: &Value) -> Option<&'m crate::value::Set> {
    match part.get(tag) {
        Some(Value::Set(s)) => Some(s),
        _ => None,
    }
}

/// What is above the class of a record or type of the program; `None` for anything else.
fn above_own(h: &mut dyn Host, v: &Value) -> Result<Option<&'static Above>> {
    let Some(name) = v.class_name() else { return Ok(None) };
    Ok(match in_cell(h, CellId::TYPES, name)? {
        Some(Value::Map(_)) => Some(&class_tree::RECORD),
        Some(_) => Some(&class_tree::TYPE),
        None => None,
    })
}

/// The classes above a class, as values, be it the program's own; none for what is no class.
pub fn above(h: &mut dyn Host, v: &Value) -> Result<Vec<Value>> {
    let Some(class) = v.class_text() else { return Ok(Vec::new()) };
    let known = match class_tree::above(class) {
        None => above_own(h, v)?.unwrap_or(&class_tree::TYPE),
        Some(known) => known,
    };
    let top =
        Some(OBJECT).filter(|o| class != *o && !class_tree::is_interface(class) && !class_tree::is_primitive(class));
    let all = known.all().chain(top);
    h.charge(4 + (known.extended.len() + known.interfaces.len()) as u64 * 12)?;
    Ok(all.map(Value::class).collect())
}

/// Whether `child` is `parent`, or below it by derivation, as classes are, or item by item as vectors.
pub fn isa(h: &mut dyn Host, hierarchy: &Map, child: &Value, parent: &Value) -> Result<bool> {
    let ancestors = part(hierarchy, "ancestors");
    is_below(h, &ancestors, child, parent, 0)
}

/// As [`isa`], with the part of the hierarchy that it asks.
pub fn is_below(h: &mut dyn Host, ancestors: &Map, child: &Value, parent: &Value, nested: u32) -> Result<bool> {
    h.charge(2)?;
    if equal(h, child, parent)? {
        return Ok(true);
    }
    match (child, parent) {
        (Value::Vector(c), Value::Vector(p)) if c.len() == p.len() => {
            if nested >= h.limits().data_depth.min(1000) {
                return Err(too_deep(h.limits()));
            }
            let mut all = true;
            for (c, p) in c.iter().zip(p.iter()) {
                all = on_deep_stack(|| is_below(h, ancestors, c, p, nested + 1))?;
                if !all {
                    break;
                }
            }
            if all {
                return Ok(true);
            }
        }
        (Value::Object(_), Value::Object(_)) => {
            h.charge(8)?;
            if let (Some(c), Some(p)) = (child.class_text(), parent.class_text())
                && (class_tree::is_assignable(c, p) || above_own(h, child)?.is_some_and(|a| a.has(p)))
            {
                return Ok(true);
            }
        }
        _ => {}
    }
    if ancestors.is_empty() {
        return Ok(false);
    }
    cost::key(h, child)?;
    cost::key(h, parent)?;
    if said(ancestors, child).is_some_and(|s| s.contains(parent)) {
        return Ok(true);
    }
    for class in above(h, child)? {
        h.charge(4)?;
        if said(ancestors, &class).is_some_and(|s| s.contains(parent)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is right above a tag: what it was derived from and, of a class, the classes that nothing is between.
pub fn parents(h: &mut dyn Host, hierarchy: &Map, tag: &Value) -> Result<Vec<Value>> {
    cost::key(h, tag)?;
    let classes = above(h, tag)?;
    h.charge(1 + (classes.len() * classes.len()) as u64)?;
    // What extends it has it among its parents, whatever interfaces there are.
    let below = tag.class_text().is_some_and(|c| !class_tree::is_known(c) || class_tree::is_right_below_object(c));
    let between = |class: &Value| {
        classes.iter().any(|c| match (c.class_text(), class.class_text()) {
            (Some(c), Some(of)) => !(below && of == OBJECT) && c != of && class_tree::is_assignable(c, of),
            _ => false,
        })
    };
    let mut out: Vec<Value> = classes.iter().filter(|c| !between(c)).cloned().collect();
    let derived = part(hierarchy, "parents");
    if let Some(s) = said(&derived, tag) {
        h.charge(s.len() as u64)?;
        h.reserve(s.len() as u64 * 16)?;
        out.extend(s.iter().cloned());
    }
    Ok(out)
}

/// Whether a value nests deeper than what it is kept in may.
pub fn within_depth(h: &mut dyn Host, v: &Value) -> Result<()> {
    if v.depth() > h.limits().data_depth { Err(too_deep(h.limits())) } else { Ok(()) }
}
