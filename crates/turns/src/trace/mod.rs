//! The trace as JSON lines: a header, then a line for each turn; before the first turn of an act a line for the act,
//! and before that the calls made for it; before each of them its journal; at the end how the run ended, where no turn
//! tells that. Append-only.

pub mod act;
pub mod act_spec;
pub mod full_turn;
pub mod journal;
pub mod json;
pub(crate) mod outcome;
pub mod parse;
pub mod record;
pub mod run_ended;
pub mod turn_limit;

use crate::trace::act::{Act, Called};
use crate::trace::journal::{Journal, JournalEntry, JournalPlace};
use crate::trace::record::{Call, Header, KeptTexts, Status, TurnRecord};
use crate::trace::run_ended::RunEnded;
use crate::trace::turn_limit::TurnLimit;
use ptc_lisp::error::Error;
use serde::Serialize;
use std::sync::{Arc, LazyLock};

/// The version this code writes and reads.
pub const VERSION: u64 = 1;

/// Everything that happened in a session. Turns are only appended, so copies share them.
///
/// ```
/// use ptc_turns::{Config, Session, Trace, TurnContext};
///
/// let mut session = Session::new(Config { prompt: "Count".into(), ..Config::default() });
/// session.run("(def n 3)", TurnContext::without_host())?;
/// let text = session.trace().to_text(); // JSON lines: the header, then a line for each turn
/// let read = Trace::parse(text.as_bytes())?;
/// assert_eq!((read.trace.turns().len(), read.torn), (1, None));
/// // The same prompts at once, the same memory by replay.
/// let mut back = Session::from_trace(read.trace, Vec::new())?;
/// assert_eq!(back.run("(return n)", TurnContext::without_host())?.value.as_deref(), Some("3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The header: what applies to all turns.
    pub header: Arc<Header>,
    turns: Vec<Arc<TurnRecord>>,
    acts: Vec<Arc<Act>>,
    called: Vec<Arc<Called>>,
    journal: Journal,
    run_ended: Option<Arc<RunEnded>>,
}

/// A line of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'a> {
    /// An act begins.
    Act(&'a Arc<Act>),
    /// A turn ran.
    Turn(&'a Arc<TurnRecord>),
}

/// A trace that was read, and the state of its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The complete turns.
    pub trace: Trace,
    /// The last line, when it was truncated and skipped.
    pub torn: Option<TruncatedLine>,
    /// Bytes from the start up to the end of the last complete line, without its line end: where appending continues.
    pub whole_bytes: usize,
}

/// A line that cannot be read, or that does not follow from those before it.
#[derive(Clone, Debug, PartialEq)]
pub struct DamagedLine {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it, of kind `corrupt`; the message names the line.
    pub error: Error,
}

/// A last line that is incomplete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TruncatedLine {
    /// Its number, from 1.
    pub line: usize,
    /// How many bytes of it are there.
    pub bytes: usize,
}

impl std::fmt::Display for TruncatedLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {} is torn ({} bytes) and was skipped", self.line, self.bytes)
    }
}

impl Trace {
    /// A trace without turns.
    pub fn new(header: impl Into<Arc<Header>>) -> Self {
        let (turns, acts, called) = Default::default();
        Trace { header: header.into(), turns, acts, called, journal: Journal::default(), run_ended: None }
    }

    /// The turns, oldest first.
    pub fn turns(&self) -> &[Arc<TurnRecord>] {
        &self.turns
    }

    /// The last turn.
    pub fn last(&self) -> Option<&Arc<TurnRecord>> {
        self.turns.last()
    }

    /// The last turn, where the caller has just added one.
    pub(crate) fn last_record(&self) -> &TurnRecord {
        static NONE: LazyLock<TurnRecord> = LazyLock::new(|| TurnRecord::empty(0));
        self.last().map_or(&*NONE, |t| t)
    }

    /// Adds a turn. Its number is set to its place.
    pub fn push(&mut self, mut record: TurnRecord) -> Arc<TurnRecord> {
        record.turn = number_of(self.turns.len());
        self.journal.tell_decisions(&mut record.tool_calls);
        let record = Arc::new(record);
        self.turns.push(record.clone());
        (self.journal, self.run_ended) = (Journal::default(), None);
        record
    }

    /// Leaves so much of the texts of its turns.
    pub(crate) fn reduce_turns(&mut self, keep: KeptTexts) {
        for turn in &mut self.turns {
            *turn = Arc::new(TurnRecord::clone(turn).reduced(keep));
        }
    }

