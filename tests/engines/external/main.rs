//! Stores against what others wrote: processes killed at every line, a server killed, two writers, effects counted.
//! `scripts/fetch && cargo test -p ptc-engines --test external`

mod crash;
mod examples;
mod postgres;
mod restate;
