//! Liveness: marks each read of a variable after which nothing reads it, so that its value is moved instead of
//! copied. A map or vector that is moved into `assoc` or `conj` has one owner and is changed in place.

use super::ir::{Case, Expr, Group, Node, Try, Var};

/// Variables that are read later.
#[derive(Clone, Default, PartialEq)]
struct Live(Vec<u64>);

impl Live {
    fn has(&self, v: Var) -> bool {
        self.0.get(v as usize / 64).is_some_and(|w| w >> (v % 64) & 1 == 1)
    }
    fn add(&mut self, v: Var) {
        let word = v as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(w) = self.0.get_mut(word) {
            *w |= 1 << (v % 64);
        }
    }
    fn remove(&mut self, v: Var) {
        if let Some(w) = self.0.get_mut(v as usize / 64) {
            *w &= !(1 << (v % 64));
        }
    }
    fn join(&mut self, other: &Live) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }
}

/// Marks last uses in a function's body.
pub fn mark(body: &mut Expr) {
    walk(body, &mut Live::default(), &mut Targets::default());
}

/// What is live where the `recur` of each loop goes, besides what it binds; the innermost last.
#[derive(Default)]
struct Targets {
    loops: Vec<Live>,
}

/// Goes backwards through `e`. `live` is what is read after it, and on return what is read from before it on.
fn walk(e: &mut Expr, live: &mut Live, targets: &mut Targets) {
    crate::value::node::on_deep_stack(|| walk_node(&mut e.node, live, targets));
}

fn walk_all(items: &mut [Expr], live: &mut Live, targets: &mut Targets) {
    for e in items.iter_mut().rev() {
        walk(e, live, targets);
    }
}

/// Operands of one operation: variables among them are read when it happens, after all other operands were computed.
/// The emitter computes them in the same order; reading a variable has no effect that a program could see.
fn operands<'e>(items: impl DoubleEndedIterator<Item = &'e mut Expr>, live: &mut Live, targets: &mut Targets) {
    type Few<'e> = smallvec::SmallVec<[&'e mut Expr; 6]>;
    let (mut locals, others): (Few<'_>, Few<'_>) = items.rev().partition(|e| matches!(e.node, Node::Local { .. }));
    // Long literals are built piece by piece: nothing in them is moved.
    let long = locals.len() + others.len() > crate::analyze::ir::PIECE;
    for e in &mut locals {
        walk(e, live, targets);
        if let (true, Node::Local { last, .. }) = (long, &mut e.node) {
            *last = false;
        }
    }
    for e in others {
        walk(e, live, targets);
    }
}

