//! A move of the boundary of `auto`, with the figures that say why it is made or not.

use crate::policy::decision::Decision;
use serde::Serialize;
use std::fmt;
use std::ops::Range;

/// A move of the boundary, made or only considered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The turns that it folds, by their places from 0.
    pub turns: Range<usize>,
    /// How many turns there were.
    pub after: usize,
    /// Whether it was made.
    pub made: bool,
    /// The figures of the decision; `None` where the policy sets `batch_turns`, which is a fixed rule.
    pub decision: Option<Decision>,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.turns.start.saturating_add(1), self.turns.end);
        if first == last {
            write!(f, "after turn {}, turn {first} ", self.after)?;
        } else {
            write!(f, "after turn {}, turns {first} to {last} ", self.after)?;
        }
        f.write_str(match (self.made, first == last) {
            (true, true) => "was folded: ",
            (true, false) => "were folded: ",
            (false, true) => "stays whole: ",
            (false, false) => "stay whole: ",
        })?;
        match &self.decision {
            Some(decision) => write!(f, "{decision}"),
            None => f.write_str("as batch_turns says"),
        }
    }
}
