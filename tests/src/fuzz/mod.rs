//! What the fuzz targets do with bytes: each target is a law that must hold for any of them, and panics when it does
//! not.
//!
//! `tests/fuzz/` hands them to cargo-fuzz, `tests/tests/fuzz.rs` replays seeds and former findings on a stable
//! compiler. An input is taken twice: as text, so that seeds can be read and written by people, and as throws of a die
//! that build something well-formed, so that what is behind the parsers is reached.

mod command;
mod conversation;
pub mod dice;
mod json;
mod mcp;
mod model;
mod outside;
mod policy;
mod programs;
mod read;
mod recording;
mod regex_format;
mod render;
mod run;
mod sqlite;
mod task;
mod trace;
mod values;
mod words;

pub use command::command;
pub use conversation::conversation;
pub use json::json;
pub use mcp::mcp;
pub use model::model;
pub use policy::policy;
pub use programs::programs;
pub use read::read;
pub use recording::recording;
pub use regex_format::regex_format;
pub use render::render;
pub use run::{BETWEEN, config, run, turn};
pub use sqlite::sqlite;
pub use task::task;
pub use trace::trace;

/// A target: its name, and its law.
pub type Target = (&'static str, fn(&[u8]));

/// All targets, by the names that cargo-fuzz and the folders of seeds know them by.
pub const TARGETS: &[Target] = &[
    ("read", read),
    ("run", run),
    ("json", json),
    ("regex_format", regex_format),
    ("render", render),
    ("trace", trace),
    ("model", model),
    ("mcp", mcp),
    ("command", command),
    ("conversation", conversation),
    ("recording", recording),
    ("policy", policy),
    ("task", task),
    ("sqlite", sqlite),
];

/// The longest input that is looked at: what is wrong with more is wrong with less, and found sooner.
const MAX_INPUT_BYTES: usize = 8 << 10;

/// The input as text, what is no UTF-8 replaced.
fn text(data: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(data.get(..MAX_INPUT_BYTES).unwrap_or(data))
}
