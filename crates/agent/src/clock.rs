//! Time and randomness as the host provides them: a clock for each turn, the time of day, a seed.

use cpu_time::ThreadTime;
use ptc_lisp::interface::Clock;
use ptc_turns::Header;
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Time since a turn began, of the thread that runs it.
pub struct HostClock {
    wall: Instant,
    /// When the turn turned out to be no short one.
    cpu: Cell<Option<ThreadTime>>,
}

impl HostClock {
    /// A clock that starts now, on this thread.
    pub fn start() -> Self {
        HostClock { wall: Instant::now(), cpu: Cell::new(None) }
    }
}

fn ms(d: Duration) -> u64 {
    u64::try_from(d.as_millis()).unwrap_or(u64::MAX)
}

impl Clock for HostClock {
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

/// The seed of a turn: the same for the same task and turn, so that a run can be repeated by anyone, step by step too.
pub fn turn_seed(header: &Header, turn: u64) -> u64 {
    let mut hash = Sha256::new();
    hash.update(header.prompt.as_bytes());
    hash.update(turn.to_le_bytes());
    hash.finalize().iter().take(8).fold(0, |n, b| n << 8 | u64::from(*b))
}

/// The digest of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut out, b| {
        let _ = write!(out, "{b:02x}");
        out
    })
}

/// What keys of a session's calls begin with: no other session has it.
pub(crate) fn session_key() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    // Seeded by the system, and anew for each.
    let chance = [RandomState::new().hash_one(now), RandomState::new().hash_one(std::process::id())];
    let mut bytes = now.to_le_bytes().to_vec();
    chance.iter().for_each(|c| bytes.extend(c.to_le_bytes()));
    sha256(&bytes).chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_the_turns_own_and_digests_those_of_the_world() {
        let header = Header::new("s", "p", 5);
        assert_eq!(turn_seed(&header, 1), turn_seed(&header, 1));
        assert_ne!(turn_seed(&header, 1), turn_seed(&header, 2));
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn sleeping_takes_wall_time_and_no_cpu_time() {
        let clock = HostClock::start();
        clock.begin_cpu();
        std::thread::sleep(Duration::from_millis(20));
        assert!(clock.wall_ms() >= 20 && clock.cpu_ms() < 20);
        let end = Instant::now() + Duration::from_secs(60);
        // What it counts is counted from the first time it was begun.
        while clock.cpu_ms() < 5 && Instant::now() < end {
            clock.begin_cpu();
        }
        assert!(clock.cpu_ms() >= 5);
    }
}
