//! Java's regexes on two engines: patterns read into tokens, compiled within bounds for the linear engine or, where they
//! look around or refer back, for one that backtracks; and what searches do, counted.

mod assemble;
pub(crate) mod char_set;
mod class;
pub mod compile;
pub mod finder;
mod linear;
mod machine;
pub mod meter;
mod places;
mod rounds;
mod syntax;
mod token;
mod tree;

use crate::value::regex::Flags;

/// The pattern in the linear engine's spelling; `None` where that engine cannot match it, or where it is wrong.
pub fn translate(pattern: &str, flags: Flags) -> Option<String> {
    linear::spelled(&syntax::parse(pattern, flags).ok()?)
}

/// Whether it is a pattern, for either engine.
pub fn is_pattern(pattern: &str) -> bool {
    syntax::parse(pattern, Flags::default()).and_then(tree::tree).is_ok()
}
