//! Cycles of lazy sequences: `(def ones (lazy-seq (cons 1 ones)))` holds itself, and counting references never frees it.
//!
//! Only a lazy sequence can come to hold what was made after it, so every cycle goes through one. Those that have been
//! made are noted, weakly; when the last fork of a session goes, or its memory is counted again, cycles that nobody
//! reaches are cut open (SECURITY R11, SECURITY attack 20).

use crate::value::children::{inside, node};
use crate::value::sequence::WeakLazy;
use crate::value::{Lazy, Value};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Default)]
struct Noted {
    lazies: Vec<WeakLazy<Value>>,
    /// Length at which those that are gone are forgotten.
    tidy_at: usize,
}

/// Lazy sequences that a session and its forks have made.
#[derive(Clone, Default)]
pub struct CycleCollector(Arc<Mutex<Noted>>);

impl CycleCollector {
    fn with<R>(&self, f: impl FnOnce(&mut Noted) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes one that is being made.
    pub fn note(&self, lazy: &Lazy) {
        self.with(|n| {
            if n.lazies.len() >= n.tidy_at {
                n.lazies.retain(WeakLazy::alive);
                n.tidy_at = n.lazies.len() * 2 + 1024;
            }
            n.lazies.push(lazy.downgrade());
        });
    }

    /// Cuts cycles open that go through none of the nodes in `reached`; nothing while other forks may reach them.
    pub fn cut(&self, reached: &HashSet<usize>) {
        if Arc::strong_count(&self.0) > 1 {
            return;
        }
        let noted: Vec<Lazy> = self.with(|n| n.lazies.iter().filter_map(WeakLazy::upgrade).collect());
        let mut search = Search { grey: HashMap::new(), cut: Vec::new() };
        for lazy in noted {
            if !reached.contains(&lazy.address()) {
                search.from(Value::Lazy(lazy));
            }
        }
        for lazy in search.cut {
            lazy.cut();
        }
    }
}

impl Drop for CycleCollector {
    fn drop(&mut self) {
        self.cut(&HashSet::new());
    }
}

/// A search in depth, on a stack of its own: a cycle shows where it comes back to a node that is still on the way.
struct Search {
    /// Nodes seen; whether they are on the way.
    grey: HashMap<usize, bool>,
    cut: Vec<Lazy>,
}

impl Search {
    fn from(&mut self, start: Value) {
        let mut way: Vec<(usize, Value, Vec<Value>)> = Vec::new();
        self.step(start, &mut way);
        while let Some((address, _, next)) = way.last_mut() {
            match next.pop() {
                Some(v) => self.step(v, &mut way),
                None => {
                    self.grey.insert(*address, false);
                    way.pop();
                }
            }
        }
    }

    fn step(&mut self, v: Value, way: &mut Vec<(usize, Value, Vec<Value>)>) {
        let Some((address, _)) = node(&v) else { return };
        match self.grey.get(&address) {
            Some(false) => {}
            Some(true) => {
                let back = way.iter().rev().take_while(|w| w.0 != address).chain(way.iter().filter(|w| w.0 == address));
                let lazy = back.filter_map(|w| if let Value::Lazy(l) = &w.1 { Some(l.clone()) } else { None }).next();
                self.cut.extend(lazy);
            }
            None => {
                // What makes the rest cannot be looked into, and nobody is left to ask for it.
                if let Value::Lazy(l) = &v
                    && l.made().is_none()
                {
                    self.cut.push(l.clone());
                }
                let mut next = Vec::new();
                inside(&v, &mut next);
                self.grey.insert(address, true);
                way.push((address, v, next));
            }
        }
    }
}
