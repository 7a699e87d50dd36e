//! A trace from the bytes of its file: line by line, to the first that cannot be read.

use crate::trace::act::{Act, Called};
use crate::trace::journal::{Journal, JournalEntry, JournalPlace};
use crate::trace::record::{Header, TurnRecord};
use crate::trace::run_ended::RunEnded;
use crate::trace::{DamagedLine, Loaded, Trace, TruncatedLine, VERSION, number_of};
use ptc_lisp::error::{Error, ErrorKind};
use std::io::{self, BufRead};
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
        // Bytes in memory are read without fail.
        Self::read_undamaged(&mut &*bytes, &mut |turn| turn)
            .unwrap_or_else(|e| Err(DamagedLine { line: 1, error: corrupt(1, &e.to_string()) }))
    }

    /// The same of what is read line by line; of each turn what `keep` leaves of it is kept
    /// ([`TurnRecord::reduced`]), so that a long trace need not be held.
    ///
    /// # Errors
    /// When reading fails.
    #[allow(clippy::type_complexity)]
    pub fn read_undamaged(
        from: &mut dyn BufRead,
        keep: &mut dyn FnMut(TurnRecord) -> TurnRecord,
    ) -> io::Result<Result<(Loaded, Option<DamagedLine>), DamagedLine>> {
        let mut read = Lines::default();
        let (mut start, mut number, mut damaged, mut text) = (0_usize, 0_usize, None, Vec::new());
        loop {
            text.clear();
            let bytes = from.read_until(b'\n', &mut text)?;
            if bytes == 0 {
                break;
            }
            let ended = text.pop_if(|last| *last == b'\n').is_some();
            (start, number) = (start.saturating_add(bytes), number.saturating_add(1));
            if text.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let begin = start.saturating_sub(bytes);
            match read.add(number, &text, ended, from, keep)? {
                Ok(None) => read.whole_bytes = begin.saturating_add(text.len()),
                Ok(Some(Torn::Line)) => {
                    read.torn = Some(TruncatedLine { line: number, bytes: text.len() });
                    break;
                }
                Ok(Some(Torn::Rest(rest))) => {
                    read.torn = Some(TruncatedLine { line: number, bytes: bytes.saturating_add(rest) });
                    break;
                }
                Err(error) => {
                    damaged = Some(DamagedLine { line: number, error });
                    break;
                }
            }
        }
        Ok(match (read.loaded(), damaged) {
            (Some(loaded), damaged) => Ok((loaded, damaged)),
            (None, Some(damaged)) => Err(damaged),
            (None, None) => Err(DamagedLine { line: 1, error: corrupt(1, "no header") }),
        })
    }
}

/// What was not written to its end.
enum Torn {
    /// This line, the last.
    Line,
    /// This line and all behind it, so many bytes.
    Rest(usize),
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
    /// Adds a line, unless it was not written to its end; `rest` are those behind it, read only where this one cannot be.
    fn add(
        &mut self,
        number: usize,
        text: &[u8],
        ended: bool,
        rest: &mut dyn BufRead,
        keep: &mut dyn FnMut(TurnRecord) -> TurnRecord,
    ) -> io::Result<Result<Option<Torn>, Error>> {
        if self.header.is_none() {
            let header: Header = match serde_json::from_slice(text) {
                Ok(header) => header,
                Err(e) => return Ok(Err(corrupt(number, &e.to_string()))),
            };
            if header.ptc_trace != VERSION {
                let words = format!("trace format {}, this version reads {VERSION}", header.ptc_trace);
                return Ok(Err(corrupt(number, &words)));
            }
            self.header = Some(header);
            return Ok(Ok(None));
        }
        let e = match Line::read(text) {
            Ok(Line::Turn(turn)) => {
                let turn = Line::Turn(Box::new(keep(turn.restored())));
                return Ok(self.put(number, turn).map(|()| None));
            }
            Ok(line) => return Ok(self.put(number, line).map(|()| None)),
            Err(e) => e,
        };
        let rest = Rest::read(rest)?;
        // A line with its line end was written completely, unless the JSON itself breaks off.
        let torn = match () {
            () if rest.blank && (!ended || e.is_eof() || unwritten(text)) => Ok(Some(Torn::Line)),
            // Old bytes of the disk may be in place of a line that was never written, line ends among them.
            () if !rest.readable && (rest.unwritten || unwritten(text)) => Ok(Some(Torn::Rest(rest.bytes))),
            () => Err(corrupt(number, &e.to_string())),
        };
        Ok(torn)
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
                self.turns.push(Arc::from(t));
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

/// What follows a line that cannot be read. Lines are objects: a digit between two line ends may be on a disk by chance.
struct Rest {
    bytes: usize,
    /// Nothing but blanks.
    blank: bool,
    /// A line of it can be read.
    readable: bool,
    /// A line of it has bytes that are never written.
    unwritten: bool,
}

impl Rest {
    fn read(from: &mut dyn BufRead) -> io::Result<Self> {
        let mut rest = Rest { bytes: 0, blank: true, readable: false, unwritten: false };
        let mut line = Vec::new();
        loop {
            line.clear();
            let bytes = from.read_until(b'\n', &mut line)?;
            if bytes == 0 || rest.readable {
                return Ok(rest);
            }
            rest.bytes = rest.bytes.saturating_add(bytes);
            line.pop_if(|last| *last == b'\n');
            rest.blank &= line.iter().all(u8::is_ascii_whitespace);
            rest.readable = line.starts_with(b"{") && serde_json::from_slice::<serde::de::IgnoredAny>(&line).is_ok();
            rest.unwritten |= unwritten(&line);
        }
    }
}

fn corrupt(line: usize, what: &str) -> Error {
    Error::new(ErrorKind::Corrupt, format!("trace line {line}: {what}"))
}

/// A line that is missing, moved or written twice.
fn out_of_order(line: usize, what: &str) -> Error {
    corrupt(line, what).hint("put the lines back in the order in which they were written, or use a copy of the file")
}
