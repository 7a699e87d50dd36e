//! Functions on strings, characters, names and regexes.

pub mod basic;
pub mod characters;
pub mod format;
pub mod formatting;
pub mod names;
pub mod regex;
pub mod replace;
