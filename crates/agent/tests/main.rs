//! The agent from outside, in one executable: `cargo test -p ptc-agent acts::` runs one file. What a build without features
//! says is one of its own (`without_features`): the files here need them all.

// Tests unwrap: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod acts;
mod deciding;
mod disk;
mod ended;
mod folder;
mod in_flight;
mod inside;
mod kill;
mod ran;
mod run_async;
mod send;
mod stores;
