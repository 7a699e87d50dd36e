//! The journal of turns and acts that have begun and not ended: the reply that a turn runs, and its tool calls with
//! their answers. Its lines are in the trace before the line of the turn or act, which repeats all of it.

use crate::trace::json::{Json, present};
use crate::trace::record::{Call, DecisionRecord, ModelUsage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The turn or act that an entry belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalPlace {
    /// The turn of this number, from 1.
    Turn(u64),
    /// An act that has not begun.
    Act {
        /// Its number, from 1.
        act: u64,
        /// Which of its inputs, from 1.
        input: u64,
    },
}

impl std::fmt::Display for JournalPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            JournalPlace::Turn(turn) => write!(f, "turn {turn}"),
            JournalPlace::Act { act, input } => write!(f, "act {act}, input {input}"),
        }
    }
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Line", try_from = "Line")]
pub struct JournalEntry {
    /// The turn or act.
    pub place: JournalPlace,
    /// What happened.
    pub what: JournalEvent,
    /// When, milliseconds since 1970. Of a reply it is the start of its turn.
    pub time: i64,
    /// Who decided it, where somebody did and that is known.
    pub by: Option<String>,
}

impl JournalEntry {
    /// What happened at a time, in milliseconds since 1970, without anybody's decision.
    pub fn new(place: JournalPlace, what: JournalEvent, time: i64) -> Self {
        JournalEntry { place, what, time, by: None }
    }
}

/// The content of a journal line.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalEvent {
    /// The reply has arrived; its program has not run to its end.
    Reply(BegunReply),
    /// These calls wait for approval. They have not been made.
    Waiting(Vec<CallRequest>),
    /// The call of this number may be made: it was approved, or is to be made again.
    Make(u64),
    /// These calls are about to be made, together if there are several.
    Asked(Vec<CallRequest>),
    /// A call has its answer.
    Answered(CallAnswer),
}

/// A reply whose program has not run to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct BegunReply {
    /// The reply, as it came.
    pub reply: String,
    /// Its cost, when a model wrote it.
    pub usage: Option<ModelUsage>,
    /// The seed of the turn's randomness.
    pub seed: u64,
}

/// A call, before it is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRequest {
    /// Its number in the session, from 1.
    pub id: u64,
    /// The tool.
    pub name: String,
    /// Its arguments, an object.
    pub args: Json,
    /// A key by which the tool can recognise it: no other call of any session has it, and it stays the same when the
    /// call is made again.
    pub key: String,
}

/// The answer of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallAnswer {
    /// The number of the call.
    pub id: u64,
    /// Its answer; absent when it is an error.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub result: Option<Json>,
    /// Its error message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What else is known of its error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Json>,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

/// An entry with the keys of the file.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before_turn: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before_act: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    input: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reply: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    usage: Option<ModelUsage>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    waiting: Option<Vec<CallRequest>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    make: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asked: Option<Vec<CallRequest>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered: Option<CallAnswer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    time: i64,
    /// Decimal text: not every reader of JSON keeps 64 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
}

impl From<JournalEntry> for Line {
    fn from(e: JournalEntry) -> Self {
        let mut line = Line { time: e.time, by: e.by, ..Line::default() };
        match e.place {
            JournalPlace::Turn(turn) => line.before_turn = Some(turn),
            JournalPlace::Act { act, input } => (line.before_act, line.input) = (Some(act), Some(input)),
        }
        match e.what {
            JournalEvent::Reply(r) => {
                (line.reply, line.usage, line.seed) = (Some(r.reply), r.usage, Some(r.seed.to_string()))
            }
            JournalEvent::Waiting(calls) => line.waiting = Some(calls),
            JournalEvent::Make(id) => line.make = Some(id),
            JournalEvent::Asked(calls) => line.asked = Some(calls),
            JournalEvent::Answered(a) => line.answered = Some(a),
        }
        line
    }
}

impl TryFrom<Line> for JournalEntry {
    type Error = &'static str;

