//! Who is served.

use std::sync::Arc;

/// Who is served: limits are each client's own, and so are sessions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Client(pub(crate) Arc<str>);

impl Client {
    /// The client of this name. It is kept with its sessions: the same name has them after a restart.
    pub fn new(name: &str) -> Self {
        Client(name.into())
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }
}
