//! The virtual machine: what runs bytecode.

mod bound;
mod calls;
mod chosen;
mod columns;
mod destructure;
mod dispatch;
mod expansion;
mod fast_path;
mod found;
mod host;
mod known;
mod leaf;
pub(crate) mod missed_keys;
mod no_clause;
mod numbers;
mod output;
mod pure;
mod realize;
mod savepoint;
mod share;
mod slow_path;
mod spaces;
mod stages;
pub(crate) mod state;
mod tools;
mod unwind;
mod update;
