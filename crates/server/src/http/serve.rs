//! The server: connections, how long they may take, and the end.

use crate::http::access::{Access, Tokens};
use crate::http::app::App;
use crate::http::options::HttpOptions;
use crate::http::page_maker::PageMaker;
use crate::http::router::router;
use crate::http::write_timeout::WriteTimeout;
use crate::sessions::Sessions;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use ptc_agent::{Error, ErrorKind, error_text};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// What is waited for after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);
/// Bytes of the head of a request.
const HEAD_BYTES: usize = 32 * 1024;

/// What is served, and to whom.
pub struct HttpServing {
    /// The sessions.
    pub sessions: Sessions,
    /// Limits of HTTP.
    pub options: HttpOptions,
    /// The tokens of clients; with none, programs of this machine are served without.
    pub tokens: Tokens,
    /// Names that requests may call this machine by, besides `localhost`.
    pub hosts: Vec<String>,
    /// Makes the pages of sessions.
    pub page: Option<PageMaker>,
}

impl HttpServing {
    /// These sessions, to programs of this machine.
    pub fn new(sessions: Sessions) -> Self {
        let (options, tokens) = (HttpOptions::default(), Tokens::default());
        HttpServing { sessions, options, tokens, hosts: Vec::new(), page: None }
    }
}

/// A server that listens.
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    stop: watch::Sender<bool>,
}

impl HttpServer {
    /// Begins to listen at this address; port 0 is any that is free.
    ///
    /// # Errors
    /// When the address cannot be had, or others than this machine would be served without a token.
    pub async fn bind(address: SocketAddr, serving: HttpServing) -> Result<Self, Error> {
        let HttpServing { sessions, options, tokens, hosts, page } = serving;
        let access = Access::new(address, tokens, &hosts)?;
        let failed = |e: std::io::Error| {
            let words = error_text!("{address} cannot be listened at: {e}"; "give --listen with another port");
            Error::new(ErrorKind::Usage, words)
        };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let mut secret = [0; 32];
        getrandom::fill(&mut secret)
            .map_err(|e| Error::new(ErrorKind::Runtime, format!("no random number can be had: {e}")))?;
        let (stop, stopping) = watch::channel(false);
        let app = Arc::new(App::new(sessions, options, access, page, secret, stopping));
        Ok(HttpServer { listener, address, app, stop })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` is there. Then no turn begins any more; those that run have `stop_seconds` to end, and
    /// what has not is in the journals of the traces; streams end; answers that are ready are sent.
    pub async fn serve(self, stop: impl Future<Output = ()>) {
        let HttpServer { listener, app, stop: tell, .. } = self;
        let options = app.options.clone();
        let places = Arc::new(Semaphore::new(usize::try_from(options.connections).unwrap_or(usize::MAX >> 4)));
        let service = TowerToHyperService::new(router(app.clone()));
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
            let connection = http.serve_connection(TokioIo::new(stream), service.clone());
            let watched = graceful.watch(connection);
            tokio::spawn(async move {
                // An error is a client that is gone, or too slow.
                let _ = watched.await;
                drop(permit);
            });
        }
        drop(listener);
        tell.send_replace(true);
        app.sessions.stop().await;
        // The answers of the last turns are on their way.
        let _ = tokio::time::timeout(Duration::from_secs(options.write_seconds.min(5)), graceful.shutdown()).await;
    }
}
