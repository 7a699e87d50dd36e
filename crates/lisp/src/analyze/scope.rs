//! Scopes: which local names are visible, and what a function captures from those around it.

use super::ir::{Expr, Hint, Node, Var};
use crate::form::Name;
use crate::span::Span;
use smallvec::SmallVec;
use std::sync::Arc;

/// A name bound in a function.
struct Local {
    name: Name,
    is: Bound,
}

/// What a local name stands for.
#[derive(Clone, Copy)]
enum Bound {
    Var(Var),
    /// What the volatile in this variable holds: a field that changes.
    Cell(Var),
    SelfFn,
    LetfnRef(u32),
}

/// What `recur` goes back to.
#[derive(Clone)]
pub enum Target {
    /// The loop or function with these variables.
    Vars(Vec<Var>, bool),
    /// A `try` is in between.
    Try,
}

/// A function being analysed.
#[derive(Default)]
pub struct FnScope {
    locals: Vec<Local>,
    /// Variables handed out so far.
    pub vars: u32,
    /// What is captured, as the function around sees it.
    captures: Vec<(Source, Span)>,
    /// Variables that are doubles wherever they are read.
    pub doubles: Vec<Var>,
    /// Variables of loops that began as numbers which the compiler of Clojure holds unboxed.
    pub numbers: Vec<Var>,
    /// Variables that are numbers of 32 bits wherever they are read, and what makes one of 64 of them.
    pub small: Vec<(Var, &'static str)>,
    /// Variables with a hint that converts them where they are operands.
    pub hints: Vec<(Var, Hint)>,
    /// What `recur` goes back to, where it can be.
    pub target: Option<Target>,
}

#[derive(Clone, Copy)]
enum Source {
    Bound(Bound),
    Capture(u32),
}

/// The functions around the place being analysed, outermost first.
#[derive(Default)]
pub struct Scopes {
    functions: SmallVec<[FnScope; 1]>,
}

impl Scopes {
    /// Enters a function.
    pub fn enter(&mut self) {
        self.functions.push(FnScope::default());
    }

    /// Enters a function that continues with the captures of its sibling.
    pub fn enter_with(&mut self, captures: Captures) {
        self.functions.push(FnScope { captures: captures.sources, ..FnScope::default() });
    }

    /// Leaves a function: what it captured.
    pub fn leave(&mut self) -> Captures {
        let f = self.functions.pop().unwrap_or_default();
        Captures { sources: f.captures }
    }

    /// Whether a variable of the function being analysed has a hint.
    pub fn has_hints(&self) -> bool {
        self.functions.last().is_some_and(|f| !f.hints.is_empty())
    }

    /// The hint of a variable of the function being analysed.
    pub fn hint_of(&self, var: Var) -> Option<Hint> {
        let of = self.functions.last()?.hints.iter().find(|(v, _)| *v == var)?;
        Some(of.1)
    }

    /// The function being analysed.
    pub fn function(&mut self) -> &mut FnScope {
        if self.functions.is_empty() {
            self.functions.push(FnScope::default());
        }
        let last = self.functions.len() - 1;
        &mut self.functions[last]
    }

    /// How many names are visible, to go back to with [`Scopes::close`].
    pub fn mark(&mut self) -> usize {
        self.function().locals.len()
    }

    /// Forgets names bound since `mark`.
    pub fn close(&mut self, mark: usize) {
        self.function().locals.truncate(mark);
    }

    /// A variable without a name.
    pub fn fresh(&mut self) -> Var {
        let f = self.function();
        f.vars += 1;
        f.vars - 1
    }

    /// Makes a name mean a variable from here on.
    pub fn bind(&mut self, name: &Name, var: Var) {
        self.function().locals.push(Local { name: name.clone(), is: Bound::Var(var) });
    }

    /// Makes a name mean what the volatile in a variable holds.
    pub fn bind_cell(&mut self, name: &Name, var: Var) {
        self.function().locals.push(Local { name: name.clone(), is: Bound::Cell(var) });
    }

    /// Makes a name mean the function being analysed.
    pub fn bind_self(&mut self, name: &Name) {
        self.function().locals.push(Local { name: name.clone(), is: Bound::SelfFn });
    }

    /// Makes a name mean a function of the same `letfn`.
    pub fn bind_sibling(&mut self, name: &Name, index: u32) {
        self.function().locals.push(Local { name: name.clone(), is: Bound::LetfnRef(index) });
    }

