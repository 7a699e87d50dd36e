//! `clojure.zip`: from one location to another.

use super::zip_loc::{Loc, call, changed, ended};
use crate::builtins::args::{get, take};
use crate::builtins::collections::common::{conj_one, has_none};
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::basic::cons_onto;
use crate::builtins::sequences::join::concat_all;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, too_deep};
use crate::seq::seq_of;
use crate::value::{Builtin, Item, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "clojure.zip/down",
        "loc",
        "The location of the first child, or nil.",
        &[("(zip/node (zip/down (zip/vector-zip [1 2])))", "1"), ("(zip/down (zip/vector-zip []))", "nil")],
        &Body(|h, a| {
            let loc = Loc::arg(a)?;
            let down = down(h, &loc)?;
            given(h, down)
        }),
    ),
    Builtin::new(
        "clojure.zip/up",
        "loc",
        "The location of the parent, or nil; what was changed below is put into it.",
        &[("(-> (zip/vector-zip [1 [2]]) zip/down zip/right zip/down zip/up zip/node)", "[2]")],
        &Body(|h, a| from(h, a, up)),
    ),
    Builtin::new(
        "clojure.zip/root",
        "loc",
        "The whole tree with all changes, from any location of it.",
        &[("(-> (zip/vector-zip [1 2]) zip/down (zip/edit inc) zip/root)", "[2 2]")],
        &Body(|h, a| {
            let mut loc = Loc::arg(a)?;
            while !ended(&loc) {
                h.charge(4)?;
                match up(h, &loc)? {
                    Some(parent) => loc = parent,
                    None => break,
                }
            }
            Ok(loc.node)
        }),
    ),
    Builtin::new(
        "clojure.zip/right",
        "loc",
        "The location of the right sibling, or nil.",
        &[("(-> (zip/vector-zip [1 2]) zip/down zip/right zip/node)", "2")],
        &Body(|h, a| from(h, a, right)),
    ),
    Builtin::new(
        "clojure.zip/left",
        "loc",
        "The location of the left sibling, or nil.",
        &[("(-> (zip/vector-zip [1 2]) zip/down zip/right zip/left zip/node)", "1")],
        &Body(|h, a| from(h, a, left)),
    ),
    Builtin::new(
        "clojure.zip/rightmost",
        "loc",
        "The location of the last of these siblings, or this one.",
        &[("(-> (zip/vector-zip [1 2 3]) zip/down zip/rightmost zip/node)", "3")],
        &Body(|h, a| outermost(h, a, rightmost)),
    ),
    Builtin::new(
        "clojure.zip/leftmost",
        "loc",
        "The location of the first of these siblings, or this one.",
        &[("(-> (zip/vector-zip [1 2 3]) zip/down zip/rightmost zip/leftmost zip/node)", "1")],
        &Body(|h, a| outermost(h, a, leftmost)),
    ),
    Builtin::new(
        "clojure.zip/next",
        "loc",
        "The next location of the tree, a parent before its children; after the last one zip/end? is true.",
        &[(
            "(->> (zip/vector-zip [1 [2]]) (iterate zip/next) (take-while (complement zip/end?)) (map zip/node))",
            "([1 [2]] 1 [2] 2)",
        )],
        &Body(next),
    ),
    Builtin::new(
        "clojure.zip/prev",
        "loc",
        "The location before this one in the order of zip/next, or nil.",
        &[("(-> (zip/vector-zip [1 2]) zip/next zip/next zip/prev zip/node)", "1")],
        &Body(|h, a| {
            from(h, a, |h, loc| match left(h, loc)? {
                Some(before) => last_below(h, before).map(Some),
                None => up(h, loc),
            })
        }),
    ),
    Builtin::new(
        "clojure.zip/remove",
        "loc",
        "Takes the node out; gives the location before it in the order of zip/next.",
        &[
            ("(-> (zip/vector-zip [1 2]) zip/down zip/remove zip/root)", "[2]"),
            ("(zip/remove (zip/vector-zip []))", "!Remove at top"),
        ],
        &Body(remove),
    ),
];

fn given(h: &mut dyn Host, loc: Option<Loc>) -> Result {
    loc.map_or(Ok(Value::Nil), |loc| loc.value(h))
}

/// A move that leads nowhere from nil, as in Clojure.
fn from(h: &mut dyn Host, a: &mut [Value], to: impl FnOnce(&mut dyn Host, &Loc) -> Result<Option<Loc>>) -> Result {
    if get(a, 0).is_nil() {
        return Ok(Value::Nil);
    }
    let loc = Loc::arg(a)?;
    let there = to(h, &loc)?;
    given(h, there)
}

/// A move that stays where it is when it leads nowhere.
fn outermost(h: &mut dyn Host, a: &mut [Value], to: fn(&mut dyn Host, &Loc) -> Result<Option<Loc>>) -> Result {
    let here = get(a, 0).clone();
    let there = from(h, a, to)?;
    Ok(if there.is_nil() { here } else { there })
}

fn down(h: &mut dyn Host, loc: &Loc) -> Result<Option<Loc>> {
    if !loc.is_branch(h)? {
        return Ok(None);
    }
    if loc.path.depth() >= h.limits().data_depth {
        return Err(too_deep(h.limits()));
    }
    let children = loc.children(h)?;
    if !children.truthy() {
        return Ok(None);
    }
    let [first, more] = split(h, children)?;
    let pnodes = match loc.at("pnodes") {
        _ if loc.path.is_nil() => Value::vector(vec![loc.node.clone()]),
        nodes => conj_one(h, nodes, loc.node.clone())?,
    };
    let path = [("l", Value::vector(Vec::new())), ("pnodes", pnodes), ("ppath", loc.path.clone()), ("r", more)];
    Ok(Some(Loc { node: first, path: changed(Value::Nil, path), meta: loc.meta.clone() }))
}

