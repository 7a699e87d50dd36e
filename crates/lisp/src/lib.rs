//! PTC-Lisp: Clojure 1.11 on data, sandboxed. Text in, outcome out.
//!
//! ```
//! use ptc_lisp::{limits::Limits, memory::Memory, outside::Turn, run};
//!
//! let limits = Limits::default();
//! let mut memory = Memory::new();
//! run("(defn total [xs] (reduce + xs))", &mut memory, Turn::new(&limits, &[], &mut ()));
//! let outcome = run("(println (total [1 2 3]))", &mut memory, Turn::new(&limits, &[], &mut ()));
//! assert_eq!(outcome.printed, ["6\n"]);
//! ```
//!
//! The way of a program: [`read`] makes forms of text, `analyze` settles names, `eval` makes code of expressions and
//! runs it against [`memory`]; [`builtins`] is the one table of functions, [`host`] the one trait through which they
//! see the machine. Nothing here touches files, clock, environment, randomness or the console: the host hands them in
//! with [`outside::Turn`].

pub mod analyze;
pub mod arity;
pub mod builtins;
pub mod cost;
pub mod datum;
pub mod error;
mod eval;
pub mod form;
pub mod host;
mod interpreter;
pub mod json;
pub mod limits;
pub mod memory;
pub mod number;
pub mod outside;
pub mod print;
pub mod read;
mod regex;
pub mod report;
pub mod seq;
pub mod shape;
pub mod size_cost;
pub mod span;
pub mod suggest;
pub mod tool_words;
pub mod value;
pub mod visible;

pub use eval::held_bytes;
pub use interpreter::run;
#[doc(hidden)]
pub use interpreter::run_plain;
