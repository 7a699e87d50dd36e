//! Tests against what others wrote and Rust does not bring: servers in Node.js and Python, a browser, a language model.
//! Plain `cargo test` leaves them out; `scripts/fetch && cargo test --workspace --test external` runs them.

mod aimock;
mod examples;
mod local_model;
mod mcp;
mod otel;
mod python;
mod report;
mod wasm;
