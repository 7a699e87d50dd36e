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
pub mod builtins;
pub mod datum;
pub mod error;
mod eval;
pub mod form;
pub mod format;
pub mod host;
pub mod json;
pub mod lazy;
pub mod limits;
pub mod memory;
pub mod number;
pub mod order;
pub mod outside;
pub mod print;
pub mod read;
pub mod report;
pub mod shape;
pub mod span;
pub mod tool_words;
pub mod value;
pub mod visible;
pub mod walk;

#[doc(hidden)]
pub use eval::run_plain;
pub use eval::{held_bytes, run};
