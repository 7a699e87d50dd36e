//! A store that kills its process at a line, as `kill -9` does, and writes down which lines were acknowledged.

use ptc_agent::Error;
use ptc_agent::journal_store::{JournalStore, JournalWriter};
use rustix::process::{Signal, getpid, kill_process};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// When the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before the store is asked to keep the line.
    Before,
    /// So many microseconds after it was asked.
    During(u64),
    /// When the line is acknowledged, before anybody hears of it.
    After,
}

/// A store whose process ends at its `at`th line.
#[derive(Debug)]
pub struct Kills {
    pub of: Box<dyn JournalStore>,
    pub at: u64,
    pub when: When,
    /// Where acknowledged lines are written down.
    pub acknowledged: PathBuf,
}

#[derive(Debug)]
struct Writer {
    of: Box<dyn JournalWriter>,
    left: u64,
    when: When,
    acknowledged: PathBuf,
}

impl JournalStore for Kills {
    fn open(&self, session: &str) -> Result<Box<dyn JournalWriter>, Error> {
        let of = self.of.open(session)?;
        Ok(Box::new(Writer { of, left: self.at, when: self.when, acknowledged: self.acknowledged.clone() }))
    }
    fn read(&self, session: &str) -> Result<Vec<String>, Error> {
        self.of.read(session)
    }
    fn sessions(&self) -> Result<Vec<String>, Error> {
        self.of.sessions()
    }
    fn fork(&self, session: &str, new: &str, lines: usize) -> Result<(), Error> {
        self.of.fork(session, new, lines)
    }
    fn remove(&self, session: &str) -> Result<(), Error> {
        self.of.remove(session)
    }
}

impl JournalWriter for Writer {
    fn lines(&mut self) -> Result<Vec<String>, Error> {
        self.of.lines()
    }

    fn append(&mut self, line: &str) -> Result<(), Error> {
        self.left = self.left.wrapping_sub(1);
        let now = self.left == 0;
        match self.when {
            When::Before if now => die(),
            When::During(us) if now => {
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_micros(us));
                    die();
                });
            }
            _ => {}
        }
        self.of.append(line)?;
        note(&self.acknowledged, line);
        if now && self.when == When::After {
            die();
        }
        Ok(())
    }
}

/// Ends this process as `kill -9` does.
fn die() {
    let _ = kill_process(getpid(), Signal::KILL);
    std::thread::sleep(Duration::from_secs(60));
}

/// Adds a line to a file. What was written outlives the process, which is all that is asked of it here.
pub fn note(path: &Path, line: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(format!("{line}\n").as_bytes()).unwrap();
}
