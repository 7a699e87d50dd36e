//! `clojure.zip`: zippers, and what is read and written where one stands. A location is a vector of the node and the
//! way to it, with the functions of the zipper as its metadata, as in Clojure.

use super::zip_loc::{Loc, call, ended};
use crate::builtins::args::{get, take};
use crate::builtins::collections::meta::{attach, meta_of};
use crate::builtins::functions::combinators::native;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::basic::cons_onto;
use crate::builtins::sequences::join::concat_all;
use crate::builtins::sequences::seq_source::core;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::seq_of;
use crate::value::{Builtin, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "clojure.zip/zipper",
        "branch? children make-node root",
        "A zipper over a tree, at its root: which nodes have children, what these are, and how a node is made of children.",
        &[("(zip/node (zip/down (zip/zipper map? :kids #(assoc %1 :kids %2) {:kids [1]})))", "1")],
        &Body(|h, a| {
            let (root, rest) = (take(a, 3), [take(a, 0), take(a, 1), take(a, 2)]);
            zipper(h, rest, root)
        }),
    ),
    Builtin::new(
        "clojure.zip/vector-zip",
        "root",
        "A zipper over nested vectors.",
        &[("(-> (zip/vector-zip [1 [2]]) zip/down zip/right (zip/append-child 3) zip/root)", "[1 [2 3]]")],
        &Body(|h, a| {
            let make = native(h, "make-node", Vec::new(), (2, Some(2)), |h, _, a| {
                let children = crate::seq::Iter::arg(a, 1)?.collect(h)?;
                h.reserve(children.len() as u64 * 16)?;
                Ok(Value::Vector(Vector::from_vec(children).with_meta(meta_of(get(a, 0)))))
            })?;
            let functions = [core(h, "vector?")?, core(h, "seq")?, make];
            zipper(h, functions, take(a, 0))
        }),
    ),
    Builtin::new(
        "clojure.zip/seq-zip",
        "root",
        "A zipper over nested lists and sequences.",
        &[("(-> (zip/seq-zip '(+ 1 2)) zip/down (zip/replace '-) zip/root)", "(- 1 2)")],
        &Body(|h, a| {
            let make = native(h, "make-node", Vec::new(), (2, Some(2)), |h, _, a| {
                let (meta, children) = (meta_of(get(a, 0)).unwrap_or_default(), take(a, 1));
                call(h, "with-meta", [children, meta])
            })?;
            let functions = [core(h, "seq?")?, core(h, "identity")?, make];
            zipper(h, functions, take(a, 0))
        }),
    ),
    Builtin::new(
        "clojure.zip/xml-zip",
        "root",
        "A zipper over elements of XML, maps with :tag, :attrs and :content.",
        &[("(-> (zip/xml-zip {:tag :p :content [\"a\"]}) zip/down zip/node)", "\"a\"")],
        &Body(|h, a| {
            let branch = native(h, "branch?", Vec::new(), (1, Some(1)), |_, _, a| {
                Ok(Value::Bool(!matches!(get(a, 0), Value::Str(_))))
            })?;
            let children = native(h, "children", Vec::new(), (1, Some(1)), |h, _, a| {
                let content = call(h, "get", [take(a, 0), Value::plain_keyword("content")])?;
                call(h, "seq", [content])
            })?;
            let make = native(h, "make-node", Vec::new(), (2, Some(2)), |h, _, a| {
                let content = match take(a, 1) {
                    Value::Nil => Value::Nil,
                    children => call(h, "vec", [children])?,
                };
                call(h, "assoc", [take(a, 0), Value::plain_keyword("content"), content])
            })?;
            zipper(h, [branch, children, make], take(a, 0))
        }),
    ),
    Builtin::new(
        "clojure.zip/node",
        "loc",
        "The node at a location.",
        &[("(zip/node (zip/vector-zip [1]))", "[1]"), ("(zip/node nil)", "!a location of a zipper")],
        &Body(|_, a| Ok(Loc::arg(a)?.node)),
    ),
    Builtin::new(
        "clojure.zip/branch?",
        "loc",
        "Whether the node at a location can have children.",
        &[("(zip/branch? (zip/vector-zip [1]))", "true")],
        &Body(|h, a| {
            let loc = Loc::arg(a)?;
            loc.of_zipper(h, "branch?", [loc.node.clone()])
        }),
    ),
    Builtin::new(
        "clojure.zip/children",
        "loc",
        "The children of the node at a location.",
        &[
            ("(zip/children (zip/vector-zip [1 2]))", "(1 2)"),
            ("(zip/children (zip/down (zip/vector-zip [1])))", "!called children on a leaf node"),
        ],
        &Body(|h, a| Loc::arg(a)?.children(h)),
    ),
    Builtin::new(
        "clojure.zip/make-node",
        "loc node children",
        "A node like node with these children, as the zipper of the location makes one.",
        &[("(zip/make-node (zip/vector-zip []) [1] [2 3])", "[2 3]")],
        &Body(|h, a| {
            let loc = Loc::arg(a)?;
            loc.made(h, take(a, 1), take(a, 2))
        }),
    ),
    Builtin::new(
        "clojure.zip/path",
        "loc",
        "The nodes that lead to a location, the root first.",
        &[("(zip/path (zip/down (zip/vector-zip [1 2])))", "[[1 2]]")],
        &Body(|_, a| Ok(Loc::arg(a)?.at("pnodes"))),
    ),
    Builtin::new(
        "clojure.zip/lefts",
        "loc",
        "The siblings left of a location.",
        &[("(-> (zip/vector-zip [1 2]) zip/down zip/right zip/lefts)", "(1)")],
        &Body(|h, a| {
            let lefts = Loc::arg(a)?.at("l");
            seq_of(h, lefts)
        }),
    ),
    Builtin::new(
        "clojure.zip/rights",
        "loc",
        "The siblings right of a location.",
        &[("(-> (zip/vector-zip [1 2]) zip/down zip/rights)", "(2)")],
        &Body(|_, a| Ok(Loc::arg(a)?.at("r"))),
    ),
    Builtin::new(
        "clojure.zip/end?",
        "loc",
        "Whether zip/next has come to the end of the tree.",
        &[("(zip/end? (zip/next (zip/vector-zip [])))", "true")],
        &Body(|_, a| Ok(Value::Bool(ended(&Loc::arg(a)?)))),
    ),
    Builtin::new(
        "clojure.zip/insert-left",
        "loc item",
        "The location with item as its left sibling.",
        &[("(-> (zip/vector-zip [1]) zip/down (zip/insert-left 0) zip/root)", "[0 1]")],
        &Body(|h, a| insert(h, a, true)),
    ),
    Builtin::new(
        "clojure.zip/insert-right",
        "loc item",
        "The location with item as its right sibling.",
        &[
            ("(-> (zip/vector-zip [1]) zip/down (zip/insert-right 2) zip/root)", "[1 2]"),
            ("(zip/insert-right (zip/vector-zip [1]) 2)", "!Insert at top"),
        ],
        &Body(|h, a| insert(h, a, false)),
    ),
    Builtin::new(
        "clojure.zip/replace",
        "loc node",
        "The location with node in the place of its node.",
        &[("(-> (zip/vector-zip [1]) zip/down (zip/replace 5) zip/root)", "[5]")],
        &Body(|h, a| {
            let loc = Loc::arg(a)?;
            replaced(h, loc, take(a, 1))
        }),
    ),
    Builtin::new(
        "clojure.zip/edit",
        "loc f & args",
        "The location with what f gives for its node and args in the place of its node.",
        &[("(-> (zip/vector-zip [1]) zip/down (zip/edit + 10) zip/root)", "[11]")],
        &Body(|h, a| {
            let mut loc = Loc::arg(a)?;
            let mut args = vec![std::mem::take(&mut loc.node)];
            args.extend(a.iter_mut().skip(2).map(std::mem::take));
            let node = h.call(get(a, 1), &mut args)?;
            replaced(h, loc, node)
        }),
    ),
    Builtin::new(
        "clojure.zip/insert-child",
        "loc item",
        "The location whose node has item as its first child besides.",
        &[("(zip/root (zip/insert-child (zip/vector-zip [1]) 0))", "[0 1]")],
        &Body(|h, a| {
            let loc = Loc::arg(a)?;
            let children = loc.children(h)?;
            let children = cons_onto(h, take(a, 1), children)?;
            let node = loc.made(h, loc.node.clone(), children)?;
            replaced(h, loc, node)
        }),
    ),
    Builtin::new(
        "clojure.zip/append-child",
        "loc item",
        "The location whose node has item as its last child besides.",
        &[("(zip/root (zip/append-child (zip/vector-zip [1]) 2))", "[1 2]")],
        &Body(|h, a| {
            let loc = Loc::arg(a)?;
            let children = vec![loc.children(h)?, Value::vector(vec![take(a, 1)])];
            let children = concat_all(h, children)?;
            let node = loc.made(h, loc.node.clone(), children)?;
            replaced(h, loc, node)
        }),
    ),
];