    fn try_from(l: Line) -> Result<Self, Self::Error> {
        let place = match (l.before_turn, l.before_act, l.input) {
            (Some(turn), None, None) => JournalPlace::Turn(turn),
            (None, Some(act), Some(input)) => JournalPlace::Act { act, input },
            _ => return Err("neither a turn, an act nor a line before one"),
        };
        let what = match (l.reply, l.waiting, l.make, l.asked, l.answered) {
            (Some(reply), None, None, None, None) => {
                let seed = l.seed.and_then(|s| s.parse().ok()).ok_or("a reply without the seed of its turn")?;
                JournalEvent::Reply(BegunReply { reply, usage: l.usage, seed })
            }
            (None, Some(calls), None, None, None) => JournalEvent::Waiting(calls),
            (None, None, Some(id), None, None) => JournalEvent::Make(id),
            (None, None, None, Some(calls), None) => JournalEvent::Asked(calls),
            (None, None, None, None, Some(a)) => JournalEvent::Answered(a),
            _ => return Err("a line before a turn or act that does not say one thing"),
        };
        Ok(JournalEntry { place, what, time: l.time, by: l.by })
    }
}

/// The state of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum CallState {
    /// It waits for approval and has not been made.
    Waiting,
    /// It may be made.
    May,
    /// It was started and has no answer: it may have been made.
    InFlight,
    /// It has its answer.
    Answered(CallAnswer),
}

/// A call of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalCall {
    /// What was asked.
    pub request: CallRequest,
    /// For what.
    pub place: JournalPlace,
    /// Its state.
    pub state: CallState,
    /// Who said what becomes of it, where that is known.
    pub decided: Option<DecisionRecord>,
}

/// The journal: the next turn, or calls for the next act, that have begun and not ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journal {
    entries: Vec<Arc<JournalEntry>>,
    reply: Option<Arc<JournalEntry>>,
    calls: BTreeMap<u64, JournalCall>,
}

impl Journal {
    /// Whether nothing has begun.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Its lines, in order.
    pub fn entries(&self) -> &[Arc<JournalEntry>] {
        &self.entries
    }

    /// The reply of the turn that has begun, and when that was.
    pub fn reply(&self) -> Option<(&BegunReply, i64)> {
        self.reply.as_ref().and_then(|e| match &e.what {
            JournalEvent::Reply(r) => Some((r, e.time)),
            _ => None,
        })
    }

    /// Its calls, in order.
    pub fn calls(&self) -> impl Iterator<Item = &JournalCall> {
        self.calls.values()
    }

    /// The call of this number.
    pub fn call(&self, id: u64) -> Option<&JournalCall> {
        self.calls.get(&id)
    }

    /// The calls that have an answer, as a turn's record has them.
    pub fn answered(&self) -> impl Iterator<Item = Call> {
        self.calls.values().filter_map(|k| match &k.state {
            CallState::Answered(a) => Some(Call {
                id: a.id,
                name: k.request.name.clone(),
                args: k.request.args.clone(),
                result: a.result.clone(),
                error: a.error.clone(),
                failure: a.failure.clone(),
                ms: a.ms,
                together: None,
                decided: k.decided.clone(),
            }),
            _ => None,
        })
    }

    /// Writes into these calls who decided about them.
    pub(crate) fn tell_decisions(&self, calls: &mut [Call]) {
        for call in calls.iter_mut().filter(|c| c.decided.is_none()) {
            call.decided = self.calls.get(&call.id).and_then(|k| k.decided.clone());
        }
    }

    /// Milliseconds that its calls were waited for; those made together count once.
    pub fn waited_ms(&self) -> u64 {
        // A call that was made again is of the line that asked for it last.
        let mut batches: BTreeMap<u64, usize> = BTreeMap::new();
        for (i, entry) in self.entries.iter().enumerate() {
            if let JournalEvent::Asked(calls) = &entry.what {
                batches.extend(calls.iter().map(|c| (c.id, i)));
            }
        }
        let mut longest: BTreeMap<usize, u64> = BTreeMap::new();
        for answer in self.calls.values() {
            if let (CallState::Answered(a), Some(batch)) = (&answer.state, batches.get(&answer.request.id)) {
                let ms = longest.entry(*batch).or_default();
                *ms = a.ms.max(*ms);
            }
        }
        longest.into_values().fold(0, u64::saturating_add)
    }

