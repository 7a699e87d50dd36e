//! Messages while they are repaired.

use crate::conversation::message::{Block, Meta, Role};

/// A message in the making.
pub(super) struct Draft {
    pub role: Role,
    pub pieces: Vec<DraftBlock>,
    pub meta: Option<Box<Meta>>,
    /// The message it was begun for.
    pub from: usize,
}

/// A block, where it came from, and the call that it makes or answers.
pub(super) struct DraftBlock {
    pub block: Block,
    pub from: usize,
    pub call: Option<usize>,
}
