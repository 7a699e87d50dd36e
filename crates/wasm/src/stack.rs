//! How deep programs may go. Stacks of WebAssembly are those of the engine, about a megabyte in browsers, and cannot grow: what
//! recurses has less room than elsewhere.

use ptc_lisp::limits::Limits;

/// Nesting of a value.
pub const DATA_DEPTH: u32 = 1_000;
/// Calls through builtins inside each other.
pub const BUILTIN_DEPTH: u32 = 100;
/// Nesting of brackets in a program.
pub const SOURCE_DEPTH: u32 = 256;

/// The same limits, none of them above what stacks here have room for.
pub fn within(limits: Limits) -> Limits {
    Limits {
        data_depth: limits.data_depth.min(DATA_DEPTH),
        builtin_depth: limits.builtin_depth.min(BUILTIN_DEPTH),
        source_depth: limits.source_depth.min(SOURCE_DEPTH),
        ..limits
    }
}
