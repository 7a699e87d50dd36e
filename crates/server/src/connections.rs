//! Connections of a server that listens: how many there are, how long they may take, and how they end.

use crate::options::ServerOptions;
use crate::peers::{Peer, Peers};
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
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};

/// What is waited for after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);
/// Bytes of the head of a request.
const HEAD_BYTES: usize = 32 * 1024;
/// Most seconds until a peer has sent its first request that is admitted.
const STRANGER_SECONDS: u64 = 10;
/// What a peer is told for whom there is no place.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n";

/// Takes connections until `stop` is there. The service finds whose a request is, an [`Arc<Peer>`](Peer), in its extensions, and
/// says when one is admitted. Those that are left end with what this gives.
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
    let peers = Peers::new(options.connections, options.address_connections);
    let graceful = GracefulShutdown::new();
    tokio::pin!(stop);
    loop {
        let taken = tokio::select! {
            taken = listener.accept() => taken,
            () = &mut stop => break,
        };
        let Ok((stream, from)) = taken else {
            // Such as no descriptor being free: that does not end by asking at once.
            if !peers.make_room() {
                tokio::time::sleep(PAUSE).await;
            }
            tokio::task::yield_now().await;
            continue;
        };
        let Some(place) = peers.connect(from.ip()) else {
            refuse(stream);
            continue;
        };
        // Answers are small, and somebody waits for each.
        let _ = stream.set_nodelay(true);
        let stream = WriteTimeout::new(stream, Duration::from_secs(options.write_seconds));
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(options.head_seconds));
        http.max_buf_size(HEAD_BYTES);
        let of_peer = OfPeer { service: service.clone(), peer: place.0.clone() };
        let watched = graceful.watch(http.serve_connection(TokioIo::new(stream), of_peer));
        let first = Duration::from_secs(options.head_seconds.min(STRANGER_SECONDS));
        tokio::spawn(async move {
            let peer = &place.0;
            let stranger = async {
                tokio::time::sleep(first).await;
                if peer.is_admitted() {
                    std::future::pending().await
                }
            };
            // An error is a client that is gone, or too slow: what it asked for goes on.
            tokio::select! {
                _ = watched => {}
                () = peer.replaced.notified() => {}
                () = stranger => {}
            }
        });
    }
    graceful
}

/// Tells a peer that there is no place for it.
fn refuse(mut stream: TcpStream) {
    tokio::spawn(async move {
        let _ = tokio::time::timeout(PAUSE, stream.write_all(FULL)).await;
    });
}

/// The service, for the requests of a connection.
#[derive(Clone)]
struct OfPeer<S> {
    service: S,
    peer: Arc<Peer>,
}

impl<S: Service<Request<Incoming>>> Service<Request<Incoming>> for OfPeer<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, mut request: Request<Incoming>) -> S::Future {
        request.extensions_mut().insert(self.peer.clone());
        self.service.call(request)
    }
}

/// A request of this connection is admitted.
pub(crate) fn admit<B>(request: &Request<B>) {
    if let Some(peer) = request.extensions().get::<Arc<Peer>>() {
        peer.admit();
    }
}
