//! PTC-Lisp: Clojure 1.11 on data, sandboxed. Text in, outcome out.
//!
//! ```
//! use ptc_lisp::{limits::Limits, memory::Memory, interface::RunInput, run};
//!
//! let limits = Limits::default();
//! let mut memory = Memory::new();
//! run("(defn total [xs] (reduce + xs))", &mut memory, RunInput::new(&limits, &[], &mut ()));
//! let outcome = run("(println (total [1 2 3]))", &mut memory, RunInput::new(&limits, &[], &mut ()));
//! assert_eq!(outcome.printed, ["6\n"]);
//! ```
//!
//! A program runs in four steps: [`read`] turns text into forms, [`analyze`] resolves names and expands what is written
//! shorter, `codegen` makes bytecode, and `vm` runs it against [`memory`]. [`builtins`] is the one table of functions;
//! [`host`] is the trait through which they see the virtual machine. Nothing here touches files, clock, environment,
//! randomness or the console: the host passes them in with [`interface::RunInput`].

pub mod analyze;
pub mod arity;
pub mod builtins;
mod bytecode;
mod code;
mod codegen;
pub mod cost;
pub mod error;
pub mod form;
pub mod fuel;
pub mod host;
pub mod interface;
mod interpreter;
pub mod json;
pub mod library;
pub mod limits;
pub mod memory;
mod namespaces;
mod ns_form;
pub mod number;
pub mod print;
pub mod quote;
pub mod read;
mod regex;
pub mod report;
pub mod seq;
pub(crate) mod settings;
pub mod size_cost;
pub mod span;
pub mod stages;
mod template;
pub mod time;
pub mod tool_doc;
pub mod types;
pub mod value;
mod vm;

pub use interpreter::run;
#[doc(hidden)]
pub use interpreter::run_plain;
pub use memory::usage::{held_bytes, value_bytes};
pub use ptc_text::{escape, suggest};

/// What tests/unit looks at, and nobody else: the library has no tests inside, so that it is optimised once.
#[doc(hidden)]
pub mod testing {
    pub use crate::read::number::number;
    pub use crate::read::own_names::name;
    pub use crate::read::string_literals::{character, regex, string};
    pub use crate::regex::{is_pattern, meter::can_look_ahead, translate};
    pub use crate::vm::missed_keys::nearest as nearest_key;
}
