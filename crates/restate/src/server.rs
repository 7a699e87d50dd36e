//! Where Restate reaches the handlers.

use restate_sdk::endpoint::Endpoint;
use restate_sdk::http_server::HttpServer;
use std::io;
use std::net::SocketAddr;
use tokio::net::{TcpListener, TcpSocket};

/// Connections that wait to be accepted.
const WAITING: u32 = 1024;

/// Serves an endpoint until the process is told to end (Ctrl-C). The SDK's own way of listening leaves Nagle's algorithm on, so
/// that an entry waits for the acknowledgement of the one before: 40 ms each.
///
/// # Errors
/// When nothing can listen there.
pub async fn serve(endpoint: Endpoint, at: SocketAddr) -> io::Result<()> {
    HttpServer::new(endpoint).serve(listen(at)?).await;
    Ok(())
}

fn listen(at: SocketAddr) -> io::Result<TcpListener> {
    let socket = if at.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    // What is accepted has it from the socket that listens.
    socket.set_nodelay(true)?;
    socket.bind(at)?;
    socket.listen(WAITING)
}
