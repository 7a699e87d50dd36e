//! What is said of a trace that cannot be read, and of what can be done with it.

use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use crate::files::read_text;
use ptc_turns::trace::{DamagedLine, Loaded};
use ptc_turns::{Trace, TurnRecord};
use std::path::Path;

/// Reads a trace all of whose lines but the last must be what was written.
pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Loaded, Error> {
    parse_kept(path, bytes, &mut |turn| turn)
}

/// The same with what `keep` leaves of its turns.
pub(crate) fn parse_kept(
    path: &Path,
    bytes: &[u8],
    keep: &mut dyn FnMut(TurnRecord) -> TurnRecord,
) -> Result<Loaded, Error> {
    match Trace::read_undamaged(&mut &*bytes, keep).map_err(|e| Error::io(path, "read", &e))? {
        Ok((loaded, None)) => Ok(loaded),
        Ok((loaded, Some(damaged))) => Err(is_damaged(path, &damaged, &loaded.trace)),
        Err(damaged) => Err(is_none(path, &damaged)),
    }
}

/// That a line in the middle of a trace cannot be read; `before` is what stands before it.
pub(crate) fn is_damaged(path: &Path, damaged: &DamagedLine, before: &Trace) -> Error {
    let message = ptc_lisp::escape::line(&damaged.error.message);
    let words = match Kept::of(path) {
        Some(kept) => error_text!("{message}"; "{}", kept.way_on(before)),
        None => {
            let lines = damaged.line.saturating_sub(1);
            let mend = damaged.error.hint.as_deref().unwrap_or("correct that line in a copy");
            error_text!("{message}"; "ptc trace shows what is before it; {mend}, or go on with the lines before it: head -n {lines} FILE > COPY")
        }
    };
    Error::new(ErrorKind::Trace, words).at(&path.display().to_string())
}

/// That a file is no trace: its first line is no header.
pub(crate) fn is_none(path: &Path, damaged: &DamagedLine) -> Error {
    let message = ptc_lisp::escape::line(&damaged.error.message);
    let hint = match Kept::of(path) {
        Some(Kept { id, label: None, .. }) => {
            format!("nothing of it can be read: run its task again, or remove it with ptc sessions rm {id}")
        }
        Some(kept) => kept.without_it(),
        None => "give a file that `ptc run --trace` or `ptc step` wrote".to_owned(),
    };
    Error::new(ErrorKind::Trace, ErrorText::new(message.to_string(), hint)).at(&path.display().to_string())
}

/// A trace in the folder of a kept session: a copy elsewhere would lack its subtasks.
struct Kept {
    id: String,
    /// Of a subtask what names it in the session.
    label: Option<String>,
    /// It does not end by `return`.
    open_ended: bool,
}

impl Kept {
    /// The session whose folder has this trace: it has notes beside its trace.
    fn of(path: &Path) -> Option<Self> {
        let path = std::path::absolute(path).ok()?;
        let id = path.parent()?.file_name()?.to_str()?.to_owned();
        let name = path.file_name()?.to_str()?.strip_prefix("trace.")?;
        let label = name.strip_suffix(".jsonl").map(str::to_owned);
        let notes = path.with_file_name("session.json");
        let kept = notes.is_file() && (label.is_some() || name == "jsonl");
        kept.then(|| {
            // What cannot be read says nothing.
            let notes = read_text(&notes).ok().and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
            let open_ended = notes.is_some_and(|notes| notes.get("open_ended") == Some(&true.into()));
            Kept { id, label, open_ended }
        })
    }

    /// What can be done with a session whose trace can be read up to here.
    fn way_on(&self, before: &Trace) -> String {
        let Kept { id, label, open_ended } = self;
        if let Some(label) = label {
            return format!("ptc trace {id}/{label} shows what is before it; {}", self.without_it());
        }
        let ended = !open_ended && before.ended() && before.last().is_some_and(|t| t.status.ends());
        let turns = (before.turns().len() as u64).saturating_sub(u64::from(ended));
        let on = match turns {
            0 => "there is no turn to go on from: run its task again".to_owned(),
            n => format!("go on with the turns before it: ptc sessions fork {id} --turn {n}"),
        };
        format!("ptc trace {id} shows what is before it; {on}")
    }

    /// What can be done without this subtask.
    fn without_it(&self) -> String {
        format!("a fork goes on without it, from the last turn: ptc sessions fork {}", self.id)
    }
}
