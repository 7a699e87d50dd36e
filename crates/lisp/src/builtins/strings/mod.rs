//! Functions on strings, characters, names and regexes.

pub mod basic;
pub mod characters;
pub mod code_points;
pub mod format;
pub mod java_formatter;
pub mod matcher;
pub mod names;
pub mod regex;
mod regex_args;
pub mod replace;
mod replacement;
