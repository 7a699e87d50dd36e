//! The MCP server over a pair of streams: the way in which clients start it.

use super::McpServer;
use rmcp::ServiceExt as _;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::oneshot;

/// Most bytes of a message; a longer line is dropped.
const LINE_BYTES: usize = 16 << 20;
/// How long a client that has closed its end has to take what it is still told.
const LAST: Duration = Duration::from_secs(5);

/// Tells when there is nothing more to read.
struct TellsEnd<R> {
    from: R,
    end: Option<oneshot::Sender<()>>,
}

impl<R: AsyncRead + Unpin> AsyncRead for TellsEnd<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let (before, room) = (into.filled().len(), into.remaining());
        let read = Pin::new(&mut self.from).poll_read(cx, into);
        let ended = match &read {
            Poll::Pending => false,
            Poll::Ready(Ok(())) => room > 0 && into.filled().len() == before,
            Poll::Ready(Err(_)) => true,
        };
        if let Some(end) = self.end.take_if(|_| ended) {
            let _ = end.send(());
        }
        read
    }
}

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
    let (end, ended) = oneshot::channel();
    let from = TellsEnd { from, end: Some(end) };
    let transport = AsyncRwTransport::new_server(from, to).with_max_line_length(LINE_BYTES);
    let serving = async {
        match server.serve(transport).await {
            Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
            // Who closes before it has begun wanted nothing.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(e) => Err(io::Error::other(e)),
        }
    };
    // Who has closed its end and takes nothing is not told for ever.
    let deaf = async {
        let _ = ended.await;
        tokio::time::sleep(LAST).await;
    };
    let served = tokio::select! {
        served = serving => served,
        () = deaf => Ok(()),
    };
    sessions.stop().await;
    served
}
