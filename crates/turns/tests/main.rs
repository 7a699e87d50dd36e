//! The turn manager from outside, in one executable: `cargo test -p ptc-turns notes::` runs one file.

mod acts;
mod auto;
mod libraries;
mod notes;
mod options;
