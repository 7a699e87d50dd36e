//! Runs that are killed at random moments. However often that happens, no turn that was told is lost, no call is made twice
//! without a word, no reply is asked for twice, and the prompts are those of a run that nobody killed. Kills at every write,
//! and disks that fail, are in tests/external: they need strace.
//!
//! `PTC_KILLS=1000 cargo test -p ptc-cli random_kills -- --nocapture` kills a thousand times and says what it saw.

mod session;

use session::{Session, once, undisturbed, whole_lines};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

#[test]
fn random_kills_lose_nothing() {
    /// Runs that are killed side by side: most of the time they wait for their disk and their tools.
    const RUNS: u64 = 4;
    let wanted: u64 = std::env::var("PTC_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(25);
    let expected = &undisturbed();
    let start = Instant::now();
    let seen: Vec<Seen> = std::thread::scope(|s| {
        let run =
            |n: u64| s.spawn(move || kill(wanted.div_ceil(RUNS), Dice(0x5eed_0bad_cafe_f00d ^ (n << 20)), expected));
        let runs: Vec<_> = (0..RUNS).map(run).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let sum = |of: fn(&Seen) -> usize| seen.iter().map(of).sum::<usize>();
    eprintln!(
        "{} kills in {} sessions ({} s): 0 of {} acknowledged turns lost, 0 effects repeated without a word, {} calls in \
         flight asked about and made again on request, {} read-only calls made again, the same prompts in all sessions",
        sum(|s| s.kills),
        sum(|s| s.sessions),
        start.elapsed().as_secs(),
        sum(|s| s.turns),
        sum(|s| s.words),
        sum(|s| s.looked),
    );
}

/// What was seen of runs that were killed.
#[derive(Default)]
struct Seen {
    kills: usize,
    sessions: usize,
    /// Approvals that were asked for.
    words: usize,
    /// Turns that were kept when a run was killed.
    turns: usize,
    /// Calls of what only looks that were made more than once.
    looked: usize,
}

/// Kills runs so many times, at moments that the dice say.
fn kill(wanted: u64, mut dice: Dice, expected: &str) -> Seen {
    let Seen { mut kills, mut sessions, mut words, mut turns, mut looked } = Seen::default();
    let wanted = wanted as usize;
    while kills < wanted {
        sessions += 1;
        let session = Session::new(&format!("random-{sessions}"));
        let mut approved: BTreeMap<String, usize> = BTreeMap::new();
        // How long a run takes that nobody kills, about, so that kills fall anywhere in it.
        let mut span = 450;
        loop {
            session.replies(session.replied());
            let mut child = session.command(&[]).env("PTC_PAUSE", "0.01").spawn().unwrap();
            let until = Instant::now() + Duration::from_micros(dice.below(span * 1000));
            let ended = loop {
                match child.try_wait().unwrap() {
                    Some(status) => break Some(status),
                    None if kills < wanted && Instant::now() >= until => break None,
                    None => std::thread::sleep(Duration::from_micros(200)),
                }
            };
            let Some(status) = ended else {
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
                // What stands there now is there for good.
                let kept = whole_lines(&session.trace());
                session.file("kept", "");
                std::fs::write(session.folder.join("kept"), &kept).unwrap();
                turns += session.lines().iter().filter(|l| l.get("turn").is_some()).count();
                // A call that was in flight may still be on its way: its process is not ours to kill.
                std::thread::sleep(Duration::from_millis(30));
                span = 50 + dice.below(600);
                if session.ended() {
                    break;
                }
                continue;
            };
            let kept = std::fs::read(session.folder.join("kept")).unwrap_or_default();
            assert!(session.trace().starts_with(&kept), "session {sessions}: what was kept is not there any more");
            match status.code() {
                Some(6) => {
                    for key in session.approve() {
                        words += 1;
                        *approved.entry(key).or_default() += 1;
                    }
                }
                Some(0) => break,
                _ => panic!("session {sessions}: {:?}", child.wait_with_output()),
            }
        }
        once(&session, &approved);
        looked += session.effects().values().filter(|e| e.0 == "look" && e.1 > 1).count();
        assert_eq!(session.whole(), expected, "session {sessions}");
    }
    Seen { kills, sessions, words, turns, looked }
}
