//! What every store must do, tried.

use super::JournalStore;
use crate::error::{Error, ErrorKind};
use ptc_turns::{Header, TurnRecord};

/// The sessions that the check makes, and removes.
const NAMES: [&str; 2] = ["ptc-check.1", "ptc-check.2"];

/// Tries on a store what an agent rests on: lines come back as they were added and in order, one writer at a time, forks and
/// removals. What it writes is in the sessions `ptc-check.1` and `ptc-check.2`, which it removes. For tests of a store of
/// one's own.
///
/// # Errors
/// What the store does not do as it must, or its own error.
pub fn check_store(store: &dyn JournalStore) -> Result<(), Error> {
    for name in NAMES {
        // What a check that was killed left.
        let _ = store.remove(name);
    }
    let checked = lines_come_back(store).and_then(|lines| forks(store, &lines));
    for name in NAMES {
        let removed = store.remove(name);
        if checked.is_ok() {
            removed?;
            refused(store.read(name), "a session that was removed is read")?;
        }
    }
    checked
}

fn lines_come_back(store: &dyn JournalStore) -> Result<Vec<String>, Error> {
    let name = NAMES[0];
    refused(store.read(name), "a session that is not there is read")?;
    refused(store.open("../x"), "a session is called ../x")?;
    let mut first = store.open(name)?;
    same(&first.lines()?, &[], "a new session has lines")?;
    let mut lines = Vec::new();
    for text in ["a \"b\" 'c' \\ ; -- $1 ?1 %s \n", "\u{e9}\u{4e2d}\u{1f600}\u{202e}\u{0}", &"x".repeat(1 << 20)] {
        next(&mut lines, text);
    }
    for line in &lines {
        first.append(line)?;
    }
    same(&first.lines()?, &lines, "the writer has other lines than it added")?;
    same(&store.read(name)?, &lines, "a reader sees other lines than were added")?;
    if !store.sessions()?.iter().any(|n| n == name) {
        return wrong("a session that is there is not listed");
    }
    match store.open(name) {
        // Refused while the first lives.
        Err(_) => {
            refused(store.remove(name), "a session is removed while it is written")?;
            first.append(&next(&mut lines, "first"))?;
        }
        // Handed over: from here on the second is the one writer.
        Ok(mut second) => {
            second.append(&next(&mut lines, "second"))?;
            refused(first.append(&of(9, "no")), "two writers add lines")?;
            refused(first.append(&of(9, "no")), "a writer that was refused adds lines")?;
        }
    }
    drop(first);
    let mut again = store.open(name)?;
    same(&again.lines()?, &lines, "a session that is opened again has other lines")?;
    again.append(&next(&mut lines, "again"))?;
    same(&store.read(name)?, &lines, "a session that is gone on with has other lines")?;
    Ok(lines)
}

fn forks(store: &dyn JournalStore, lines: &[String]) -> Result<(), Error> {
    let [name, new] = NAMES;
    store.fork(name, new, 2)?;
    let two = lines.get(..2).unwrap_or_default();
    same(&store.read(new)?, two, "a fork has other lines than its beginning")?;
    refused(store.fork(name, new, 2), "a fork takes the place of a session")?;
    refused(store.fork("ptc-check.3", "ptc-check.4", 2), "a session that is not there is forked")?;
    let mut fork = store.open(new)?;
    fork.append(&of(2, "fork"))?;
    same(&store.read(name)?, lines, "a line of a fork is in the session it was made from")?;
    same(fork.lines()?.get(..2).unwrap_or_default(), two, "a fork loses its beginning")
}

/// A line more, and the same kept in `lines`.
fn next(lines: &mut Vec<String>, text: &str) -> String {
    let line = of(lines.len(), text);
    lines.push(line.clone());
    line
}

/// The line of a trace that stands at this place.
fn of(at: usize, text: &str) -> String {
    let line = match at as u64 {
        0 => ptc_turns::trace::line(&Header::new("s", text, 5)),
        turn => ptc_turns::trace::line(&TurnRecord { program: text.to_owned(), ..TurnRecord::empty(turn) }),
    };
    line.trim_end().to_owned()
}

fn same(found: &[String], expected: &[String], words: &'static str) -> Result<(), Error> {
    if found == expected { Ok(()) } else { wrong(words) }
}

fn refused<T>(done: Result<T, Error>, words: &'static str) -> Result<(), Error> {
    if done.is_err() { Ok(()) } else { wrong(words) }
}

fn wrong<T>(words: &'static str) -> Result<T, Error> {
    Err(Error::new(ErrorKind::Trace, format!("the store does not keep its promises: {words}")))
}
