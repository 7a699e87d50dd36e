//! A trace from the bytes of its file: line by line, to the first that cannot be read.

use crate::trace::act::{Act, Called};
use crate::trace::journal::{Journal, JournalEntry, JournalPlace};
use crate::trace::record::{Header, TurnRecord};
use crate::trace::run_ended::RunEnded;
use crate::trace::{DamagedLine, Loaded, Trace, TruncatedLine, VERSION, number_of};
use ptc_lisp::error::{Error, ErrorKind};
use std::sync::Arc;

impl Trace {
    /// Reads a trace from the bytes of its file.
    ///
    /// # Errors
    /// Of kind `corrupt`, naming the line, when anything but the last line is not what was written.
    pub fn parse(bytes: &[u8]) -> Result<Loaded, Error> {
        match Self::parse_undamaged(bytes) {
            Ok((loaded, None)) => Ok(loaded),
            Ok((_, Some(damaged))) | Err(damaged) => Err(damaged.error),
        }
    }

    /// Reads what stands before the first line that is not what was written, and tells that line. A session cannot go on with
    /// that: it is for looking at.
    ///
    /// # Errors
    /// When that line is the header.
    pub fn parse_undamaged(bytes: &[u8]) -> Result<(Loaded, Option<DamagedLine>), DamagedLine> {
        let mut read = Lines::default();
        let (mut at, mut damaged) = (0_usize, None);
        // Whether a line is the last is checked only for one that cannot be read.
        let mut lines = bytes.split(|b| *b == b'\n').enumerate();
        while let Some((i, text)) = lines.next() {
            let (line, start) = (i.saturating_add(1), at);
            at = at.saturating_add(text.len().saturating_add(1));
            if text.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match read.add(line, text, lines.clone()) {
                Ok(None) => read.whole_bytes = start.saturating_add(text.len()),
                Ok(Some(Torn::Line)) => {
                    read.torn = Some(TruncatedLine { line, bytes: text.len() });
                    break;
                }
                Ok(Some(Torn::Rest)) => {
                    read.torn = Some(TruncatedLine { line, bytes: bytes.len().saturating_sub(start) });
                    break;
                }
                Err(error) => {
                    damaged = Some(DamagedLine { line, error });
                    break;
                }
            }
        }
        match (read.loaded(), damaged) {
            (Some(loaded), damaged) => Ok((loaded, damaged)),
            (None, Some(damaged)) => Err(damaged),
            (None, None) => Err(DamagedLine { line: 1, error: corrupt(1, "no header") }),
        }
    }
}

/// What was not written to its end.
enum Torn {
    /// This line, the last.
    Line,
    /// This line and all behind it.
    Rest,
}

/// The lines that were read so far.
#[derive(Default)]
struct Lines {
    header: Option<Header>,
    turns: Vec<Arc<TurnRecord>>,
    acts: Vec<Arc<Act>>,
    called: Vec<Arc<Called>>,
    journal: Journal,
    run_ended: Option<Arc<RunEnded>>,
    whole_bytes: usize,
    torn: Option<TruncatedLine>,
}

/// A line behind the header.
enum Line {
    Turn(Box<TurnRecord>),
    Act(Act),
    Called(Called),
    Journal(JournalEntry),
    RunEnded(RunEnded),
}

impl Line {
    fn read(text: &[u8]) -> Result<Self, serde_json::Error> {
        // These are the most frequent: a line for each answer of a tool.
        if text.starts_with(b"{\"before_turn\":") {
            return serde_json::from_slice(text).map(Line::Journal);
        }
        // A line is a turn, unless it is an act, a call before one, of the journal, or how a run ended.
        serde_json::from_slice(text).map(Line::Turn).or_else(|e| {
            serde_json::from_slice(text)
                .map(Line::Act)
                .or_else(|_| serde_json::from_slice(text).map(Line::Called))
                .or_else(|_| serde_json::from_slice(text).map(Line::Journal))
                .or_else(|_| serde_json::from_slice(text).map(Line::RunEnded))
                .map_err(|_| e)
        })
    }
}

