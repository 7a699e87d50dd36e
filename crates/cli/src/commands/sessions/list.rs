//! `ptc sessions list`: the newest sessions, laid out to the width.

use super::json_line::line;
use super::when;
use crate::args::ListArgs;
use crate::exit_code::DONE;
use crate::terminal::columns::{cut, width as columns};
use crate::terminal::io::{CliError, DIM, Io};
use ptc_agent::sessions::{SessionStatus, SessionStore, SessionSummary};
use ptc_agent::{Error, ErrorKind, Totals, error_text, host};

/// The width where there is no terminal.
const WIDTH: usize = 120;
/// Least width of the question.
const QUESTION: usize = 16;
/// Most columns of a task's name.
const TASK: usize = 20;

/// Runs the command.
pub fn list(a: &ListArgs, store: &SessionStore, io: &mut Io<'_>) -> Result<i32, CliError> {
    let since = a.since.as_deref().map(|t| when::since("--since", t, host::now_ms())).transpose()?;
    let status = match a.status.as_deref() {
        Some(name) => Some(status(name)?),
        None => None,
    };
    let wanted = |s: &SessionSummary| {
        a.task.as_ref().is_none_or(|t| s.task.as_ref() == Some(t))
            && status.is_none_or(|status| s.status == status)
            && since.is_none_or(|t| s.created >= t)
    };
    let all: Vec<SessionSummary> = store.list()?.into_iter().filter(wanted).collect();
    let shown = all.get(..a.limit.min(all.len())).unwrap_or_default();
    if a.json {
        for one in shown {
            line(one, io)?;
        }
        return Ok(DONE);
    }
    if all.is_empty() {
        io.info(&format!("no session, in {}", store.folder().display()));
        return Ok(DONE);
    }
    for row in table(shown, io.context.width.unwrap_or(WIDTH)) {
        writeln!(io.out, "{row}")?;
    }
    if all.len() > shown.len() {
        io.info(&format!("{DIM}{} of {}; more with --limit{DIM:#}", shown.len(), all.len()));
    }
    Ok(DONE)
}

fn status(name: &str) -> Result<SessionStatus, Error> {
    SessionStatus::named(name).ok_or_else(|| {
        let all: Vec<&str> = SessionStatus::ALL.into_iter().map(SessionStatus::as_str).collect();
        let shown = ptc_lisp::escape::quoted(name);
        Error::new(ErrorKind::Usage, error_text!("there is no status {shown}"; "give one of {}", all.join(", ")))
    })
}

/// The rows of a table, its head first. The question has what the other columns leave.
fn table(all: &[SessionSummary], width: usize) -> Vec<String> {
    let head = ["ID", "BEGAN (UTC)", "STATUS", "TURNS", "TOKENS", "COST", "TASK", "QUESTION"].map(str::to_owned);
    let row = |s: &SessionSummary| {
        [
            s.id.clone(),
            when::text(s.created),
            s.status.as_str().to_owned(),
            s.totals.turns.to_string(),
            s.totals.tokens().to_string(),
            s.totals.cost.map_or_else(|| "-".to_owned(), |c| format!("{c:.4}")),
            cut(s.task.as_deref().unwrap_or("-"), TASK),
            s.title.clone(),
        ]
    };
    let rows: Vec<[String; 8]> = std::iter::once(head).chain(all.iter().map(row)).collect();
    let mut widths = [0_usize; 8];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(columns(cell));
        }
    }
    let others: usize = widths.iter().take(7).fold(0, |sum: usize, w| sum.saturating_add(*w).saturating_add(2));
    let question = width.saturating_sub(others).max(QUESTION);
    let lines = rows.iter().map(|row| {
        let mut out = String::new();
        for (at, (cell, width)) in row.iter().zip(widths).enumerate() {
            let blanks = " ".repeat(width.saturating_sub(columns(cell)));
            match at {
                3..=5 => out.push_str(&format!("{blanks}{cell}  ")),
                7 => out.push_str(&cut(cell, question)),
                _ => out.push_str(&format!("{cell}{blanks}  ")),
            }
        }
        out.trim_end().to_owned()
    });
    lines.collect()
}

/// What a session used, in words.
pub fn totals(t: &Totals) -> String {
    format!("{}, {}", turns(t.turns), crate::terminal::progress::totals(t))
}

/// So many turns, in words.
pub fn turns(n: u64) -> String {
    if n == 1 { "1 turn".to_owned() } else { format!("{n} turns") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_cut_and_never_the_ids() {
        assert_eq!((cut("abcdef", 6), cut("äbcdefg", 6)), ("abcdef".to_owned(), "äbcde…".to_owned()));
        assert!(status("oops").unwrap_err().text().contains("give one of running, returned"));
        assert_eq!(table(&[], 40).len(), 1);
    }
}
