//! What all requests share.

use crate::access::Access;
use crate::client::Client;
use crate::http::metrics::{Now, Requests};
use crate::http::options::HttpOptions;
use crate::http::page_maker::PageMaker;
use crate::rates::{Rates, ReadPlace};
use crate::refused::Refused;
use crate::sessions::Sessions;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

/// Bytes of a trace of which much can be made at a time.
const SHORT_TRACE: u64 = 1 << 20;

/// What all requests share.
pub(crate) struct App {
    pub(crate) sessions: Sessions,
    pub(crate) options: HttpOptions,
    pub(crate) access: Access,
    pub(crate) requests: Requests,
    /// Whether clients may decide about calls that wait.
    pub(crate) approvals: bool,
    /// Makes the page of a session.
    pub(crate) page: Option<PageMaker>,
    /// What sessions wait for whose pages are looked at, and of which length of their traces that is.
    pub(crate) waits: Mutex<HashMap<String, (u64, &'static str)>>,
    /// What addresses of pages are made with.
    pub(crate) secret: [u8; 32],
    /// Set when the server stops.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl App {
    pub(crate) fn new(
        sessions: Sessions,
        options: HttpOptions,
        access: Access,
        approvals: bool,
        page: Option<PageMaker>,
        secret: [u8; 32],
        stopping: watch::Receiver<bool>,
    ) -> Self {
        let (requests, waits) = (Requests::default(), Mutex::default());
        App { sessions, options, access, requests, approvals, page, waits, secret, stopping }
    }

    pub(crate) fn rates(&self) -> &Arc<Rates> {
        &self.sessions.inner.rates
    }

    /// A place to make something of a whole session; of a short one it takes none. It is given back when that is made, since long
    /// answers wait in files.
    pub(crate) async fn heavy(&self, client: &Client, id: &str) -> Result<Option<ReadPlace>, Refused> {
        let (_, bytes) = self.sessions.trace_file(client, id).await?;
        if bytes <= SHORT_TRACE {
            return Ok(None);
        }
        self.rates().heavy().await.map(Some)
    }

    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// What happens now.
    pub(crate) fn now(&self) -> Now {
        let (running, waiting, kept) = self.sessions.counts();
        Now { running, waiting, kept, streams: self.rates().streams() }
    }
}
