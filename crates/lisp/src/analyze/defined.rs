//! The names that a program defines, found before anything is resolved.

use super::fn_forms::{fn_forms, named_symbol};
use crate::form::{Form, Kind};
use crate::span::Span;
use std::collections::{HashMap, HashSet};

/// The names that a program defines.
#[derive(Default)]
pub struct Defined {
    /// All of them, wherever they are.
    anywhere: HashSet<Box<str>>,
    /// Those whose definition has been reached.
    reached: HashSet<Box<str>>,
    /// Parameter counts (fewest, most) of functions that are defined once, at top level.
    functions: HashMap<Box<str>, Option<(usize, Option<usize>)>>,
}

impl Defined {
    /// Looks through a program for definitions, without settling anything.
    pub fn scan(forms: &[Form]) -> Self {
        let mut d = Defined::default();
        let mut work: Vec<(&Form, bool)> = forms.iter().rev().map(|f| (f, true)).collect();
        while let Some((f, top)) = work.pop() {
            match &f.kind {
                Kind::List(items) => {
                    let word = items.first().and_then(|h| h.as_plain());
                    if let Some("def" | "defn" | "defn-" | "defonce" | "declare") = word {
                        let many = word == Some("declare");
                        for n in items.iter().skip(1).take(if many { usize::MAX } else { 1 }) {
                            d.note(n, items, word.is_some_and(|w| w.starts_with("defn")) && top, many);
                        }
                    }
                    if word != Some("quote") {
                        work.extend(items.iter().map(|i| (i, false)));
                    }
                }
                Kind::Vector(v) | Kind::Set(v) | Kind::Lambda(v) => work.extend(v.iter().map(|i| (i, false))),
                Kind::Map(m) => work.extend(m.iter().flat_map(|(k, v)| [(k, false), (v, false)])),
                Kind::Deref(f) => work.push((f, false)),
                Kind::Meta(_, f) => work.push((f, top)),
                _ => {}
            }
        }
        d
    }

    fn note(&mut self, name: &Form, items: &[Form], function: bool, declared: bool) {
        let Some((n, _)) = named_symbol(name) else { return };
        self.anywhere.insert(n.name.clone());
        if declared {
            return;
        }
        // Defined twice, or not as a plain function: nothing is known beforehand.
        let known = function.then(|| arity_of(items)).flatten();
        self.functions.entry(n.name.clone()).and_modify(|k| *k = None).or_insert(known);
    }

    /// Whether it is defined somewhere in the program.
    pub fn anywhere(&self, name: &str) -> bool {
        self.anywhere.contains(name)
    }

    /// All names that are defined somewhere in the program, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.anywhere.iter().map(|n| &**n)
    }

    /// Fewest and most arguments of a function that is defined once, at top level.
    pub fn takes(&self, name: &str) -> Option<(usize, Option<usize>)> {
        self.functions.get(name).copied().flatten()
    }

    /// Whether its definition has been reached.
    pub fn is_reached(&self, name: &str) -> bool {
        self.reached.contains(name)
    }

    /// A definition has been reached.
    pub fn mark(&mut self, name: &str) {
        self.reached.insert(name.into());
    }
}

/// Fewest and most arguments of a `defn`, if that is plain to see.
fn arity_of(items: &[Form]) -> Option<(usize, Option<usize>)> {
    let f = fn_forms(Span::default(), items.get(1..)?, true).ok()?;
    let (mut min, mut max) = (usize::MAX, Some(0usize));
    for (params, _, _) in &f.arities {
        match params.iter().position(|p| p.as_plain() == Some("&")) {
            Some(fixed) => {
                min = min.min(fixed);
                max = None;
            }
            None => {
                min = min.min(params.len());
                max = max.map(|m| m.max(params.len()));
            }
        }
    }
    // Gaps between bodies are left to the call itself.
    Some((min, max))
}
