//! Sessions as they leave their folder: the beginning of one as a new one, and one as an archive.

use super::kept;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::files::read_bytes;
use crate::subtask;
use flate2::Compression;
use flate2::write::GzEncoder;
use ptc_turns::{Status, Trace, TurnRecord};
use std::io;
use std::path::Path;

/// The beginning of a trace.
pub(super) struct Prefix {
    pub(super) bytes: Vec<u8>,
    pub(super) trace: Trace,
}

/// The trace up to and with this turn; if absent up to the last one, before a line that cannot be read where there is one.
/// One that is open-ended does not end by `return`.
pub(super) fn prefix(bytes: &[u8], turn: Option<u64>, open_ended: bool) -> Result<Prefix, Error> {
    let wrong = |text| Error::new(ErrorKind::Usage, text);
    let of_trace = |e: ptc_lisp::error::Error| Error::new(ErrorKind::Trace, crate::error::ErrorText::from(e));
    // Of a damaged trace the turns before the damage are as good as those of another.
    let (whole, damaged) = Trace::parse_undamaged(bytes).map_err(|damaged| of_trace(damaged.error))?;
    let turns = whole.trace.turns().len() as u64;
    let last = turn.unwrap_or(turns);
    if turns == 0 || last == 0 || last > turns {
        let lost = damaged.map(|d| ptc_lisp::escape::line(&d.error.message).to_string());
        return Err(wrong(match (turns, lost) {
            (0, None) => error_text!("it has no turn yet"; "run its task again instead"),
            (0, Some(lost)) => {
                error_text!("no turn stands before what cannot be read: {lost}"; "run its task again instead")
            }
            (_, Some(lost)) if last > turns => {
                error_text!("turn {last} cannot be read: {lost}"; "give --turn 1 to {turns}")
            }
            _ => error_text!("there is no turn {last}"; "give --turn 1 to {turns}"),
        }));
    }
    let (mut at, mut seen) = (0_usize, 0_u64);
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        at = at.saturating_add(line.len());
        if serde_json::from_slice::<TurnRecord>(line).is_ok() {
            seen = seen.saturating_add(1);
        }
        if seen == last {
            break;
        }
    }
    let mut bytes = bytes.get(..at).unwrap_or_default().to_vec();
    if bytes.last() != Some(&b'\n') {
        bytes.push(b'\n');
    }
    let trace = Trace::parse(&bytes).map_err(of_trace)?.trace;
    let ended = trace.last().map(|t| t.status).filter(|s| !open_ended && trace.ended() && s.ends());
    if let Some(status) = ended {
        let how = if status == Status::Failed { "failed" } else { "returned" };
        let before = last.saturating_sub(1);
        return Err(wrong(match before {
            0 => error_text!("it ends with turn 1, which {how}"; "run its task again instead"),
            _ => error_text!("it ends with turn {last}, which {how}"; "fork it before that, with --turn {before}"),
        }));
    }
    Ok(Prefix { bytes, trace })
}

/// Copies what a fork has: its trace, and the files beside it, without the subtasks that only later turns called.
pub(super) fn copy(from: &Path, to: &Path, fork: &Prefix) -> Result<(), Error> {
    super::private::write_private(&kept::trace_in(to), &fork.bytes)?;
    let called = subtask::labels(&fork.trace);
    for (name, path) in files(from)? {
        let Some(rest) = name.strip_prefix("trace.") else { continue };
        let label = rest.split('.').next().unwrap_or_default();
        let subtask = label.starts_with("agent-") || label.starts_with("act-");
        if name != "trace.jsonl" && (!subtask || called(label)) {
            super::private::write_private(&to.join(&name), &read_bytes(&path)?)?;
        }
    }
    Ok(())
}

/// The files of a folder, by name; what is no regular file is left out.
fn files(folder: &Path) -> Result<Vec<(String, std::path::PathBuf)>, Error> {
    let all = std::fs::read_dir(folder).map_err(|e| Error::io(folder, "read", &e))?;
    let mut files: Vec<_> = all
        .flatten()
        .filter(|e| e.file_type().is_ok_and(|t| t.is_file()))
        .filter_map(|e| Some((e.file_name().into_string().ok()?, e.path())))
        .collect();
    files.sort();
    Ok(files)
}

/// Writes the files of a folder as a `.tar.gz` with one folder, `id`.
pub(super) fn write(folder: &Path, id: &str, to: &mut dyn io::Write) -> Result<(), Error> {
    let failed = |e: io::Error| Error::io(Path::new(id), "export", &e);
    let mut archive = tar::Builder::new(GzEncoder::new(to, Compression::default()));
    for (name, path) in files(folder)? {
        // Of a session that is running as much as is there now.
        let bytes = read_bytes(&path)?;
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        let changed = path.metadata().map_or(0, |m| kept::modified(&m));
        header.set_mtime(u64::try_from(changed).unwrap_or_default().checked_div(1000).unwrap_or_default());
        archive.append_data(&mut header, format!("{id}/{name}"), bytes.as_slice()).map_err(failed)?;
    }
    archive.into_inner().and_then(GzEncoder::finish).map(drop).map_err(failed)
}
