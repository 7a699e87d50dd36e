//! The MCP server over a pair of streams: the way in which clients start it.

use super::McpServer;
use rmcp::ServiceExt as _;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::io;
use tokio::io::{AsyncRead, AsyncWrite};

/// Most bytes of a message; a longer line is dropped.
const LINE_BYTES: usize = 16 << 20;

/// Serves until the client closes its end. Turns that run then have `stop_seconds` to end; the others stay in their journals.
///
/// # Errors
/// When the client does not begin as the protocol says, or cannot be told anything any more.
pub async fn serve_stdio(
    server: McpServer,
    from: impl AsyncRead + Send + Unpin + 'static,
    to: impl AsyncWrite + Send + Unpin + 'static,
) -> io::Result<()> {
    let sessions = server.sessions.clone();
    let transport = AsyncRwTransport::new_server(from, to).with_max_line_length(LINE_BYTES);
    let served = match server.serve(transport).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        // Who closes before it has begun wanted nothing.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(e) => Err(io::Error::other(e)),
    };
    sessions.stop().await;
    served
}
