//! Tools of MCP servers: started or reached, listed, typed by their schemas, called as `tool/SERVER.tool`.

mod connection;
#[cfg(feature = "mcp")]
mod diagnostics;
#[cfg(feature = "mcp")]
mod http;
#[cfg(feature = "mcp")]
mod listing;
#[cfg(feature = "mcp")]
mod names;
#[cfg(feature = "mcp")]
mod open_connection;
#[cfg(feature = "mcp")]
mod response;
#[cfg(feature = "mcp")]
mod server;
#[cfg(feature = "mcp")]
mod stdio;
#[cfg(not(feature = "mcp"))]
mod unavailable;

pub use connection::Connection;
#[cfg(feature = "mcp")]
pub use server::{ListedTool, Server};
#[cfg(not(feature = "mcp"))]
pub use unavailable::{ListedTool, Server};

use std::time::Duration;

/// Most time of a call, when a task does not say.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// Most time until a server is ready and has said what it has: it may have to be fetched first.
pub const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Most bytes of a message of a server.
pub const MAX_MESSAGE_BYTES: usize = 16 << 20;
