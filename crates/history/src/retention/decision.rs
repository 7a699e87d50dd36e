//! What is kept of an input once it was answered: its own word, or the threshold of the policy.

use crate::conversation::message::{Part, Retention};
use crate::policy::Policy;

/// Inputs up to this many bytes are kept as they are in summary mode.
pub const SMALL: usize = 1000;

/// What is done with an input, as its own retention and the policy's numbers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    pub retention: Retention,
    /// By the threshold, not by its own word.
    pub automatic: bool,
}

/// Decides it by the retention that the input has, and by the threshold where it has none or `full`.
pub(super) fn decide(part: &Part, text: &str, policy: &Policy) -> Decision {
    let own = part.history_retention;
    let large = policy.auto_summary_threshold > 0 && text.len() as u64 > policy.auto_summary_threshold;
    let explicit_full = own == Some(Retention::Full) && policy.honour_explicit_full;
    match own.unwrap_or_default() {
        Retention::Full if large && !explicit_full => Decision { retention: Retention::Summary, automatic: true },
        retention => Decision { retention, automatic: false },
    }
}

/// What history keeps of an input once its act is over: all, a summary or nothing. A summary that is not one,
/// because the input is small or summing up is turned off, is all.
pub fn kept(part: &Part, text: &str, policy: &Policy) -> Retention {
    match decide(part, text, policy).retention {
        _ if !policy.retention => Retention::Full,
        Retention::Summary if text.len() <= SMALL => Retention::Full,
        other => other,
    }
}

/// Names an input: its message and its block in it, both counted from 0.
pub(super) fn handle(at: usize, block: usize) -> String {
    format!("{at}.{block}")
}
