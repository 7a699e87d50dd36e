//! Which turn a value was made in: what is older than the running turn must be put back when that turn fails.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// The last number given to a turn of this process.
static LAST: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// The turn that runs on this thread; 0 outside of turns.
    static NOW: Cell<u32> = const { Cell::new(0) };
}

/// A running turn. Turns nest where a tool runs another session; the outer one continues when this is dropped.
pub struct TurnScope {
    outer: u32,
}

impl TurnScope {
    /// Begins a turn on this thread, with a number that no other turn has.
    pub fn begin() -> Self {
        let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_add(1));
        // Once the numbers are used up all turns have the last one, in which nothing counts as new.
        let now = last.map_or(u32::MAX, |n| n.saturating_add(1));
        TurnScope { outer: NOW.replace(now) }
    }
}

impl Drop for TurnScope {
    fn drop(&mut self) {
        NOW.set(self.outer);
    }
}

/// The number of the running turn.
#[inline]
pub fn now() -> u32 {
    NOW.get()
}

/// Whether what was made in turn `born` is older than the running turn, as far as that is known.
#[inline]
pub fn is_older(born: u32) -> bool {
    let now = now();
    born != now || now == u32::MAX
}
