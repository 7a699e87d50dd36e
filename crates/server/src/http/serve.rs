//! The server: connections, how long they may take, and the end.

use crate::access::Access;
use crate::connections;
use crate::http::app::App;
use crate::http::options::HttpOptions;
use crate::http::page_maker::PageMaker;
use crate::http::router::router;
use crate::sessions::Sessions;
use hyper_util::service::TowerToHyperService;
use ptc_agent::{Error, ErrorKind, error_text};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// What is served, and to whom.
pub struct HttpServing {
    /// The sessions.
    pub sessions: Sessions,
    /// Limits of HTTP.
    pub options: HttpOptions,
    /// Who may ask.
    pub access: Access,
    /// Whether clients may decide about calls that wait; if not, who runs the server does.
    pub approvals: bool,
    /// Makes the pages of sessions.
    pub page: Option<PageMaker>,
}

impl HttpServing {
    /// These sessions, to programs of this machine.
    pub fn new(sessions: Sessions) -> Self {
        HttpServing {
            sessions,
            options: HttpOptions::default(),
            access: Access::default(),
            approvals: true,
            page: None,
        }
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
        let HttpServing { sessions, options, access, approvals, page } = serving;
        access.may_listen(address.ip())?;
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
        let app = Arc::new(App::new(sessions, options, access.at(address), approvals, page, secret, stopping));
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
        let options = app.sessions.options().clone();
        let service = TowerToHyperService::new(router(app.clone()));
        let left = connections::take(listener, &options, service, stop).await;
        tell.send_replace(true);
        app.sessions.stop().await;
        // The answers of the last turns are on their way.
        let _ = tokio::time::timeout(Duration::from_secs(options.write_seconds.min(5)), left.shutdown()).await;
    }
}
