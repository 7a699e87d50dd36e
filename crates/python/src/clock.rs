//! Time and randomness of a turn, as the system has them.

use cpu_time::ThreadTime;
use ptc_lisp::interface::Clock;
use std::cell::Cell;
use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Time since a turn began, of the thread that runs it.
pub struct TurnClock {
    wall: Instant,
    /// When the turn turned out to be no short one.
    cpu: Cell<Option<ThreadTime>>,
}

impl TurnClock {
    /// A clock that starts now, on this thread.
    pub fn start() -> Self {
        TurnClock { wall: Instant::now(), cpu: Cell::new(None) }
    }
}

fn ms(d: Duration) -> u64 {
    u64::try_from(d.as_millis()).unwrap_or(u64::MAX)
}

impl Clock for TurnClock {
    fn cpu_ms(&self) -> u64 {
        self.cpu.get().and_then(|c| c.try_elapsed().ok()).map_or(0, ms)
    }

    fn wall_ms(&self) -> u64 {
        ms(self.wall.elapsed())
    }

    fn begin_cpu(&self) {
        if self.cpu.get().is_none() {
            self.cpu.set(ThreadTime::try_now().ok());
        }
    }
}

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX))
}

/// The seed of turn `turn`: of the session's seed where it has one, else of the system's randomness.
pub fn turn_seed(seed: Option<u64>, turn: u64) -> u64 {
    seed.map_or_else(|| RandomState::new().hash_one(turn), |s| s.wrapping_add(turn))
}
