//! Regexes as arguments: those that are there, and those that are compiled.

use crate::builtins::args::get;
use crate::host::{Host, Interrupt, Result};
use crate::regex::finder::COMPILE;
use crate::value::Value;
use crate::value::node::allocated_bytes;
use crate::value::regex::{Flags, Regex};
use std::sync::Arc;

/// Bytes of a compiled regex that a unit of work makes.
const BYTES_OF_A_UNIT: u64 = 40;

/// Compiles a pattern for `#"..."` and `re-pattern`.
pub fn compile(h: &mut dyn Host, pattern: &str) -> Result {
    compile_with(h, pattern, Flags::default())
}

/// As [`compile`], with flags that the pattern begins with.
pub fn compile_with(h: &mut dyn Host, pattern: &str, flags: Flags) -> Result {
    // Classes of Unicode are large tables.
    let classes = pattern.matches("\\p").count().min(8) as u64;
    h.charge(COMPILE * (1 + 2 * classes) + pattern.len() as u64 * 40)?;
    let limits = h.limits().clone();
    // What the pattern is read into, and three forms of it.
    h.reserve((pattern.len() as u64).saturating_mul(256).saturating_add(limits.regex_bytes.saturating_mul(3)))?;
    let before = allocated_bytes();
    let made = crate::regex::compile::compile(pattern, flags, &limits)?;
    // Repetitions and classes make more of a pattern than its length says, up to the limit.
    h.charge(allocated_bytes().saturating_sub(before) / BYTES_OF_A_UNIT)?;
    Ok(made)
}

/// The regex of argument `i`.
pub fn regex(a: &[Value], i: usize) -> Result<Arc<Regex>> {
    match get(a, i) {
        Value::Regex(r) => Ok(r.clone()),
        v => Err(Interrupt::argument(i, "a regex", v)),
    }
}