    /// How the last run ended, where no turn tells that and nothing happened since.
    pub fn run_ended(&self) -> Option<&Arc<RunEnded>> {
        self.run_ended.as_ref()
    }

    /// Says how the run ended.
    pub fn end_run(&mut self, how: RunEnded) -> Arc<RunEnded> {
        let how = Arc::new(how);
        self.run_ended = Some(how.clone());
        how
    }

    /// The journal of the next turn, or of calls for the next act. Journals of what has ended are not kept here; in a
    /// file their lines come before it.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Adds a line to the journal.
    ///
    /// # Errors
    /// When it does not follow from what has happened; why.
    pub fn note(&mut self, entry: JournalEntry) -> Result<Arc<JournalEntry>, String> {
        let next = match entry.place {
            JournalPlace::Turn(turn) => turn == number_of(self.turns.len()),
            JournalPlace::Act { act, .. } => act == number_of(self.acts.len()),
        };
        if !next {
            return Err(format!("a line before {} does not belong here", entry.place));
        }
        let entry = self.journal.push(entry)?;
        self.run_ended = None;
        Ok(entry)
    }

    /// Puts another journal in the place of this one.
    pub(crate) fn set_journal(&mut self, journal: Journal) {
        self.journal = journal;
    }

    /// The replies of the model, in order; that of a turn which has begun included.
    pub fn replies(&self) -> Vec<String> {
        let begun = self.journal.reply().map(|(r, _)| r.reply.clone());
        self.turns.iter().map(|t| t.said()).chain(begun).collect()
    }

    /// The acts that have begun, oldest first; none of a session without a table of contents.
    pub fn acts(&self) -> &[Arc<Act>] {
        &self.acts
    }

    /// The act that began last.
    pub fn act(&self) -> Option<&Arc<Act>> {
        self.acts.last()
    }

    /// The questions that were asked behind the first one, oldest first, of a session without a table of contents: each is
    /// an act without a place in it ([`Session::follow_up`](crate::Session::follow_up)).
    pub fn follow_ups(&self) -> impl Iterator<Item = &str> {
        let own = self.header.acts.is_empty();
        self.acts.iter().filter(move |_| own).map(|act| match act.content.first() {
            Some(ptc_history::Block::Text { text, .. }) => text.as_str(),
            _ => "",
        })
    }

    /// The turns of an act, oldest first.
    pub fn turns_of(&self, act: &Act) -> &[Arc<TurnRecord>] {
        let at = |turn: u64| usize::try_from(turn.saturating_sub(1)).unwrap_or(usize::MAX).min(self.turns.len());
        // Acts are numbered from 1 by their places.
        let next = usize::try_from(act.act).ok().and_then(|next| self.acts.get(next));
        let end = next.map_or(self.turns.len(), |next| at(next.first_turn));
        self.turns.get(at(act.first_turn)..end).unwrap_or_default()
    }

