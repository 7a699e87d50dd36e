//! A stream that breaks off when its reader takes nothing for too long: who does not read must not keep a connection for ever.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// A stream whose writes fail when the other side takes nothing for `most`.
pub(crate) struct WriteTimeout<T> {
    stream: T,
    most: Duration,
    /// Runs while a write waits.
    waits: Option<Pin<Box<Sleep>>>,
}

impl<T> WriteTimeout<T> {
    pub(crate) fn new(stream: T, most: Duration) -> Self {
        WriteTimeout { stream, most, waits: None }
    }

    /// What a write came to, or that it has waited for too long.
    fn within<R>(&mut self, cx: &mut Context<'_>, wrote: Poll<io::Result<R>>) -> Poll<io::Result<R>> {
        if wrote.is_ready() {
            self.waits = None;
            return wrote;
        }
        let most = self.most;
        ready!(self.waits.get_or_insert_with(|| Box::pin(tokio::time::sleep(most))).as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the other side takes nothing")))
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for WriteTimeout<T> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<T> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.within(cx, wrote)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.within(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.within(cx, shut)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    #[test]
    fn who_reads_is_served_and_who_does_not_is_left() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let (near, mut far) = tokio::io::duplex(16);
            let mut stream = WriteTimeout::new(near, Duration::from_millis(20));
            let reads = tokio::spawn(async move {
                let mut read = vec![0; 1000];
                far.read_exact(&mut read).await.unwrap();
                far
            });
            stream.write_all(&[7; 1000]).await.unwrap();
            let _far = reads.await.unwrap();
            let error = stream.write_all(&[7; 1000]).await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        });
    }
}
