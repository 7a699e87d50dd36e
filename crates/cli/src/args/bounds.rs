//! What numbers of options may be.

/// The highest number of a turn that an option takes: more is a slip of the finger.
pub const MOST_COUNT: u64 = 1_000_000_000;
