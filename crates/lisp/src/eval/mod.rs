//! The machine: bytecode and what runs it.

mod calls;
mod code;
mod cold;
mod destructure;
pub(crate) mod emit;
mod host;
pub(crate) mod machine;
pub(crate) mod measure;
mod run;
mod settle;
mod stops;
mod tools;

pub use measure::held_bytes;