/// The first item, and a sequence of the others or nil.
fn split(h: &mut dyn Host, coll: Value) -> Result<[Value; 2]> {
    let all = seq_of(h, coll)?;
    let first = call(h, "first", [all.clone()])?;
    Ok([first, call(h, "next", [all])?])
}

/// The way to the parent, of which something is changed now.
fn changed_parent(loc: &Loc) -> Value {
    match loc.at("ppath") {
        Value::Nil => Value::Nil,
        path => changed(path, [("changed?", Value::Bool(true))]),
    }
}

fn up(h: &mut dyn Host, loc: &Loc) -> Result<Option<Loc>> {
    let above = loc.at("pnodes");
    if above.is_nil() {
        return Ok(None);
    }
    // Below a root that was replaced it is a list, of which peek gives the last one as well.
    let parent = call(h, "peek", [above])?;
    let meta = loc.meta.clone();
    if !loc.at("changed?").truthy() {
        return Ok(Some(Loc { node: parent, path: loc.at("ppath"), meta }));
    }
    let onwards = cons_onto(h, loc.node.clone(), loc.at("r"))?;
    let children = concat_all(h, vec![loc.at("l"), onwards])?;
    let node = loc.made(h, parent, children)?;
    Ok(Some(Loc { node, path: changed_parent(loc), meta }))
}

fn right(h: &mut dyn Host, loc: &Loc) -> Result<Option<Loc>> {
    let rights = loc.at("r");
    if rights.is_nil() || has_none(h, &rights)? == Some(true) {
        return Ok(None);
    }
    let [node, more] = split(h, rights)?;
    let lefts = conj_one(h, loc.at("l"), loc.node.clone())?;
    Ok(Some(loc.clone().with(node, [("l", lefts), ("r", more)])))
}

fn left(h: &mut dyn Host, loc: &Loc) -> Result<Option<Loc>> {
    let Value::Vector(mut lefts) = loc.at("l") else { return Ok(None) };
    if lefts.is_empty() {
        return Ok(None);
    }
    crate::cost::change(h, &mut lefts)?;
    let node = lefts.pop().unwrap_or_default();
    let rights = cons_onto(h, loc.node.clone(), loc.at("r"))?;
    Ok(Some(loc.clone().with(node, [("l", Value::Vector(lefts)), ("r", rights)])))
}

fn rightmost(h: &mut dyn Host, loc: &Loc) -> Result<Option<Loc>> {
    let rights = loc.at("r");
    if rights.is_nil() {
        return Ok(None);
    }
    let mut rights = crate::seq::Iter::new(rights)?.collect(h)?;
    let node = rights.pop().unwrap_or_default();
    let mut lefts = conj_one(h, loc.at("l"), loc.node.clone())?;
    for item in rights {
        h.charge(1)?;
        lefts = conj_one(h, lefts, item)?;
    }
    Ok(Some(loc.clone().with(node, [("l", lefts), ("r", Value::Nil)])))
}

fn leftmost(h: &mut dyn Host, loc: &Loc) -> Result<Option<Loc>> {
    let lefts = loc.at("l");
    if has_none(h, &lefts)? != Some(false) {
        return Ok(None);
    }
    let mut lefts = crate::seq::Iter::new(lefts)?.collect(h)?;
    h.charge(lefts.len() as u64 / 4)?;
    let node = lefts.remove(0);
    lefts.push(loc.node.clone());
    let rights = concat_all(h, vec![Value::seq(lefts), loc.at("r")])?;
    Ok(Some(loc.clone().with(node, [("l", Value::vector(Vec::new())), ("r", rights)])))
}

fn next(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let loc = Loc::arg(a)?;
    if ended(&loc) {
        return loc.value(h);
    }
    if let Some(child) = down(h, &loc)? {
        return child.value(h);
    }
    let mut at = loc;
    loop {
        h.charge(4)?;
        if let Some(sibling) = right(h, &at)? {
            return sibling.value(h);
        }
        match up(h, &at)? {
            Some(parent) => at = parent,
            None => {
                // The end is no place of the zipper any more: it has no metadata.
                let end = Loc { node: take(&mut [at.node], 0), path: Value::plain_keyword("end"), meta: Value::Nil };
                return end.value(h);
            }
        }
    }
}

/// The last location below, or this one.
fn last_below(h: &mut dyn Host, mut loc: Loc) -> Result<Loc> {
    loop {
        h.charge(4)?;
        match down(h, &loc)? {
            Some(child) => loc = rightmost(h, &child)?.unwrap_or(child),
            None => return Ok(loc),
        }
    }
}

fn remove(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let loc = Loc::arg(a)?;
    if loc.path.is_nil() {
        return Err(Interrupt::throw("Exception", ErrorKind::Value, "Remove at top"));
    }
    if let Value::Vector(mut lefts) = loc.at("l")
        && !lefts.is_empty()
    {
        crate::cost::change(h, &mut lefts)?;
        let node = lefts.pop().unwrap_or_default();
        let before = loc.with(node, [("l", Value::Vector(lefts)), ("changed?", Value::Bool(true))]);
        return last_below(h, before)?.value(h);
    }
    let parent = call(h, "peek", [loc.at("pnodes")])?;
    let node = loc.made(h, parent, loc.at("r"))?;
    Loc { node, path: changed_parent(&loc), meta: loc.meta.clone() }.value(h)
}
