//! How many turns there may be.

/// The limit of sessions that never run out of turns.
pub const ENDLESS: u64 = u64::MAX;

/// How many turns a session, or its current act, may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnLimit<'a> {
    /// The last turn there may be, counted over the whole session.
    pub last: u64,
    /// The limit as it was given: of an act its own number of turns.
    pub own: u64,
    /// The act whose limit it is.
    pub act: Option<&'a str>,
}

impl TurnLimit<'_> {
    /// Of a session without acts.
    pub fn of_session(max_turns: u64) -> Self {
        TurnLimit { last: max_turns, own: max_turns, act: None }
    }
}
