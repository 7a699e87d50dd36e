//! JSON: text to values and back. Objects become maps with plain keywords, so that JSON -> value -> JSON is the identity.

mod read;
mod scan;
mod write;

pub use read::{parse, parse_text};
pub(crate) use write::attempt;
pub use write::{is_json, normalise, to_text, to_text_pretty, to_text_within};
