//! Messages while they are repaired.

use crate::conversation::message::{Block, Meta, Role};

/// A message that is being repaired.
pub(super) struct Draft {
    pub role: Role,
    pub pieces: Vec<DraftBlock>,
    pub meta: Option<Box<Meta>>,
    /// The message it came from.
    pub from: usize,
}

/// A block, where it came from, and the call that it makes or answers.
pub(super) struct DraftBlock {
    pub block: Block,
    pub from: usize,
    pub call: Option<usize>,
}
