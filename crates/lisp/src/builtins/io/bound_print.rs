//! Printing while `*print-length*`, `*print-level*`, `*print-meta*`, `*print-readably*` or `*print-namespace-maps*` is bound.

use crate::host::{Host, Result, too_deep};
use crate::seq::Iter;
use crate::settings::root;
use crate::value::node::on_deep_stack;
use crate::value::{Keyword, Map, SeqKind, Symbol, Value};

/// How values are printed that are bound.
#[derive(Clone, Copy)]
pub struct Bound {
    /// Most items of a collection that are shown.
    pub length: Option<usize>,
    /// Levels of collections that are shown.
    pub level: Option<usize>,
    meta: bool,
    /// Whether strings have quotes.
    pub readably: bool,
    spaced: bool,
}

/// What prints a value that is no collection.
pub type Leaf<'l> = &'l mut dyn FnMut(&mut dyn Host, &Value) -> Result<String>;

/// The settings of now; `None` where all are as they are without a `binding`.
pub fn bound(h: &dyn Host) -> Option<Bound> {
    if !h.has_settings() {
        return None;
    }
    Some(settings(h))
}

/// The settings of now.
pub fn settings(h: &dyn Host) -> Bound {
    let of = |name: &str| h.setting(name).or_else(|| root(name)).unwrap_or_default();
    let number = |name: &str| if let Value::Int(n) = of(name) { Some(n) } else { None };
    Bound {
        // As in Clojure a length below 0 is none, and a level below 0 is 0.
        length: number("*print-length*").and_then(|n| usize::try_from(n.get()).ok()),
        level: number("*print-level*").map(|n| usize::try_from(n.get()).unwrap_or(0)),
        meta: of("*print-meta*").truthy(),
        readably: of("*print-readably*").truthy(),
        spaced: of("*print-namespace-maps*").truthy(),
    }
}

/// The text of a value. Past `most` bytes nothing more is looked at.
///
/// # Errors
/// Limits, and what making a lazy sequence throws.
pub fn text(h: &mut dyn Host, v: &Value, readable: bool, most: usize, bound: Bound, leaf: Leaf<'_>) -> Result<String> {
    let mut p = Printer { out: String::new(), readable, most, bound, leaf, depth: 0 };
    p.value(h, v, bound.level)?;
    Ok(p.out)
}

struct Printer<'l> {
    out: String,
    readable: bool,
    most: usize,
    bound: Bound,
    leaf: Leaf<'l>,
    depth: u32,
}

