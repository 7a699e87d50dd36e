//! What of a program is analysed and has not run yet.

use super::ir::{Expr, Node};
use std::collections::BTreeMap;

/// What a form at the top has defined that has not run yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    /// A function or a constant: it can be made at any time.
    Ready(usize),
    /// Anything else: what is before it has to run first.
    Blocked,
    /// It has been made for macros.
    Made,
}

/// Forms from the top of a program that will run together.
#[derive(Default)]
pub(super) struct Unit {
    /// What they became.
    pub(super) body: Vec<Expr>,
    /// What they define.
    waiting: Option<BTreeMap<u32, Waiting>>,
}

impl Unit {
    /// Whether it defines nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_none()
    }

    /// Adds a form that defines these names.
    pub(super) fn push(&mut self, form: Expr, defines: Vec<u32>) {
        if defines.is_empty() {
            return self.body.push(form);
        }
        let ready = |form: &Expr| match &form.node {
            Node::Def(d) if !d.once => match d.value.as_ref().map(|v| &v.node) {
                Some(Node::Fn(f)) => f.captures.is_empty(),
                Some(Node::Const(_)) => true,
                _ => false,
            },
            _ => false,
        };
        let waiting = if ready(&form) { Waiting::Ready(self.body.len()) } else { Waiting::Blocked };
        self.waiting.get_or_insert_default().extend(defines.into_iter().map(|g| (g, waiting)));
        self.body.push(form);
    }

    /// What is known of a name that it defines.
    pub(super) fn waiting(&self, global: u32) -> Option<Waiting> {
        self.waiting.as_ref()?.get(&global).copied()
    }

    /// A definition of it has been made.
    pub(super) fn made(&mut self, global: u32) {
        self.waiting.get_or_insert_default().insert(global, Waiting::Made);
    }
}