impl Lines {
    /// Adds a line, unless it was not written to its end; `rest` are those behind it.
    fn add<'a>(
        &mut self,
        number: usize,
        text: &[u8],
        rest: impl Iterator<Item = (usize, &'a [u8])> + Clone,
    ) -> Result<Option<Torn>, Error> {
        if self.header.is_none() {
            let header: Header = serde_json::from_slice(text).map_err(|e| corrupt(number, &e.to_string()))?;
            if header.ptc_trace != VERSION {
                let words = format!("trace format {}, this version reads {VERSION}", header.ptc_trace);
                return Err(corrupt(number, &words));
            }
            self.header = Some(header);
            return Ok(None);
        }
        match Line::read(text) {
            Ok(line) => self.put(number, line).map(|()| None),
            // A line with its line end was written completely, unless the JSON itself breaks off.
            Err(e) if is_last(rest.clone()) && (rest.clone().next().is_none() || e.is_eof() || unwritten(text)) => {
                Ok(Some(Torn::Line))
            }
            // Old bytes of the disk may be in place of a line that was never written, line ends among them.
            Err(_) if never_written(text, rest) => Ok(Some(Torn::Rest)),
            Err(e) => Err(corrupt(number, &e.to_string())),
        }
    }

    /// Puts a line where it belongs.
    fn put(&mut self, number: usize, line: Line) -> Result<(), Error> {
        let (next_act, next_turn) = (number_of(self.acts.len()), number_of(self.turns.len()));
        let stray = |words: String| Err(out_of_order(number, &words));
        match line {
            Line::Turn(t) if t.turn != next_turn => {
                return stray(format!("expected turn {next_turn}, got turn {}", t.turn));
            }
            Line::Turn(t) => {
                // After a call for an act there can only be more of them, and the act.
                if let Some(c) = self.called.last().filter(|c| c.before_act == next_act) {
                    return stray(format!("a call before act {} does not belong here", c.before_act));
                }
                self.turns.push(Arc::new((*t).restored()));
                self.journal = Journal::default();
            }
            Line::Act(a) if a.act != next_act || a.first_turn != next_turn => {
                return stray(format!("act {} of turn {} does not belong here", a.act, a.first_turn));
            }
            Line::Act(a) => {
                self.acts.push(Arc::new(a));
                self.journal = Journal::default();
            }
            Line::Called(c) if c.before_act != next_act => {
                return stray(format!("a call before act {} does not belong here", c.before_act));
            }
            Line::Called(c) => {
                self.journal.forget(c.tool_call.id);
                self.called.push(Arc::new(c));
            }
            Line::Journal(entry) => {
                let next = match entry.place {
                    JournalPlace::Turn(turn) => turn == next_turn,
                    JournalPlace::Act { act, .. } => act == next_act,
                };
                if !next {
                    return stray(format!("a line before {} does not belong here", entry.place));
                }
                self.journal.push(entry).map_err(|words| corrupt(number, &words))?;
            }
            Line::RunEnded(how) => {
                self.run_ended = Some(Arc::new(how));
                return Ok(());
            }
        }
        self.run_ended = None;
        Ok(())
    }

    fn loaded(self) -> Option<Loaded> {
        let Lines { header, turns, acts, called, journal, run_ended, whole_bytes, torn } = self;
        let trace = Trace { header: Arc::new(header?), turns, acts, called, journal, run_ended };
        Some(Loaded { trace, torn, whole_bytes })
    }
}

/// Whether a line holds bytes that are never written, as a block has that did not reach the disk.
fn unwritten(line: &[u8]) -> bool {
    line.iter().any(|b| b.is_ascii_control()) || std::str::from_utf8(line).is_err()
}

/// Whether an unreadable line, with everything after it, is not from this program: it contains bytes that no line has,
/// and no line after it can be read. Lines are objects: a digit between two line ends may be on a disk by chance.
fn never_written<'a>(text: &[u8], rest: impl Iterator<Item = (usize, &'a [u8])>) -> bool {
    let mut any = unwritten(text);
    for (_, line) in rest {
        if line.starts_with(b"{") && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok() {
            return false;
        }
        any |= unwritten(line);
    }
    any
}

fn is_last<'a>(mut rest: impl Iterator<Item = (usize, &'a [u8])>) -> bool {
    rest.all(|(_, line)| line.iter().all(u8::is_ascii_whitespace))
}

fn corrupt(line: usize, what: &str) -> Error {
    Error::new(ErrorKind::Corrupt, format!("trace line {line}: {what}"))
}

/// A line that is missing, moved or written twice.
fn out_of_order(line: usize, what: &str) -> Error {
    corrupt(line, what).hint("put the lines back in the order in which they were written, or use a copy of the file")
}