impl Printer<'_> {
    fn add(&mut self, h: &mut dyn Host, text: &str) -> Result<()> {
        if self.out.len() + text.len() > self.out.capacity() {
            h.reserve((self.out.len() + text.len()) as u64 * 2)?;
        }
        self.out.push_str(text);
        Ok(())
    }

    fn full(&self) -> bool {
        self.out.len() > self.most
    }

    fn value(&mut self, h: &mut dyn Host, v: &Value, level: Option<usize>) -> Result<()> {
        h.charge(12)?;
        if self.full() {
            return Ok(());
        }
        if self.bound.meta && self.readable {
            self.meta(h, v, level)?;
        }
        let collection = v.is_sequential() || matches!(v, Value::Map(_) | Value::Set(_));
        if !collection {
            let text = (self.leaf)(h, v)?;
            return self.add(h, &text);
        }
        if level == Some(0) {
            return self.add(h, "#");
        }
        let inner = level.map(|n| n - 1);
        self.nested(h, |p, h| match v {
            Value::Map(m) if m.record_type().is_some() => p.record(h, m, inner),
            Value::Map(m) => p.map(h, m, inner),
            Value::Set(_) => p.items(h, "#{", v, "}", " ", inner),
            Value::Vector(_) => p.items(h, "[", v, "]", " ", inner),
            _ => p.items(h, "(", v, ")", " ", inner),
        })
    }

    /// Prints what is inside a value.
    fn nested(&mut self, h: &mut dyn Host, inside: impl FnOnce(&mut Self, &mut dyn Host) -> Result<()>) -> Result<()> {
        self.depth += 1;
        if self.depth > h.limits().data_depth {
            return Err(too_deep(h.limits()));
        }
        on_deep_stack(|| inside(self, h))?;
        self.depth -= 1;
        Ok(())
    }

    fn meta(&mut self, h: &mut dyn Host, v: &Value, level: Option<usize>) -> Result<()> {
        // A queue has none of its own.
        let takes = match v {
            Value::Slice(s) => s.kind != SeqKind::Queue,
            v => matches!(
                v,
                Value::Vector(_) | Value::Map(_) | Value::Set(_) | Value::Symbol(_) | Value::Cons(_) | Value::Var(_)
            ),
        };
        if !takes {
            return Ok(());
        }
        let Value::Map(m) = crate::builtins::collections::meta::of(h, v)? else { return Ok(()) };
        if m.is_empty() {
            return Ok(());
        }
        self.add(h, "^")?;
        let tag = m.get(&Value::keyword("tag")).filter(|_| m.len() == 1).cloned();
        self.nested(h, |p, h| p.value(h, &tag.unwrap_or(Value::Map(m)), level))?;
        self.add(h, " ")
    }

    fn items(
        &mut self,
        h: &mut dyn Host,
        open: &str,
        v: &Value,
        close: &str,
        between: &str,
        inner: Option<usize>,
    ) -> Result<()> {
        self.add(h, open)?;
        let mut items = Iter::new(v.clone())?;
        let mut n = 0usize;
        while !self.full() {
            let Some(x) = items.next(h)? else { break };
            if n > 0 {
                self.add(h, between)?;
            }
            if self.bound.length.is_some_and(|most| n >= most) {
                self.add(h, "...")?;
                break;
            }
            self.value(h, &x, inner)?;
            n += 1;
        }
        self.add(h, close)
    }

    fn record(&mut self, h: &mut dyn Host, m: &Map, inner: Option<usize>) -> Result<()> {
        if let Some(record) = m.record_type() {
            let name = (self.leaf)(h, &record.name)?;
            self.add(h, "#")?;
            self.add(h, &name)?;
        }
        self.map(h, m, inner)
    }

    fn map(&mut self, h: &mut dyn Host, m: &Map, inner: Option<usize>) -> Result<()> {
        let record = m.record_type().is_some();
        let spaced = if self.bound.spaced && self.readable && !record { common_space(h, m)? } else { None };
        if let Some(ns) = &spaced {
            self.add(h, &format!("#:{ns}"))?;
        }
        self.add(h, "{")?;
        for (n, (k, v)) in m.iter().enumerate() {
            if self.full() {
                break;
            }
            if n > 0 {
                self.add(h, ", ")?;
            }
            if self.bound.length.is_some_and(|most| n >= most) {
                self.add(h, "...")?;
                break;
            }
            let bare = if spaced.is_some() { without_space(k) } else { None };
            self.value(h, bare.as_ref().unwrap_or(k), inner)?;
            self.add(h, " ")?;
            self.value(h, v, inner)?;
        }
        self.add(h, "}")
    }
}

/// The namespace that all keys of a map have.
fn common_space(h: &mut dyn Host, m: &Map) -> Result<Option<String>> {
    h.charge(m.len() as u64)?;
    let space = |k: &Value| match k {
        Value::Keyword(k) => k.ns().map(str::to_owned),
        Value::Symbol(s) => s.ns().map(str::to_owned),
        _ => None,
    };
    let mut keys = m.keys();
    let Some(first) = keys.next().and_then(space) else { return Ok(None) };
    Ok(keys.all(|k| space(k).as_ref() == Some(&first)).then_some(first))
}

fn without_space(k: &Value) -> Option<Value> {
    match k {
        Value::Keyword(k) => Some(Value::Keyword(Keyword::new(None, k.name()))),
        Value::Symbol(s) => Some(Value::Symbol(Symbol::new(None, s.name()))),
        _ => None,
    }
}