    /// Acts and turns, in the order in which they happened.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        self.steps_from(0, 0)
    }

    /// The steps after this many acts and turns.
    pub(crate) fn steps_from(&self, acts: usize, turns: usize) -> impl Iterator<Item = Step<'_>> {
        let mut acts = self.acts.iter().skip(acts).peekable();
        let mut turns = self.turns.iter().skip(turns).peekable();
        std::iter::from_fn(move || {
            let next = turns.peek().map(|t| t.turn);
            match acts.next_if(|a| next.is_none_or(|turn| a.first_turn <= turn)) {
                Some(act) => Some(Step::Act(act)),
                None => turns.next().map(Step::Turn),
            }
        })
    }

    /// Calls for inputs of the next act, oldest first.
    pub fn ahead(&self) -> impl Iterator<Item = &Arc<Called>> {
        let begun = self.acts.len() as u64;
        self.called.iter().filter(move |c| c.before_act > begun)
    }

    /// Adds a call for an input of the next act; its act number is set.
    pub fn call_ahead(&mut self, mut called: Called) -> Arc<Called> {
        called.before_act = number_of(self.acts.len());
        self.journal.tell_decisions(std::slice::from_mut(&mut called.tool_call));
        self.journal.forget(called.tool_call.id);
        let called = Arc::new(called);
        self.called.push(called.clone());
        self.run_ended = None;
        called
    }

    /// Takes over the calls before acts from a trace of the same acts.
    pub(crate) fn set_called(&mut self, of: &Trace) {
        self.called.clone_from(&of.called);
    }

    /// Every tool call that was made, once, in order.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        let begun = self.steps().flat_map(|step| match step {
            Step::Act(a) => a.tool_calls.as_slice(),
            Step::Turn(t) => t.tool_calls.as_slice(),
        });
        begun.chain(self.ahead().map(|c| &c.tool_call))
    }

    /// Begins the next act; its number and first turn are set.
    pub fn open(&mut self, mut act: Act) -> Arc<Act> {
        act.act = number_of(self.acts.len());
        self.journal.tell_decisions(&mut act.tool_calls);
        act.first_turn = number_of(self.turns.len());
        let act = Arc::new(act);
        self.acts.push(act.clone());
        (self.journal, self.run_ended) = (Journal::default(), None);
        act
    }

    /// Gives the act that began last another number of turns.
    pub(crate) fn set_max_turns(&mut self, max_turns: u64) {
        if let Some(act) = self.acts.last_mut() {
            *act = Arc::new(Act { max_turns, ..Act::clone(act) });
        }
    }

    /// The last turn there may be: of the session, or of the act that began last.
    pub fn max_turns(&self) -> u64 {
        self.turn_limit().last
    }

    /// How many turns the session, or the act that began last, may have.
    pub fn turn_limit(&self) -> TurnLimit<'_> {
        match self.act() {
            None => TurnLimit::of_session(self.header.max_turns),
            Some(a) => {
                let act = (!self.header.acts.is_empty()).then_some(a.name.as_str());
                TurnLimit { last: a.last_turn(), own: a.max_turns, act }
            }
        }
    }

    /// Whether the last turn ended the session, or its act and none has begun since.
    pub fn over(&self) -> bool {
        let turns = self.turns.len() as u64;
        self.act().is_none_or(|a| a.first_turn <= turns) && self.last().is_some_and(|t| t.ends(self.max_turns()))
    }

    /// The act to begin next, by its place in the table of contents: the one before it has an answer.
    pub fn next_act(&self) -> Option<usize> {
        let next = self.acts.len();
        let answered =
            || self.over() && self.last().is_some_and(|t| matches!(t.status, Status::Returned | Status::Answered));
        (next < self.header.acts.len() && (next == 0 || answered())).then_some(next)
    }

    /// Whether the session has ended.
    pub fn ended(&self) -> bool {
        self.over() && self.next_act().is_none()
    }

    /// The whole trace as JSON lines, without the journals of what has ended.
    pub fn to_text(&self) -> String {
        let mut out = line(self.header.as_ref());
        for step in self.steps() {
            match step {
                Step::Act(a) => {
                    self.called.iter().filter(|c| c.before_act == a.act).for_each(|c| out.push_str(&line(c.as_ref())));
                    out.push_str(&line(a.as_ref()));
                }
                Step::Turn(t) => out.push_str(&line(t.as_ref())),
            }
        }
        self.ahead().for_each(|c| out.push_str(&line(c.as_ref())));
        self.journal.entries().iter().for_each(|e| out.push_str(&line(e.as_ref())));
        self.run_ended.iter().for_each(|e| out.push_str(&line(e.as_ref())));
        out
    }
}

/// A header or a turn as its line of the file, line end included.
pub fn line(of: &impl Serialize) -> String {
    // Records hold strings, numbers and JSON: all of it can be written.
    let mut text = serde_json::to_string(of).unwrap_or_default();
    text.push('\n');
    text
}

