//! What is kept of an input after it was answered: by its own retention, or by the threshold of the policy.

use crate::conversation::message::{Part, Retention};
use crate::policy::Policy;

/// Inputs up to this many bytes are kept as they are in summary mode.
pub const SMALL: usize = 1000;

/// The retention of an input, by its own setting and the policy's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AppliedRetention {
    pub retention: Retention,
    /// Whether the threshold decided, not its own setting.
    pub automatic: bool,
}

/// Decides by the retention that the input has, and by the threshold where it has none or `full`.
pub(super) fn decide(part: &Part, text: &str, policy: &Policy) -> AppliedRetention {
    let own = part.history_retention;
    let large = policy.auto_summary_threshold > 0 && text.len() as u64 > policy.auto_summary_threshold;
    let explicit_full = own == Some(Retention::Full) && policy.honour_explicit_full;
    match own.unwrap_or_default() {
        Retention::Full if large && !explicit_full => {
            AppliedRetention { retention: Retention::Summary, automatic: true }
        }
        retention => AppliedRetention { retention, automatic: false },
    }
}

/// What history keeps of an input after its act has ended: all, a summary or nothing. Where a summary would not
/// be made, because the input is small or retention is off, it is all.
pub fn kept(part: &Part, text: &str, policy: &Policy) -> Retention {
    match decide(part, text, policy).retention {
        _ if !policy.retention => Retention::Full,
        Retention::Summary if text.len() <= SMALL => Retention::Full,
        other => other,
    }
}

/// The handle of an input: its message and its block in it, both counted from 0.
pub(super) fn handle(at: usize, block: usize) -> String {
    format!("{at}.{block}")
}
