//! Connections of a server that listens: how many there are, how long they may take, and how they end.

use crate::options::ServerOptions;
use crate::write_timeout::WriteTimeout;
use hyper::body::{Body, Incoming};
use hyper::service::Service;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::error::Error;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// What is waited for after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);
/// Bytes of the head of a request.
const HEAD_BYTES: usize = 32 * 1024;

/// Takes connections until `stop` is there, also while as many are there as may. Those that are left end with what this gives.
pub(crate) async fn take<S, B>(
    listener: TcpListener,
    options: &ServerOptions,
    service: S,
    stop: impl Future<Output = ()>,
) -> GracefulShutdown
where
    S: Service<Request<Incoming>, Response = Response<B>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Into<Box<dyn Error + Send + Sync>>,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let most = usize::try_from(options.connections).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
    let places = Arc::new(Semaphore::new(most));
    let graceful = GracefulShutdown::new();
    tokio::pin!(stop);
    loop {
        let permit = tokio::select! {
            permit = places.clone().acquire_owned() => permit,
            () = &mut stop => break,
        };
        let Ok(permit) = permit else { break };
        let stream = tokio::select! {
            taken = listener.accept() => taken,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = stream else {
            // Such as no descriptor being free: that does not end by asking at once.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Answers are small, and somebody waits for each.
        let _ = stream.set_nodelay(true);
        let stream = WriteTimeout::new(stream, Duration::from_secs(options.write_seconds));
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(options.head_seconds));
        http.max_buf_size(HEAD_BYTES);
        let watched = graceful.watch(http.serve_connection(TokioIo::new(stream), service.clone()));
        tokio::spawn(async move {
            // An error is a client that is gone, or too slow: what it asked for goes on.
            let _ = watched.await;
            drop(permit);
        });
    }
    graceful
}
