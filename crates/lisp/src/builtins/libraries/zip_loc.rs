//! A location of a zipper: a vector of the node and the way to it, with the functions of the zipper as its metadata.

use crate::builtins::args::take;
use crate::builtins::sequences::seq_source::core;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::{Map, Value, Vector};

/// Where a zipper stands.
#[derive(Clone)]
pub struct Loc {
    /// What is there.
    pub node: Value,
    /// The way to it: nil at the root, a map below it, `:end` at the end of the tree.
    pub path: Value,
    /// The functions of the zipper.
    pub meta: Value,
}

impl Loc {
    /// A location.
    pub fn of(v: &Value) -> Option<Loc> {
        let Value::Vector(v) = v else { return None };
        Some(Loc { node: v.get(0)?.clone(), path: v.get(1)?.clone(), meta: v.meta().cloned().unwrap_or_default() })
    }

    /// The first argument.
    pub fn arg(a: &mut [Value]) -> Result<Loc> {
        let v = take(a, 0);
        Loc::of(&v).ok_or_else(|| {
            let hint = "left, right, up and down give nil where there is nothing; zip/vector-zip and the like begin";
            Interrupt::argument(0, "a location of a zipper", &v).hint(hint)
        })
    }

    /// It as a value.
    pub fn value(self, h: &mut dyn Host) -> Result {
        h.charge(4)?;
        h.reserve(512)?;
        let meta = Some(self.meta).filter(|m| !m.is_nil());
        Ok(Value::Vector(Vector::from_vec(vec![self.node, self.path]).with_meta(meta)))
    }

    /// What the way has under a name.
    pub fn at(&self, name: &str) -> Value {
        field(&self.path, name)
    }

    /// The same location in a way of which some is changed.
    pub fn with(self, node: Value, changes: impl IntoIterator<Item = (&'static str, Value)>) -> Loc {
        let path = changed(self.path, changes);
        Loc { node, path, meta: self.meta }
    }

    /// What a function of the zipper gives.
    pub fn of_zipper<const N: usize>(&self, h: &mut dyn Host, name: &str, mut args: [Value; N]) -> Result {
        let f = match &self.meta {
            Value::Map(m) => m.get(&Value::keyword(&format!("zip/{name}"))).cloned(),
            _ => None,
        };
        match f {
            Some(f) => h.call(&f, &mut args),
            None => Err(Interrupt::bad(0, ErrorKind::Value, "is no location of a zipper: it has lost its metadata")),
        }
    }

    /// Whether it can have children.
    pub fn is_branch(&self, h: &mut dyn Host) -> Result<bool> {
        Ok(self.of_zipper(h, "branch?", [self.node.clone()])?.truthy())
    }

    /// Its children.
    pub fn children(&self, h: &mut dyn Host) -> Result {
        if self.is_branch(h)? {
            return self.of_zipper(h, "children", [self.node.clone()]);
        }
        Err(Interrupt::throw("Exception", ErrorKind::Value, "called children on a leaf node"))
    }

    /// A node like `node` with these children.
    pub fn made(&self, h: &mut dyn Host, node: Value, children: Value) -> Result {
        self.of_zipper(h, "make-node", [node, children])
    }
}

/// What a map has under a plain keyword; nil for anything else.
pub fn field(v: &Value, name: &str) -> Value {
    match v {
        Value::Map(m) => m.get(&Value::plain_keyword(name)).cloned().unwrap_or_default(),
        _ => Value::Nil,
    }
}

/// A way, of which some is changed.
pub fn changed(path: Value, changes: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut path = if let Value::Map(m) = path { m } else { Map::new() };
    for (name, v) in changes {
        path.insert(Value::plain_keyword(name), v);
    }
    Value::Map(path)
}

/// What a function of the language gives.
pub fn call<const N: usize>(h: &mut dyn Host, name: &str, mut args: [Value; N]) -> Result {
    let f = core(h, name)?;
    h.call(&f, &mut args)
}

/// Whether `next` has come to the end.
pub fn ended(loc: &Loc) -> bool {
    matches!(&loc.path, Value::Keyword(k) if k.text() == "end")
}
