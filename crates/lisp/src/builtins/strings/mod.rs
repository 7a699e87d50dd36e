//! Functions on strings, characters, names and regexes.

pub mod basic;
pub mod characters;
pub mod format;
pub mod java_formatter;
pub mod names;
pub mod regex;
pub mod replace;
