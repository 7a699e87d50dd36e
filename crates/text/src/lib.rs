//! Text that models and people read: invisible characters escaped, the name that a misspelt one stands for, texts
//! cut to one line, and options in rows. It knows neither programs nor messages, so that language and history can share it.
//!
//! ```
//! use ptc_text::{cut, escape, suggest};
//!
//! assert_eq!(escape::line("a\u{200b}b\n"), "a\\u{200b}b\\u{a}");
//! assert_eq!(cut::one_line("two\nlines, and more", 12), "two lines, a…");
//! assert_eq!(suggest::did_you_mean("max_tokns", ["max_turns", "max_tokens"]), Some("max_tokens"));
//! ```

#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]

pub mod csv;
pub mod cut;
pub mod escape;
pub mod option_row;
pub mod suggest;
