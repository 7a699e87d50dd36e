//! The MCP server over a pair of streams: the way in which clients start it.

use super::McpServer;
use super::lines::Lines;
use crate::sessions::Sessions;
use rmcp::ServiceExt as _;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::oneshot;

/// How long a client that has closed its end has to take what it is still told, while it takes some of it.
const LAST: Duration = Duration::from_secs(5);
/// How long such a client may take nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is looked at whether it has.
const PULSE: Duration = Duration::from_millis(50);
/// The same after a signal. Clients send one when their patience is over, and kill two seconds later.
const LAST_AFTER_SIGNAL: Duration = Duration::from_millis(500);
/// How long turns have to end after a signal, at most.
const GRACE_AFTER_SIGNAL: Duration = Duration::from_secs(1);

/// What is read of the client. Its end comes when `over` says so, or has no sender: until then those are answered who wait.
struct Input<R> {
    from: R,
    /// Told when the client has closed its end.
    closed: Option<oneshot::Sender<()>>,
    over: Option<oneshot::Receiver<()>>,
}

impl<R: AsyncRead + Unpin> AsyncRead for Input<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.closed.is_some() {
            let (before, room) = (into.filled().len(), into.remaining());
            let read = Pin::new(&mut self.from).poll_read(cx, into);
            let ended = match &read {
                Poll::Pending => false,
                Poll::Ready(Ok(())) => room > 0 && into.filled().len() == before,
                Poll::Ready(Err(_)) => true,
            };
            if let Some(closed) = self.closed.take_if(|_| ended) {
                let _ = closed.send(());
            } else if read.is_ready() {
                return read;
            }
        }
        if let Some(over) = &mut self.over {
            std::task::ready!(Pin::new(over).poll(cx)).unwrap_or_default();
            self.over = None;
        }
        Poll::Ready(Ok(()))
    }
}

/// Since when the client has taken nothing of what waits for it; `None` while nothing waits.
#[derive(Clone, Default)]
struct Untaken(Arc<Mutex<Option<Instant>>>);

impl Untaken {
    fn set(&self, waits: bool) {
        let mut since = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *since = if waits { since.or_else(|| Some(Instant::now())) } else { None };
    }

    /// Ready when the client has taken nothing for too long.
    async fn too_long(&self) {
        let since = || *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while since().is_none_or(|since| since.elapsed() < PATIENCE) {
            tokio::time::sleep(PULSE).await;
        }
    }
}

/// What the client is told.
struct Output<W> {
    to: W,
    untaken: Untaken,
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Output<W> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.to).poll_write(cx, bytes);
        self.untaken.set(written.is_pending());
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.to).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.to).poll_shutdown(cx)
    }
}

/// Turns end or stop, from when the client closes its end or a signal comes; how long the client then has to take what it is told.
/// One that takes nothing is not waited for.
async fn stopped(
    sessions: &Sessions,
    closed: oneshot::Receiver<()>,
    untaken: &Untaken,
    signal: impl Future<Output = ()>,
) -> Duration {
    let mut signal = pin!(signal);
    let after_close = async {
        let _ = closed.await;
        let nobody = tokio::select! {
            () = sessions.stop() => false,
            () = untaken.too_long() => true,
        };
        if nobody {
            sessions.stop_within(Duration::ZERO).await;
        }
    };
    tokio::select! {
        () = after_close => LAST,
        () = &mut signal => {
            let grace = Duration::from_secs(sessions.options().stop_seconds);
            sessions.stop_within(grace.min(GRACE_AFTER_SIGNAL)).await;
            LAST_AFTER_SIGNAL
        }
    }
}

/// Serves until the client closes its end or `signal` is ready. Turns that run then have `stop_seconds` to end, after a signal, and where the
/// client takes nothing of what it is told, a second at most; the others stay in their journals. Who waits for one is answered.
///
/// # Errors
/// When the client does not begin as the protocol says, or cannot be told anything any more.
pub async fn serve_stdio(
    server: McpServer,
    from: impl AsyncRead + Send + Unpin + 'static,
    to: impl AsyncWrite + Send + Unpin + 'static,
    signal: impl Future<Output = ()>,
) -> io::Result<()> {
    let sessions = server.sessions.clone();
    let ((close, closed), (end, over)) = (oneshot::channel(), oneshot::channel());
    let from = Input { from, closed: Some(close), over: Some(over) };
    let untaken = Untaken::default();
    let to = Output { to, untaken: untaken.clone() };
    let serving = async {
        match server.serve(Lines::new(from, to)).await {
            Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
            // Who closes before it has begun wanted nothing.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(e) => Err(io::Error::other(e)),
        }
    };
    let mut signal = pin!(signal);
    // Who takes nothing is not told for ever.
    let ending = async {
        let last = stopped(&sessions, closed, &untaken, &mut signal).await;
        let _ = end.send(());
        tokio::select! {
            () = tokio::time::sleep(last) => {}
            () = untaken.too_long() => {}
            () = after(signal, LAST_AFTER_SIGNAL), if last > LAST_AFTER_SIGNAL => {}
        }
    };
    let served = tokio::select! {
        served = serving => served,
        () = ending => return Ok(()),
    };
    // Nobody can be told any more.
    sessions.stop().await;
    served
}

async fn after(signal: impl Future<Output = ()>, last: Duration) {
    signal.await;
    tokio::time::sleep(last).await;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    #[tokio::test]
    async fn the_end_of_the_input_comes_when_it_may_and_stays() {
        let ((close, closed), (end, over)) = (oneshot::channel(), oneshot::channel());
        let mut input = Input { from: &b"line"[..], closed: Some(close), over: Some(over) };
        let mut read = [0; 4];
        input.read_exact(&mut read).await.unwrap();
        let ended = tokio::time::timeout(Duration::from_millis(20), input.read(&mut read)).await;
        assert!(ended.is_err() && closed.await.is_ok(), "{ended:?}");
        end.send(()).unwrap();
        assert_eq!((input.read(&mut read).await.unwrap(), input.read(&mut read).await.unwrap()), (0, 0));
    }

    #[tokio::test]
    async fn who_takes_something_is_waited_for() {
        let (to, mut client) = tokio::io::duplex(4);
        let untaken = Untaken::default();
        let mut to = Output { to, untaken: untaken.clone() };
        to.write_all(b"held").await.unwrap();
        let quick = |untaken: Untaken| async move { tokio::time::timeout(PULSE, untaken.too_long()).await };
        assert!(quick(untaken.clone()).await.is_err());
        {
            let mut more = pin!(to.write_all(b"more"));
            assert!(std::future::poll_fn(|cx| Poll::Ready(more.as_mut().poll(cx))).await.is_pending());
            untaken.too_long().await;
            client.read_exact(&mut [0; 4]).await.unwrap();
            more.await.unwrap();
        }
        assert!(quick(untaken).await.is_err());
    }
}