/// The number of the next one: they are numbered from 1.
fn number_of(before: usize) -> u64 {
    (before as u64).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::json::Json;
    use crate::trace::record::{Call, Defined, Kind, Status};
    use ptc_lisp::error::ErrorKind;

    fn trace() -> Trace {
        let mut trace = Trace::new(Header::new("s", "p", 5));
        let mut t = TurnRecord::empty(1);
        t.program = "(def x 1)\n(println \"é\")".into();
        t.seed = u64::MAX;
        t.value_json = Json::new("123456789012345678901234567890".into());
        t.definitions.push(Defined {
            name: "x".into(),
            kind: Kind::Data,
            doc: None,
            params: None,
            type_word: Some("integer".into()),
            sample: Some("1".into()),
            replaced: false,
            rolled_back: false,
        });
        t.tool_calls.push(Call {
            failure: None,
            id: 1,
            name: "f".into(),
            args: Json::new("{}".into()).unwrap(),
            result: Json::new("null".into()),
            error: None,
            ms: 3,
            together: None,
            decided: None,
        });
        trace.push(t);
        let mut t = TurnRecord::empty(2);
        t.status = Status::Returned;
        trace.push(t);
        trace
    }

    #[test]
    fn keys_and_their_order_are_the_contract() {
        let text = trace().to_text();
        let turn = text.lines().nth(1).unwrap();
        let expected = r#"{"turn":1,"program":"(def x 1)\n(println \"é\")","reasoning":null,"status":"ok","value":null,"value_json":123456789012345678901234567890,"printed":[],"definitions":[{"name":"x","kind":"data","doc":null,"type":"integer","sample":"1","replaced":false,"rolled_back":false}],"tool_calls":[{"id":1,"name":"f","args":{},"result":null,"ms":3}],"error":null,"usage":{"fuel":0,"memory_bytes":0,"cpu_ms":0,"wall_ms":0},"feedback":"","time":0,"seed":"18446744073709551615"}"#;
        assert_eq!(turn, expected);
        assert!(
            text.starts_with(r#"{"ptc_trace":1,"task":null,"system":"s","prompt":"p","max_turns":5,"policy":{"#),
            "{text}"
        );
    }

    #[test]
    fn what_is_written_is_read() {
        let text = trace().to_text();
        let loaded = Trace::parse(text.as_bytes()).unwrap();
        assert_eq!((loaded.trace.to_text(), loaded.torn, loaded.whole_bytes), (text.clone(), None, text.len() - 1));
        assert_eq!(loaded.trace, trace());
        assert!(loaded.trace.ended());
    }

    /// Found by a simulated disk: among sixteen bytes of something else were two line ends with a digit between them.
    #[test]
    fn what_a_disk_had_before_is_skipped_whatever_its_bytes_read_as() {
        let text = trace().to_text();
        for garbage in ["7", "null", "\"a\"", "[]", ""] {
            let mut bytes = text.clone().into_bytes();
            bytes.extend_from_slice(b"{\"before_turn\":3\xfe\xff\n");
            bytes.extend_from_slice(garbage.as_bytes());
            bytes.extend_from_slice(b"\n\x9a,\"time\":1}\n");
            let loaded = Trace::parse(&bytes).unwrap();
            assert_eq!((loaded.trace.to_text(), loaded.torn.is_some()), (text.clone(), true), "{garbage:?}");
            // A later readable line was acknowledged: nothing is skipped.
            let line = text.lines().last().unwrap();
            bytes.extend_from_slice(format!("{line}\n").as_bytes());
            assert!(Trace::parse(&bytes).is_err(), "{garbage:?}");
        }
    }

    #[test]
    fn every_torn_last_line_is_reported_and_skipped() {
        let text = trace().to_text();
        let second = text.find("{\"turn\":2").unwrap();
        for cut in second + 1..text.len() - 1 {
            for end in ["", "\n"] {
                let torn = format!("{}{end}", &text[..cut]);
                let loaded = Trace::parse(torn.as_bytes()).unwrap();
                assert_eq!(loaded.trace.turns().len(), 1);
                assert_eq!(loaded.torn, Some(TruncatedLine { line: 3, bytes: cut - second }));
                assert_eq!(loaded.whole_bytes, second - 1);
            }
        }
        // Torn inside a character.
        let mut bytes = text.as_bytes()[..second].to_vec();
        bytes.extend(b"{\"turn\":2,\"program\":\"\xe6\x97");
        assert!(Trace::parse(&bytes).unwrap().torn.is_some());
    }

    /// JSON has `null` for nil, and for no value: a turn that was read is the one that was written.
    #[test]
    fn nil_is_read_as_it_was_written() {
        let text = trace().to_text();
        for (value, json) in [(None, None), (Some("nil"), Json::new("null".into())), (Some("#(+ 1 2)"), None)] {
            let mut trace = Trace::parse(text.as_bytes()).unwrap().trace;
            let turn = TurnRecord { value: value.map(str::to_owned), value_json: json, ..TurnRecord::empty(1) };
            let at = trace.push(turn).turn;
            let read = Trace::parse(trace.to_text().as_bytes()).unwrap().trace;
            assert_eq!(read.turns()[at as usize - 1], trace.turns()[at as usize - 1]);
        }
    }

    #[test]
    fn corruption_elsewhere_names_the_line() {
        let text = trace().to_text();
        let lines: Vec<&str> = text.lines().collect();
        for (bad, words) in [
            (format!("{}\n{}\n{}\n", lines[0], &lines[1][..30], lines[2]), "trace line 2"),
            (format!("{}\n{}\n", lines[0], lines[2]), "trace line 2: expected turn 1, got turn 2"),
            (format!("{}\nnonsense\n", lines[0]), "trace line 2"),
            (lines[0][..20].to_owned(), "trace line 1"),
            (String::new(), "no header"),
            (text.replace("\"ptc_trace\":1", "\"ptc_trace\":7"), "trace format 7"),
        ] {
            let error = Trace::parse(bad.as_bytes()).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Corrupt);
            assert!(error.message.contains(words), "{}", error.message);
        }
    }

    /// What is before a damaged line is read, whatever the damage; without a header nothing is.
    #[test]
    fn lines_before_a_damaged_one_are_read() {
        let text = trace().to_text();
        let lines: Vec<&str> = text.lines().collect();
        let asked = r#"{"before_turn":2,"asked":[],"time":0}"#;
        for (bad, at, turns) in [
            (format!("{}\n{}\n{}\n", lines[0], &lines[1][..30], lines[2]), 2, 0),
            (format!("{}\n{}\n", lines[0], lines[2]), 2, 0),
            (format!("{}\n{}\n{}\n{}\n", lines[0], lines[1], lines[1], lines[2]), 3, 1),
            (format!("{}\n{}\n{asked}\n{}\n", lines[0], lines[1], lines[2]), 3, 1),
            (format!("{}\n{}\n{}\n{{\"act\": 7}}\n", lines[0], lines[1], lines[2]), 4, 2),
        ] {
            let (loaded, damaged) = Trace::parse_undamaged(bad.as_bytes()).unwrap();
            let damaged = damaged.unwrap();
            assert_eq!((damaged.line, loaded.trace.turns().len()), (at, turns), "{bad}");
            let whole = bad.split_inclusive('\n').take(at - 1).collect::<String>();
            assert_eq!((loaded.trace.to_text(), loaded.whole_bytes), (whole.clone(), whole.len() - 1));
            assert_eq!(Trace::parse(bad.as_bytes()).unwrap_err(), damaged.error);
        }
        for bad in [lines[0][..20].to_owned(), text.replace("\"ptc_trace\":1", "\"ptc_trace\":7"), String::new()] {
            let damaged = Trace::parse_undamaged(bad.as_bytes()).unwrap_err();
            assert_eq!(Trace::parse(bad.as_bytes()).unwrap_err(), damaged.error);
        }
        let (loaded, damaged) = Trace::parse_undamaged(text.as_bytes()).unwrap();
        assert_eq!((loaded.trace, damaged), (trace(), None));
    }

    /// The line stands behind what the run did, and says nothing once another run has done something.
    #[test]
    fn how_a_run_ended_is_told_until_it_goes_on() {
        let how = RunEnded {
            run_ended: "limit".into(),
            kind: "limit".into(),
            message: "the run has used 5 tokens".into(),
            hint: Some("go on".into()),
            time: 7,
        };
        let mut begun = Trace::new(Header::new("s", "p", 5));
        begun.end_run(how.clone());
        begun.end_run(how.clone());
        let text = begun.to_text();
        let expected =
            r#"{"run_ended":"limit","kind":"limit","message":"the run has used 5 tokens","hint":"go on","time":7}"#;
        assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), [expected]);
        let read = Trace::parse(text.as_bytes()).unwrap().trace;
        assert_eq!(
            (read.run_ended().map(|e| e.text()), &read),
            (Some("the run has used 5 tokens; go on".into()), &begun)
        );
        let turn = line(&TurnRecord::empty(1));
        let later = format!("{text}{turn}{expected}\n");
        assert!(Trace::parse(later.as_bytes()).unwrap().trace.run_ended().is_some());
        let on = Trace::parse(format!("{text}{turn}").as_bytes()).unwrap().trace;
        begun.push(TurnRecord::empty(1));
        assert_eq!((on.run_ended(), begun.run_ended(), on.turns().len()), (None, None, 1));
        assert_eq!(on, begun);
        // A journal that it stands behind goes on.
        let reply = r#"{"before_turn":2,"reply":"1","time":3,"seed":"4"}"#;
        let asked = r#"{"before_turn":2,"asked":[{"id":1,"name":"f","args":{},"key":"k"}],"time":3}"#;
        let text = format!("{}{reply}\n{expected}\n{asked}\n", on.to_text());
        let read = Trace::parse(text.as_bytes()).unwrap().trace;
        assert_eq!((read.journal().calls().count(), read.run_ended()), (1, None));
    }
}
