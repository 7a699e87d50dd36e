//! A check of the returned value beyond its shape: the host knows how, the session only when.

use crate::trace::json::Json;
use std::sync::Arc;

/// Looks at a value as JSON text; an error says place by place what is wrong, in one line.
pub type Fits = dyn Fn(&str) -> Result<(), String> + Send + Sync;

/// What a returned value is held to. The rule stands in the header of the trace, the check is the host's.
#[derive(Clone)]
pub struct Check {
    /// The rule in words of its own, a JSON schema: the model reads it.
    pub schema: Json,
    /// The check.
    pub fits: Arc<Fits>,
}
