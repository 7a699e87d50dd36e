//! What the fuzz targets do with bytes: each target is a law that must hold for any of them, and panics when it does not.
//!
//! `tests/fuzz/` hands them to cargo-fuzz, `tests/tests/fuzz.rs` replays seeds and former findings on a stable compiler.
//! An input is taken twice: as text, so that seeds can be read and written by people, and as throws of a die that build
//! something well-formed, so that what lies behind the parsers is reached.

pub mod dice;
mod json;
mod programs;
mod read;
mod regex_format;
mod render;
mod run;
mod trace;
mod values;
mod words;

pub use json::json;
pub use programs::programs;
pub use read::read;
pub use regex_format::regex_format;
pub use render::render;
pub use run::run;
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
];

/// The longest input that is looked at: what is wrong with more is wrong with less, and found sooner.
const MOST: usize = 8 << 10;

/// The input as text, what is no UTF-8 replaced.
fn text(data: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(data.get(..MOST).unwrap_or(data))
}
