//! Every limit of a turn, in one place. All are on by default; the host sets them, a program never.

use serde::{Deserialize, Serialize};

/// What one turn may use. Names and defaults are those of docs/language.md, "Limits".
///
/// ```
/// use ptc_lisp::limits::Limits;
///
/// let tight = Limits { fuel: 100_000, memory_bytes: 1 << 20, tool_calls: 5, ..Limits::default() };
/// assert!(tight.fuel < Limits::default().fuel);
/// // They are held to wherever data comes from outside.
/// let flat = Limits { data_depth: 2, ..Limits::default() };
/// assert!(ptc_lisp::json::parse_text("[[[1]]]", &flat).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Length of a program, in bytes.
    pub source_bytes: u64,
    /// Nesting of brackets and prefixes in a program.
    pub source_depth: u32,
    /// Calls of program functions inside each other.
    pub call_depth: u32,
    /// Calls through builtins that call functions (`map`, `sort-by`, `swap!`) inside each other.
    pub builtin_depth: u32,
    /// Nesting of a value.
    pub data_depth: u32,
    /// Units of work; [`crate::fuel`] says what one is.
    pub fuel: u64,
    /// Live bytes that a turn makes, besides what the session held when it began.
    pub memory_bytes: u64,
    /// Bytes that a session holds when a turn has ended: definitions, what atoms hold, the last three values, the record
    /// of its turns.
    pub session_bytes: u64,
    /// Processor time in milliseconds, a backstop; 0 turns it off.
    pub cpu_ms: u64,
    /// Elapsed time in milliseconds, tools included; 0 turns it off.
    pub wall_ms: u64,
    /// All printed text of a turn, in bytes.
    pub output_bytes: u64,
    /// Printed text of one call as prompts show it, in bytes; never an error.
    pub println_bytes: u64,
    /// The text of a turn's value, in bytes.
    pub result_bytes: u64,
    /// Tool calls in a turn.
    pub tool_calls: u64,
    /// Names defined in a session.
    pub definitions: u64,
    /// Bits of an integer.
    pub integer_bits: u64,
    /// Bits of a ratio's numerator or denominator.
    pub ratio_bits: u64,
    /// Compiled size of a regex, in bytes.
    pub regex_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            source_bytes: 256 << 10,
            source_depth: 256,
            call_depth: 10_000,
            builtin_depth: 500,
            data_depth: 10_000,
            fuel: 100_000_000,
            memory_bytes: 64 << 20,
            session_bytes: 256 << 20,
            cpu_ms: 10_000,
            wall_ms: 30_000,
            output_bytes: 256 << 10,
            println_bytes: 8 << 10,
            result_bytes: 1 << 20,
            tool_calls: 256,
            definitions: 10_000,
            integer_bits: 1_000_000,
            ratio_bits: 65_536,
            regex_bytes: 256 << 10,
        }
    }
}