    /// Adds a line.
    ///
    /// # Errors
    /// When it does not follow from the earlier lines; why.
    pub fn push(&mut self, entry: JournalEntry) -> Result<Arc<JournalEntry>, String> {
        let place = entry.place;
        if let Some(first) = self.entries.first().filter(|e| !same(e.place, place)) {
            return Err(format!("a line before {place} stands behind one before {}", first.place));
        }
        let of_turn = matches!(place, JournalPlace::Turn(_));
        match &entry.what {
            JournalEvent::Reply(_) if !of_turn => return Err("an act has no reply".to_owned()),
            JournalEvent::Reply(_) if self.reply.is_some() => return Err(format!("{place} has two replies")),
            JournalEvent::Reply(_) => {}
            _ if of_turn && self.reply.is_none() => return Err(format!("{place} has no reply that its calls are of")),
            JournalEvent::Waiting(calls) | JournalEvent::Asked(calls) => {
                let state =
                    if matches!(entry.what, JournalEvent::Asked(_)) { CallState::InFlight } else { CallState::Waiting };
                for request in calls {
                    if let Some(known) = self.calls.get(&request.id) {
                        // When the task of an act is edited, a number may become another call's.
                        let other = known.request.name != request.name || known.request.args != request.args;
                        if matches!(known.state, CallState::Answered(_)) || (other && of_turn) {
                            return Err(format!("call {} is asked twice", request.id));
                        }
                    }
                    // What was said of it holds for the call that is made.
                    let decided = self.calls.get(&request.id).and_then(|k| k.decided.clone());
                    let call = JournalCall { request: request.clone(), place, state: state.clone(), decided };
                    self.calls.insert(request.id, call);
                }
            }
            JournalEvent::Make(id) => match self.calls.get_mut(id) {
                Some(k) if !matches!(k.state, CallState::Answered(_)) => k.state = CallState::May,
                _ => return Err(format!("there is no call {id} that could be made")),
            },
            JournalEvent::Answered(a) => match self.calls.get_mut(&a.id) {
                Some(k) if !matches!(k.state, CallState::Answered(_)) => k.state = CallState::Answered(a.clone()),
                _ => return Err(format!("there is no call {} that could be answered", a.id)),
            },
        }
        if let (Some(by), JournalEvent::Make(id) | JournalEvent::Answered(CallAnswer { id, .. })) =
            (&entry.by, &entry.what)
            && let Some(known) = self.calls.get_mut(id)
        {
            known.decided = Some(DecisionRecord { by: by.clone(), time: entry.time });
        }
        let entry = Arc::new(entry);
        if matches!(entry.what, JournalEvent::Reply(_)) {
            self.reply = Some(entry.clone());
        }
        self.entries.push(entry.clone());
        Ok(entry)
    }

    /// Removes a call that is elsewhere in the trace by now.
    pub fn forget(&mut self, id: u64) {
        self.calls.remove(&id);
        self.entries.retain(|e| match &e.what {
            JournalEvent::Reply(_) => true,
            JournalEvent::Waiting(calls) | JournalEvent::Asked(calls) => calls.iter().any(|c| c.id != id),
            JournalEvent::Make(of) => *of != id,
            JournalEvent::Answered(a) => a.id != id,
        });
    }
}

