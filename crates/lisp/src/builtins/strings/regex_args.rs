//! Regexes as arguments: those that are there, and those that are compiled.

use crate::builtins::args::get;
use crate::host::{Host, Interrupt, Result};
use crate::regex::finder::COMPILE;
use crate::value::Value;
use crate::value::regex::{Flags, Regex};
use std::sync::Arc;

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
    Ok(crate::regex::compile::compile(pattern, flags, &limits)?)
}

/// The regex of argument `i`.
pub fn regex(a: &[Value], i: usize) -> Result<Arc<Regex>> {
    match get(a, i) {
        Value::Regex(r) => Ok(r.clone()),
        v => Err(Interrupt::argument(i, "a regex", v)),
    }
}
