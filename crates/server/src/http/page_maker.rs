//! Who makes the pages of sessions: the server knows none.

use ptc_agent::Error;
use ptc_turns::Trace;
use std::sync::Arc;

/// Makes the page of a session from its trace; the number is its version, which the page asks for once a second.
pub type PageMaker = Arc<dyn Fn(&Trace, u64) -> Result<String, Error> + Send + Sync>;