fn zipper(h: &mut dyn Host, [branch, children, make]: [Value; 3], root: Value) -> Result {
    h.charge(8)?;
    h.reserve(1024)?;
    let key = |name: &str| Value::keyword(&format!("zip/{name}"));
    let meta = [(key("branch?"), branch), (key("children"), children), (key("make-node"), make)];
    let loc = Value::vector(vec![root, Value::Nil]);
    Ok(attach(loc, Some(Value::map(meta))).unwrap_or_default())
}

/// Another node in this place.
fn replaced(h: &mut dyn Host, loc: Loc, node: Value) -> Result {
    if ended(&loc) {
        return Err(Interrupt::argument(0, "a location inside the tree", &loc.path));
    }
    loc.with(node, [("changed?", Value::Bool(true))]).value(h)
}

fn insert(h: &mut dyn Host, a: &mut [Value], left: bool) -> Result {
    let (loc, item) = (Loc::arg(a)?, take(a, 1));
    if loc.path.is_nil() {
        return Err(Interrupt::throw("Exception", ErrorKind::Value, "Insert at top"));
    }
    let side = if left { "l" } else { "r" };
    let siblings = if left {
        crate::builtins::collections::common::conj_one(h, loc.at("l"), item)?
    } else {
        cons_onto(h, item, loc.at("r"))?
    };
    let node = loc.node.clone();
    loc.with(node, [(side, siblings), ("changed?", Value::Bool(true))]).value(h)
}
