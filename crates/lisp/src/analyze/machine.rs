//! What analysis asks of whoever runs programs: macros are functions, and run while a program is analysed.

use super::ir::Expr;
use crate::error::Error;
use crate::form::Form;
use crate::memory::Memory;
use crate::span::Span;
use crate::value::Value;

/// A call of a macro.
pub struct MacroCall {
    /// Its name, for errors.
    pub name: String,
    /// The forms it is given, as data.
    pub args: Vec<Value>,
    /// The whole call as data: `&form`.
    pub form: Value,
    /// The local names around it: `&env`, or nil.
    pub env: Value,
    /// Where it is.
    pub span: Span,
}

/// Runs what analysis needs to have run.
pub trait Machine {
    /// The session's memory.
    fn memory(&self) -> &Memory;
    /// The same, to change it.
    fn memory_mut(&mut self) -> &mut Memory;
    /// Charges for so many items of work before it is done.
    ///
    /// # Errors
    /// A limit.
    fn charge(&mut self, items: u64) -> Result<(), Error>;
    /// Looks whether what analysis has made, and holds on the meter, is within the turn's memory.
    ///
    /// # Errors
    /// A limit.
    fn check_memory(&mut self) -> Result<(), Error>;
    /// Calls a macro's function: what it gives, as a form.
    ///
    /// # Errors
    /// What the function throws, limits, and values that are no code.
    fn expand(&mut self, function: &Value, call: MacroCall) -> Result<Form, Error>;
    /// Runs a definition that nothing of the program before it can be seen in.
    ///
    /// # Errors
    /// Limits.
    fn define_ahead(&mut self, definition: &Expr, vars: u32) -> Result<(), Error>;
    /// The names of the session that the code of a value reads, by index.
    fn names_read(&self, value: &Value) -> Vec<u32>;
}
