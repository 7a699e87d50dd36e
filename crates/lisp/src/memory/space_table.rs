//! Which namespaces a session's programs have.

use std::sync::Arc;

/// The namespaces of a session's programs.
#[derive(Clone, Default)]
pub(crate) struct Spaces {
    /// The one that definitions go to; `None` is `user`.
    pub(super) current: Option<Arc<str>>,
    /// All but `user`, in the order they came.
    pub(super) known: Vec<Arc<str>>,
}
