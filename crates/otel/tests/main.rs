//! Runs of agents, and what a collector is told of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod collector;
mod metrics;
mod runs;
mod sessions;
mod spans;