fn walk_node(node: &mut Node, live: &mut Live, t: &mut Targets) {
    match node {
        Node::Const(_)
        | Node::Capture(_)
        | Node::SelfFn
        | Node::LetfnRef(_)
        | Node::Global(_)
        | Node::LastResult(_) => {}
        Node::Local { var, last } => {
            *last = !live.has(*var);
            live.add(*var);
        }
        Node::Do(items) => walk_all(items, live, t),
        Node::Vector(items)
        | Node::Set(items)
        | Node::CallTool(_, items)
        | Node::CallSelf(items)
        | Node::CallGlobal(_, items)
        | Node::CallBuiltin(_, items) => operands(items.iter_mut(), live, t),
        Node::If(parts) => {
            let [test, then, other] = &mut **parts;
            let mut after = live.clone();
            walk(then, live, t);
            walk(other, &mut after, t);
            live.join(&after);
            walk(test, live, t);
        }
        Node::And(items) | Node::Or(items) => {
            let after = live.clone();
            for e in items.iter_mut().rev() {
                live.join(&after);
                walk(e, live, t);
            }
        }
        Node::Cond(pairs, default) => {
            let after = live.clone();
            walk(default, live, t);
            for (test, then) in pairs.iter_mut().rev() {
                let mut branch = after.clone();
                walk(then, &mut branch, t);
                live.join(&branch);
                walk(test, live, t);
            }
        }
        Node::Let(bindings, body) => {
            walk(body, live, t);
            bind(bindings, live, t);
        }
        Node::Loop(bindings, body) => {
            // What the body reads from outside is read again in every round.
            let mut around = live.clone();
            around.join(&outer_reads(body, bindings.iter().map(|b| b.0)));
            t.loops.push(around.clone());
            walk(body, live, t);
            t.loops.pop();
            live.join(&around);
            bind(bindings, live, t);
        }
        Node::Recur { args, function, .. } => {
            // A function's parameters are all bound anew, so nothing is live at its start.
            *live = if *function { Live::default() } else { t.loops.last().cloned().unwrap_or_default() };
            operands(args.iter_mut(), live, t);
        }
        Node::Fn(f) => walk_all(&mut f.captures, live, t),
        Node::Letfn(vars, group, body) => {
            walk(body, live, t);
            for v in vars.iter() {
                live.remove(*v);
            }
            let Group { captures, .. } = &mut **group;
            // Every function of the group gets its own copy.
            for c in captures.iter_mut() {
                if let Node::Local { var, last } = &mut c.node {
                    *last = false;
                    live.add(*var);
                }
            }
        }
        Node::Call(f, args) => {
            // What is called is read where it is, after the arguments have been moved to their places: `(f f)`.
            if let Node::Local { var, last } = &mut f.node {
                *last = false;
                live.add(*var);
                operands(args.iter_mut(), live, t);
            } else {
                operands(std::iter::once(&mut **f).chain(args.iter_mut()), live, t);
            }
        }
        Node::Map(entries) => {
            let items: Vec<&mut Expr> = entries.iter_mut().flat_map(|(k, v)| [k, v]).collect();
            operands(items.into_iter(), live, t);
        }
        Node::Lookup(e, _) | Node::Nth(e, _) | Node::Rest(e, _) | Node::Keyed(e) | Node::Throw(e) | Node::OutStr(e) => {
            walk(e, live, t);
        }
        Node::Def(d) => {
            if let Some(v) = &mut d.value {
                walk(v, live, t);
            }
        }
        Node::Try(tr) => walk_try(tr, live, t),
        Node::Case(c) => {
            let Case { subject, branches, default } = &mut **c;
            let after = live.clone();
            // Without a default it throws: what a handler around reads is in `live`, and stays.
            if let Some(d) = default {
                walk(d, live, t);
            }
            for (_, e) in branches.iter_mut().rev() {
                let mut branch = after.clone();
                walk(e, &mut branch, t);
                live.join(&branch);
            }
            walk(subject, live, t);
        }
    }
}

/// Any step of the body may go to a handler, and everything may go to `finally`: what those read is live throughout.
fn walk_try(tr: &mut Try, live: &mut Live, t: &mut Targets) {
    let mut after = live.clone();
    if let Some(f) = &mut tr.finally {
        walk(f, &mut after, t);
    }
    let mut handlers = after.clone();
    for (_, var, e) in tr.catches.iter_mut().rev() {
        let mut h = after.clone();
        walk(e, &mut h, t);
        h.remove(*var);
        handlers.join(&h);
    }
    *live = handlers;
    walk(&mut tr.body, live, t);
}

/// Goes backwards through bindings made one after the other: a name is not there yet while its own value and those
/// before it are computed, and is while those behind it are.
fn bind(bindings: &mut [(Var, Expr)], live: &mut Live, t: &mut Targets) {
    for (var, value) in bindings.iter_mut().rev() {
        live.remove(*var);
        walk(value, live, t);
    }
}

/// The variables that `body` reads and that neither it nor the loop around it binds. Found without marking anything, so
/// that loops inside loops take no more than a look each.
fn outer_reads(body: &Expr, own: impl Iterator<Item = Var>) -> Live {
    let (mut reads, mut bound) = (Live::default(), Live::default());
    own.for_each(|v| bound.add(v));
    collect(body, &mut reads, &mut bound);
    for (r, b) in reads.0.iter_mut().zip(&bound.0) {
        *r &= !b;
    }
    reads
}

fn collect(e: &Expr, reads: &mut Live, bound: &mut Live) {
    crate::value::node::on_deep_stack(|| {
        if let Node::Local { var, .. } = e.node {
            reads.add(var);
        }
        e.node.each_bound(&mut |v| bound.add(v));
        e.node.each_part(&mut |part| collect(part, reads, bound));
    });
}
