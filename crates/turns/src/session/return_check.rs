//! A check of the returned value beyond its type, provided by the host.

use crate::trace::json::Json;
use std::sync::Arc;

/// Checks a value as JSON text; an error says place by place what is wrong, in one line.
pub type Fits = dyn Fn(&str) -> Result<(), String> + Send + Sync;

/// The check of returned values. The schema is in the header of the trace, the check is the host's.
#[derive(Clone)]
pub struct Check {
    /// The JSON schema: the model reads it.
    pub schema: Json,
    /// The check.
    pub fits: Arc<Fits>,
}