/// Whether lines for these places can be in one journal.
fn same(a: JournalPlace, b: JournalPlace) -> bool {
    match (a, b) {
        (JournalPlace::Turn(a), JournalPlace::Turn(b)) => a == b,
        (JournalPlace::Act { act: a, .. }, JournalPlace::Act { act: b, .. }) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::record::{Header, TurnRecord};
    use crate::trace::{Trace, TruncatedLine, line};
    use ptc_lisp::error::ErrorKind;

    fn json(text: &str) -> Json {
        Json::new(text.to_owned()).unwrap()
    }

    fn request(id: u64) -> CallRequest {
        CallRequest { id, name: "f".into(), args: json("{\"a\":1.10}"), key: format!("k-{id}") }
    }

    fn entries() -> Vec<JournalEntry> {
        let usage =
            ModelUsage { provider: "p".into(), model: "m".into(), input_tokens: Some(7), ..ModelUsage::default() };
        let answered = CallAnswer { id: 1, result: Some(json("null")), error: None, failure: None, ms: 4 };
        let failed = CallAnswer { id: 2, result: None, error: Some("no".into()), failure: None, ms: 5 };
        [
            JournalEvent::Reply(BegunReply { reply: "(tool/f)\n".into(), usage: Some(usage), seed: u64::MAX }),
            JournalEvent::Waiting(vec![request(2)]),
            JournalEvent::Make(2),
            JournalEvent::Asked(vec![request(1), request(2), request(3)]),
            JournalEvent::Answered(answered),
            JournalEvent::Answered(failed),
        ]
        .into_iter()
        .map(|what| JournalEntry::new(JournalPlace::Turn(2), what, 9))
        .collect()
    }

    fn trace(entries: &[JournalEntry]) -> Trace {
        let mut trace = Trace::new(Header::new("s", "p", 5));
        trace.push(TurnRecord::empty(1));
        for e in entries {
            trace.note(e.clone()).unwrap();
        }
        trace
    }

    #[test]
    fn keys_and_their_order_are_the_contract() {
        let lines: Vec<String> = entries().iter().map(line).collect();
        let expected = [
            r#"{"before_turn":2,"reply":"(tool/f)\n","usage":{"provider":"p","model":"m","input_tokens":7},"time":9,"seed":"18446744073709551615"}"#,
            r#"{"before_turn":2,"waiting":[{"id":2,"name":"f","args":{"a":1.10},"key":"k-2"}],"time":9}"#,
            r#"{"before_turn":2,"make":2,"time":9}"#,
            r#"{"before_turn":2,"asked":[{"id":1,"name":"f","args":{"a":1.10},"key":"k-1"},{"id":2,"name":"f","args":{"a":1.10},"key":"k-2"},{"id":3,"name":"f","args":{"a":1.10},"key":"k-3"}],"time":9}"#,
            r#"{"before_turn":2,"answered":{"id":1,"result":null,"ms":4},"time":9}"#,
            r#"{"before_turn":2,"answered":{"id":2,"error":"no","ms":5},"time":9}"#,
        ];
        assert_eq!(lines.iter().map(|l| l.trim_end()).collect::<Vec<_>>(), expected);
        let act = JournalEntry::new(JournalPlace::Act { act: 1, input: 3 }, JournalEvent::Make(1), 0);
        assert_eq!(line(&act), "{\"before_act\":1,\"input\":3,\"make\":1,\"time\":0}\n");
        assert_eq!(serde_json::from_str::<JournalEntry>(&line(&act)).unwrap(), act);
    }

    #[test]
    fn a_turn_that_has_begun_is_read_and_forgotten_when_it_ends() {
        let all = entries();
        let mut begun = trace(&all);
        let text = begun.to_text();
        let loaded = Trace::parse(text.as_bytes()).unwrap();
        assert_eq!((&loaded.trace, loaded.trace.to_text()), (&begun, text.clone()));
        let journal = loaded.trace.journal();
        assert_eq!(
            journal.reply().map(|(r, time)| (r.reply.as_str(), r.seed, time)),
            Some(("(tool/f)\n", u64::MAX, 9))
        );
        let states: Vec<CallState> = journal.calls().map(|k| k.state.clone()).collect();
        assert!(matches!(&states[..], [CallState::Answered(_), CallState::Answered(_), CallState::InFlight]));
        assert_eq!(
            journal.answered().map(|c| (c.id, c.error)).collect::<Vec<_>>(),
            [(1, None), (2, Some("no".into()))]
        );
        assert_eq!(journal.waited_ms(), 5, "those made together count once");
        begun.push(TurnRecord::empty(2));
        assert!(begun.journal().is_empty());
        // In the file its lines stay where they are.
        let whole = format!("{text}{}", line(begun.last().unwrap().as_ref()));
        assert_eq!(Trace::parse(whole.as_bytes()).unwrap().trace, begun);
        assert!(!begun.to_text().contains("before_turn"));
    }

    /// Who decided stands in the line of the decision, and in the call of the turn that has ended. Older lines have nobody.
    #[test]
    fn who_decided_is_told_with_the_call() {
        let mut all = entries();
        all[2].by = Some("ann@laptop".to_owned());
        assert_eq!(line(&all[2]), "{\"before_turn\":2,\"make\":2,\"by\":\"ann@laptop\",\"time\":9}\n");
        let mut begun = trace(&all);
        let by = DecisionRecord { by: "ann@laptop".into(), time: 9 };
        let told: Vec<_> = begun.journal().answered().map(|c| c.decided).collect();
        assert_eq!(told, [None, Some(by.clone())]);
        let mut record = TurnRecord::empty(2);
        record.tool_calls = begun.journal().answered().map(|c| Call { decided: None, ..c }).collect();
        let record = begun.push(record);
        assert_eq!((&record.tool_calls[0].decided, &record.tool_calls[1].decided), (&None, &Some(by)));
        let read = Trace::parse(begun.to_text().as_bytes()).unwrap().trace;
        assert_eq!(read.turns()[1].tool_calls, record.tool_calls);
    }

    #[test]
    fn every_torn_line_of_the_journal_is_skipped() {
        let all = entries();
        for n in 1..=all.len() {
            let (before, text) = (trace(&all[..n - 1]), trace(&all[..n]).to_text());
            let start = before.to_text().len();
            for cut in start + 1..text.len() - 1 {
                // A truncated line breaks off, or has holes where nothing was written.
                let mut holes = text.as_bytes().to_vec();
                holes[cut..text.len() - 1].fill(0);
                for torn in [text.as_bytes()[..cut].to_vec(), holes] {
                    let loaded = Trace::parse(&torn).unwrap();
                    assert_eq!(loaded.trace, before, "line {n}, byte {cut}");
                    assert!(matches!(loaded.torn, Some(TruncatedLine { line, .. }) if line == n + 2));
                    assert_eq!(loaded.whole_bytes, start - 1);
                }
            }
        }
    }

    #[test]
    fn lines_that_do_not_follow_are_named() {
        let all = entries();
        let head = trace(&[]).to_text();
        let (reply, make, asked, answered) = (line(&all[0]), line(&all[2]), line(&all[3]), line(&all[4]));
        let other = reply.replace("\"before_turn\":2", "\"before_turn\":3");
        let act = "{\"before_act\":1,\"input\":1,\"make\":1,\"time\":0}\n".to_owned();
        for (lines, words) in [
            ([&asked, ""].concat(), "turn 2 has no reply that its calls are of"),
            ([&reply[..], &reply].concat(), "turn 2 has two replies"),
            (other, "a line before turn 3 does not belong here"),
            ([&reply[..], &make].concat(), "there is no call 2 that could be made"),
            ([&reply[..], &answered].concat(), "there is no call 1 that could be answered"),
            ([&reply[..], &asked, &answered, &answered].concat(), "there is no call 1 that could be answered"),
            ([&reply[..], &asked, &answered, &asked].concat(), "call 1 is asked twice"),
            ([&reply[..], &act].concat(), "a line before act 1, input 1 stands behind one before turn 2"),
            (
                "{\"before_turn\":2,\"time\":0}\n{}\n".to_owned(),
                "a line before a turn or act that does not say one thing",
            ),
        ] {
            let error = Trace::parse(format!("{head}{lines}").as_bytes()).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Corrupt);
            assert!(error.message.contains(words), "{}", error.message);
        }
    }
}
