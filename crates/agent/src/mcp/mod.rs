//! Tools of MCP servers: started or reached, listed, typed by their schemas, called as `tool/SERVER.tool`.

mod answer;
mod link;
mod names;
mod server;
mod web;
mod wire;
mod words;

pub use link::Link;
pub use server::{Offered, Server};

use std::time::Duration;

/// Most time of a call, when a task does not say.
pub const TIMEOUT: Duration = Duration::from_secs(30);
/// Most time until a server is ready and has said what it has: it may have to be fetched first.
pub const STARTING: Duration = Duration::from_secs(60);
/// Most bytes of a message of a server.
pub const MOST: usize = 16 << 20;
