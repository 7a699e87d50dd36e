//! Why an act does not begin.

use crate::error::Error;
use crate::tools::pending::Pending;

/// Why an act did not begin.
pub(super) enum Unopened {
    /// What it needs is not available.
    Act(Error),
    /// A call that was made, or the act itself, could not be kept.
    Lost(Error),
    /// Calls for its inputs wait for a decision.
    Pending(Pending),
    /// A limit of the whole run is used up.
    Limit(Error),
}
