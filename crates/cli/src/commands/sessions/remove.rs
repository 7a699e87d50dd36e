//! `ptc sessions rm` and `prune`: sessions that are no longer wanted.

use super::when;
use crate::args::{PruneArgs, RmArgs};
use crate::exit_code::{DONE, FAILED};
use crate::terminal::io::{CliError, Io};
use ptc_agent::sessions::{SessionStatus, SessionStore};
use ptc_agent::{Error, ErrorKind, error_text, host};

/// Removes the sessions that are named: all or, where one cannot be, none.
pub fn rm(a: &RmArgs, store: &SessionStore, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut ids = Vec::new();
    for prefix in &a.ids {
        let id = store.find(prefix)?;
        if store.show(&id)?.status == SessionStatus::Running {
            let words = error_text!("session {id} is running"; "end it first, and then remove it");
            return Err(Error::new(ErrorKind::Session, words).into());
        }
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    remove(&ids, a.yes, store, io)
}

/// Removes old sessions.
pub fn prune(a: &PruneArgs, store: &SessionStore, io: &mut Io<'_>) -> Result<i32, CliError> {
    if a.older_than.is_none() && a.keep.is_none() {
        let words = "it is not said which sessions are old; add --older-than 30d, --keep 20, or both";
        return Err(Error::new(ErrorKind::Usage, words).into());
    }
    let age = a.older_than.as_deref().map(|t| when::age_of("--older-than", t)).transpose()?;
    let before = age.map_or(i64::MAX, |ms| host::now_ms().saturating_sub(ms));
    let old = store.list()?.into_iter().skip(a.keep.unwrap_or(0));
    let old = old.filter(|s| s.updated < before && s.status != SessionStatus::Running);
    let ids: Vec<String> = old.map(|s| s.id).collect();
    if ids.is_empty() {
        io.info("no session is to be removed");
        return Ok(DONE);
    }
    if a.dry_run {
        for id in &ids {
            writeln!(io.out, "{id}")?;
        }
        io.info(&format!("{} would be removed", count(ids.len())));
        return Ok(DONE);
    }
    remove(&ids, a.yes, store, io)
}

fn count(n: usize) -> String {
    if n == 1 { "1 session".to_owned() } else { format!("{n} sessions") }
}

/// Asks, where somebody is there to answer, and removes them.
fn remove(ids: &[String], yes: bool, store: &SessionStore, io: &mut Io<'_>) -> Result<i32, CliError> {
    if !yes {
        if !io.context.live {
            let words = error_text!("{} would be removed, and nobody is asked here", count(ids.len()); "add --yes");
            return Err(Error::new(ErrorKind::Usage, words).into());
        }
        ids.iter().for_each(|id| io.info(id));
        io.write(&format!("remove {} for good? [y/N] ", count(ids.len())));
        let mut answer = String::new();
        let read = std::io::BufRead::read_line(&mut std::io::Read::take(&mut *io.stdin, 100), &mut answer);
        if read.is_err() || !matches!(answer.trim(), "y" | "Y" | "yes") {
            io.info("nothing is removed");
            return Ok(FAILED);
        }
    }
    for id in ids {
        store.remove(id)?;
        io.info(&format!("removed {id}"));
    }
    Ok(DONE)
}
