//! Metadata of definitions: what is written before the name, in the map behind the docstring, and where the form stands.

use super::analyzer::Analyzer;
use super::fn_forms::FnForms;
use super::ir::{Expr, Node};
use crate::error::Error;
use crate::form::{Form, Kind, Name};
use crate::span::Span;
use crate::value::facts::{Facts, Written};
use crate::value::role::Role;
use crate::value::{Map, Value};
use std::sync::Arc;

/// What a definition says besides its value.
pub(super) struct Said {
    pub(super) facts: Facts,
    /// Its metadata and how much of that stood before the name, where it has to be computed.
    computed: Option<(Expr, usize)>,
}

impl Analyzer<'_> {
    /// What a definition says whose name, with metadata before it, is `name`, and whose maps of attributes are `attributes`; `has_text` where a
    /// docstring follows the name.
    pub(super) fn said(
        &mut self,
        span: Span,
        name: &Form,
        attributes: &[&[(Form, Form)]],
        private: bool,
        lists: &[&Form],
        has_text: bool,
    ) -> Result<Said, Error> {
        let mut entries = Vec::new();
        before(name, &mut entries);
        // A docstring behind the name goes before one in its metadata.
        if has_text {
            entries.retain(|(k, _)| !k.is_keyword("doc"));
        }
        // What a function takes goes before what stands before its name.
        if !lists.is_empty() {
            entries.retain(|(k, _)| !k.is_keyword("arglists"));
        }
        if private {
            put(&mut entries, &keyword(span, "private"), &Form::new(span, Kind::Bool(true)));
        }
        // Without metadata they are made of what the function says.
        if lists.iter().any(|list| has_meta(list)) {
            let all = lists.iter().map(|list| (*list).clone()).collect();
            let quoted = Form::new(span, Kind::Quote(Box::new(Form::list(span, all))));
            put(&mut entries, &keyword(span, "arglists"), &quoted);
        }
        let lead = entries.len();
        for (key, value) in attributes.iter().copied().flatten() {
            put(&mut entries, key, value);
        }
        let truthy = |name: &str| {
            let entry = entries.iter().find(|(k, _)| k.is_keyword(name));
            entry.is_some_and(|(_, v)| !matches!(v.kind, Kind::Nil | Kind::Bool(false)))
        };
        let role = if truthy("dynamic") { Role::Dynamic } else { Role::Plain };
        let mut facts = Facts { role, private: truthy("private"), place: self.place(span), ..Facts::default() };
        if entries.is_empty() {
            return Ok(Said { facts, computed: None });
        }
        let made = self.outside_tail(|a| {
            entries.iter().map(|(k, v)| Ok((a.expr(k)?, a.meta_value(k, v)?))).collect::<Result<Vec<_>, Error>>()
        })?;
        let constant = |e: &Expr| if let Node::Const(v) = &e.node { Some(v.clone()) } else { None };
        let all: Option<Vec<_>> = made.iter().map(|(k, v)| Some((constant(k)?, constant(v)?))).collect();
        let computed = match all {
            Some(all) => {
                facts.written = Some(Arc::new(Written { entries: Map::from_entries(all), lead, whole: false }));
                None
            }
            None => Some((Expr { span, node: Node::Map(made) }, lead)),
        };
        Ok(Said { facts, computed })
    }

    /// The same of `defn` and `defmacro`, given what follows that word.
    pub(super) fn said_by(&mut self, span: Span, args: &[Form], f: &FnForms<'_>, private: bool) -> Result<Said, Error> {
        let Some(name) = args.first() else { return Ok(Said { facts: Facts::default(), computed: None }) };
        let said = self.said(span, name, &f.attributes, private, &f.lists, f.has_text)?;
        if let Some(name) = f.name {
            let key = self.machine.memory().own_name(&name.name);
            self.defined.mark_private(&key, said.facts.private);
        }
        Ok(said)
    }

    /// The value of an entry: a tag may be a class that is not here.
    fn meta_value(&mut self, key: &Form, value: &Form) -> Result<Expr, Error> {
        match (&value.kind, self.expr(value)) {
            (Kind::Symbol(_), Err(_)) if key.is_keyword("tag") => {
                Ok(Expr { span: value.span, node: Node::Const(self.datum(value)?) })
            }
            (_, made) => made,
        }
    }

    /// A definition followed by what computes its metadata.
    pub(super) fn with_computed(
        &self,
        span: Span,
        global: u32,
        name: &Name,
        node: Node,
        said: Option<(Expr, usize)>,
    ) -> Expr {
        let Some((meta, lead)) = said else { return Expr { span, node } };
        let var = Value::Var(self.memory().var_of(global, &name.name));
        let lead = Value::int(i64::try_from(lead).unwrap_or_default());
        let constant = |v| Expr { span, node: Node::Const(v) };
        let set = self.core_call(span, "var-meta*", vec![constant(var), meta, constant(lead)]);
        Expr { span, node: Node::Do(vec![Expr { span, node }, set]) }
    }

    /// Line and column of a place in the text of the program.
    fn place(&self, span: Span) -> (u32, u32) {
        let Some(source) = self.world.source else { return (0, 0) };
        let to = span.start as usize;
        let (mut at, mut line, mut column) = self.world.last_place.get();
        if to < at {
            (at, line, column) = (0, 1, 1);
        }
        for c in source.get(at..to).unwrap_or_default().chars() {
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        self.world.last_place.set((to, line, column));
        (line, column)
    }
}

impl Said {
    /// The facts, and what has to be computed.
    pub(super) fn parts(self) -> (Facts, Option<(Expr, usize)>) {
        (self.facts, self.computed)
    }
}

fn keyword(span: Span, name: &str) -> Form {
    Form::new(span, Kind::Keyword(Name::plain(name)))
}

/// Whether there is metadata in a parameter list.
fn has_meta(list: &Form) -> bool {
    match &list.kind {
        Kind::Meta(..) => true,
        Kind::Vector(items) => items.iter().any(has_meta),
        Kind::Map(entries) => entries.iter().any(|(k, v)| has_meta(k) || has_meta(v)),
        _ => false,
    }
}

/// The metadata before a name: what stands further out comes later and wins.
fn before(name: &Form, out: &mut Vec<(Form, Form)>) {
    let Kind::Meta(meta, inner) = &name.kind else { return };
    before(inner, out);
    if let Kind::Map(entries) = &meta.kind {
        entries.iter().for_each(|(k, v)| put(out, k, v));
    }
}

fn put(entries: &mut Vec<(Form, Form)>, key: &Form, value: &Form) {
    match entries.iter_mut().find(|(k, _)| k.kind == key.kind) {
        Some(entry) => entry.1 = value.clone(),
        None => entries.push((key.clone(), value.clone())),
    }
}
