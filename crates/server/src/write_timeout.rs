//! A connection that ends when its reader takes nothing for a while.

use std::future::Future as _;
use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// The connection.
pub(crate) struct WriteTimeout<S> {
    inner: S,
    limit: Duration,
    /// Runs while something that is ready is not taken.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> WriteTimeout<S> {
    pub(crate) fn new(inner: S, limit: Duration) -> Self {
        WriteTimeout { inner, limit, waiting: None }
    }

    fn checked<T>(&mut self, wrote: Poll<Result<T>>, cx: &mut Context<'_>) -> Poll<Result<T>> {
        if wrote.is_ready() {
            self.waiting = None;
            return wrote;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(self.limit)));
        match waiting.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(Error::from(ErrorKind::TimedOut))),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<Result<usize>> {
        let wrote = Pin::new(&mut self.inner).poll_write(cx, buf);
        self.checked(wrote, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let wrote = Pin::new(&mut self.inner).poll_write_vectored(cx, bufs);
        self.checked(wrote, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(cx);
        self.checked(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let ended = Pin::new(&mut self.inner).poll_shutdown(cx);
        self.checked(ended, cx)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    #[tokio::test(start_paused = true)]
    async fn who_takes_nothing_is_given_up_and_who_takes_slowly_is_not() {
        let (here, mut there) = tokio::io::duplex(4);
        let mut here = WriteTimeout::new(here, Duration::from_secs(10));
        here.write_all(b"full").await.unwrap();
        let taken = tokio::spawn(async move {
            let mut all = [0; 8];
            for at in 0..8 {
                tokio::time::sleep(Duration::from_secs(6)).await;
                there.read_exact(&mut all[at..=at]).await.unwrap();
            }
            (all, there)
        });
        here.write_all(b"more").await.unwrap();
        let (all, there) = taken.await.unwrap();
        assert_eq!(&all, b"fullmore");
        here.write_all(b"full").await.unwrap();
        assert_eq!(here.write_all(b"more").await.unwrap_err().kind(), ErrorKind::TimedOut);
        drop(there);
    }
}
