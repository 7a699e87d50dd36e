//! Tools of MCP servers: started or reached, listed, typed by their schemas, called as `tool/SERVER.tool`.

mod connection;
mod diagnostics;
mod http;
mod names;
mod response;
mod server;
mod stdio;

pub use connection::Connection;
pub use server::{ListedTool, Server};

use std::time::Duration;

/// Most time of a call, when a task does not say.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// Most time until a server is ready and has said what it has: it may have to be fetched first.
pub const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Most bytes of a message of a server.
pub const MAX_MESSAGE_BYTES: usize = 16 << 20;