    /// What a name means, if it is local here or around; captures it on the way in.
    pub fn resolve(&mut self, name: &Name, span: Span) -> Option<Node> {
        let top = self.functions.len().checked_sub(1)?;
        // At the top of most programs.
        if top == 0 && self.functions.first().is_none_or(|f| f.locals.is_empty()) {
            return None;
        }
        let (found, cell) = self.find(top, name, span)?;
        let node = source_node(found);
        if cell && let Some(deref) = crate::builtins::find("deref") {
            return Some(Node::CallBuiltin(deref, vec![Expr { span, node }]));
        }
        Some(node)
    }

    /// The volatile of a field that changes, if that is what a name means.
    pub fn resolve_cell(&mut self, name: &Name, span: Span) -> Option<Node> {
        let top = self.functions.len().checked_sub(1)?;
        let (found, cell) = self.find(top, name, span)?;
        cell.then(|| source_node(found))
    }

    /// Whether a name is local.
    pub fn is_local(&self, name: &Name) -> bool {
        self.functions.iter().any(|f| f.locals.iter().any(|l| l.name == *name))
    }

    /// What a name means, and whether that is a volatile which holds its value.
    fn find(&mut self, level: usize, name: &Name, span: Span) -> Option<(Source, bool)> {
        let f = self.functions.get(level)?;
        if let Some(l) = f.locals.iter().rev().find(|l| l.name == *name) {
            return Some((Source::Bound(l.is), matches!(l.is, Bound::Cell(_))));
        }
        let (outer, cell) = self.find(level.checked_sub(1)?, name, span)?;
        let f = self.functions.get_mut(level)?;
        // The same outer variable may be asked for under the same name only: names shadow, so compare the source.
        let same = |s: &(Source, Span)| match (s.0, outer) {
            (Source::Bound(Bound::Var(a)), Source::Bound(Bound::Var(b)))
            | (Source::Bound(Bound::Cell(a)), Source::Bound(Bound::Cell(b))) => a == b,
            (Source::Bound(Bound::SelfFn), Source::Bound(Bound::SelfFn)) => true,
            (Source::Bound(Bound::LetfnRef(a)), Source::Bound(Bound::LetfnRef(b))) => a == b,
            (Source::Capture(a), Source::Capture(b)) => a == b,
            _ => false,
        };
        let index = f.captures.iter().position(same).unwrap_or_else(|| {
            f.captures.push((outer, span));
            f.captures.len() - 1
        });
        u32::try_from(index).ok().map(|i| (Source::Capture(i), cell))
    }

    /// Variables of the program itself.
    pub fn outermost_vars(&self) -> u32 {
        self.functions.first().map_or(0, |f| f.vars)
    }

    /// How much there is to look through for a name.
    pub fn weight(&self) -> u64 {
        self.functions.iter().map(|f| 1 + (f.locals.len() + f.captures.len()) as u64).sum()
    }

    /// All visible local names, for did-you-mean.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().flat_map(|f| f.locals.iter()).filter(|l| l.name.ns.is_none()).map(|l| &*l.name.name)
    }
}

fn source_node(s: Source) -> Node {
    match s {
        Source::Bound(b) => bound_node(b),
        Source::Capture(i) => Node::Capture(i),
    }
}

fn bound_node(b: Bound) -> Node {
    match b {
        Bound::Var(var) | Bound::Cell(var) => Node::Local { var, last: false },
        Bound::SelfFn => Node::SelfFn,
        Bound::LetfnRef(i) => Node::LetfnRef(i),
    }
}

/// What a function captured.
#[derive(Default)]
pub struct Captures {
    sources: Vec<(Source, Span)>,
}

impl Captures {
    /// As the function around sees them.
    pub fn into_exprs(self) -> Vec<Expr> {
        self.sources.into_iter().map(|(s, span)| Expr { span, node: source_node(s) }).collect()
    }
}

/// What stands before a name that `let` binds to a volatile, as the name of what that holds.
pub const CELL: &str = "\u{1}cell";

/// A name for use by sugar that no program can write.
pub fn hidden(word: &str, n: u32) -> Name {
    Name { ns: Some("\u{1}".into()), name: format!("{word}{n}").into() }
}

/// A shared text.
pub fn shared(text: &str) -> Arc<str> {
    Arc::from(text)
}
