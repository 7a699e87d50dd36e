//! What all requests share.

use crate::access::Access;
use crate::http::metrics::{Now, Requests};
use crate::http::options::HttpOptions;
use crate::http::page_maker::PageMaker;
use crate::rates::Rates;
use crate::sessions::Sessions;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

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

    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// What happens now.
    pub(crate) fn now(&self) -> Now {
        let (running, waiting, kept) = self.sessions.counts();
        Now { running, waiting, kept, streams: self.rates().streams() }
    }
}
