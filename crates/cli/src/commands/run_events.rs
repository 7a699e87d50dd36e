//! `--output jsonl`: a line of JSON for each event of a run, as it happens.

use crate::terminal::run_view::RunView;
use ptc_agent::host::now_ms;
use ptc_agent::model::Price;
use ptc_agent::{Cancel, Observer, Retry, SentRequest, SubtaskEvent, SubtaskStep, Task, Totals};
use ptc_history::Block;
use ptc_turns::session::reply;
use ptc_turns::trace::journal::{CallAnswer, CallRequest};
use ptc_turns::trace::record::Usage;
use ptc_turns::{Act, Json, Session, TurnRecord};
use serde::Serialize;
use serde_json::{Value, json};

/// Bytes of a text or of a value of one event; more is cut, and the line says how much there was.
const MOST: usize = 64 * 1024;

/// Shows a run, and writes its events where they are wanted.
pub struct RunObserver<'v, 'b> {
    view: Box<dyn RunView<'b> + 'v>,
    events: bool,
    /// Raised when the events cannot be written: nobody reads on.
    cancel: Cancel,
    price: Option<Price>,
}

/// Declares a line of JSON: its name and its time, and fields of which it has those that are known.
macro_rules! event {
    ($($(#[$doc:meta])* $field:ident: $of:ty,)*) => {
        /// A line.
        #[derive(Default, Serialize)]
        struct Event<'a> {
            #[serde(rename = "type")]
            kind: &'static str,
            /// Milliseconds since 1970.
            time: i64,
            $($(#[$doc])* #[serde(skip_serializing_if = "Option::is_none")] $field: Option<$of>,)*
        }
    };
}

event! {
    task: &'a str,
    model: &'a str,
    path: &'a [String],
    label: &'a str,
    act: u64,
    turn: u64,
    max_turns: u64,
    id: u64,
    step: &'static str,
    name: &'a str,
    status: &'static str,
    reason: &'a str,
    wait_ms: u64,
    tried: u32,
    tries: u32,
    args: &'a Json,
    ms: u64,
    result: &'a Json,
    text: &'a str,
    value: &'a str,
    json: &'a Json,
    error: Value,
    defined: Vec<&'a str>,
    usage: &'a Usage,
    total: Totals,
    /// How many bytes there were of what was cut or left out.
    cut_bytes: usize,
}

impl Event<'_> {
    fn new(kind: &'static str) -> Self {
        Event { kind, time: now_ms(), ..Event::default() }
    }
}

impl<'v, 'b> RunObserver<'v, 'b> {
    /// This view, and with `events` a line of each event on stdout.
    pub fn new(view: Box<dyn RunView<'b> + 'v>, events: bool, cancel: &Cancel) -> Self {
        RunObserver { view, events, cancel: cancel.clone(), price: None }
    }

    /// The run begins, or goes on with a session.
    pub fn started(&mut self, task: &Task, session: &Session) {
        // One price holds for all tokens, where no act asks another model.
        let acts = session.trace().header.acts.len();
        self.price = task.asked.price.clone().filter(|_| (0..acts).all(|at| task.asks_its_model(at)));
        let turn = (session.trace().turns().len() as u64).saturating_add(1);
        let (name, model) = (Some(cut(&task.name).0), task.model.as_deref().map(|m| cut(m).0));
        self.write(&Event {
            task: name,
            model,
            turn: Some(turn),
            max_turns: Some(task.max_turns),
            ..Event::new("run_started")
        });
    }

    fn write(&mut self, event: &Event<'_>) {
        if !self.events {
            return;
        }
        let (status, io) = self.view.io();
        let _held = status.hold();
        let written = serde_json::to_writer(&mut *io.out, event).map_err(std::io::Error::from);
        let written = written.and_then(|()| io.out.write_all(b"\n")).and_then(|()| io.out.flush());
        if written.is_err() {
            // Whoever reads them has gone, or the disk is full: the last line tells, which cannot be written either.
            self.events = false;
            self.cancel.cancel();
        }
    }

    fn text(&mut self, kind: &'static str, turn: u64, text: &str) {
        let (text, cut_bytes) = cut(text);
        self.write(&Event { turn: Some(turn), text: Some(text), cut_bytes, ..Event::new(kind) });
    }
}

/// A text, cut where it is too long; then how long it was.
fn cut(text: &str) -> (&str, Option<usize>) {
    if text.len() <= MOST {
        return (text, None);
    }
    let end = (0..=MOST).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    (text.get(..end).unwrap_or_default(), Some(text.len()))
}

/// A value of JSON, left out where it is too long; then how long it was.
fn short(json: Option<&Json>) -> (Option<&Json>, Option<usize>) {
    match json.map(|j| j.text().len()).filter(|n| *n > MOST) {
        Some(n) => (None, Some(n)),
        None => (json, None),
    }
}

fn step(step: &SubtaskStep) -> (&'static str, Option<&'static str>) {
    match step {
        SubtaskStep::Asking => ("turn_started", None),
        SubtaskStep::Retrying(_) => ("retry", None),
        SubtaskStep::Replied => ("replied", None),
        SubtaskStep::Calling(_) => ("tool_call", None),
        SubtaskStep::CallAnswered(_) => ("tool_result", None),
        SubtaskStep::Ran(status) => ("turn_ended", Some(status.as_str())),
        SubtaskStep::Ended(status) => ("run_ended", Some(status.as_str())),
        _ => ("other", None),
    }
}

impl Observer for RunObserver<'_, '_> {
    fn opened(&mut self, act: &Act, session: &Session) {
        let name = Some(cut(&act.name).0);
        match act.content.first() {
            // A further question, and not an act of a task.
            Some(Block::Text { text, .. }) if session.trace().header.acts.is_empty() => {
                let (text, cut_bytes) = cut(text);
                let turn = Some(act.first_turn);
                self.write(&Event { turn, name, text: Some(text), cut_bytes, ..Event::new("question_asked") });
            }
            _ => self.write(&Event { act: Some(act.act), name, ..Event::new("act_started") }),
        }
        self.view.opened(act, session);
    }

    fn warned(&mut self, words: &str) {
        let (text, cut_bytes) = cut(words);
        self.write(&Event { text: Some(text), cut_bytes, ..Event::new("warning") });
        self.view.warned(words);
    }

    fn requested(&mut self, sent: &SentRequest<'_>, session: &Session) {
        self.view.requested(sent, session);
    }

    fn asking(&mut self, turn: u64, session: &Session) {
        self.write(&Event { turn: Some(turn), ..Event::new("turn_started") });
        self.view.asking(turn, session);
    }

    fn going_on(&mut self, turn: u64, session: &Session) {
        self.write(&Event { turn: Some(turn), ..Event::new("turn_started") });
        self.view.going_on(turn, session);
    }

    fn streams(&self) -> bool {
        self.events || self.view.streams()
    }

    fn said(&mut self, turn: u64, piece: &str) {
        self.text("model_delta", turn, piece);
        self.view.said(turn, piece);
    }

    fn thought(&mut self, turn: u64, piece: &str) {
        self.text("thought_delta", turn, piece);
        self.view.thought(turn, piece);
    }

    fn retrying(&mut self, turn: u64, retry: &Retry) {
        let wait_ms = u64::try_from(retry.wait.as_millis()).ok();
        let (tried, tries) = (Some(retry.tried), Some(retry.tries));
        self.write(&Event {
            turn: Some(turn),
            reason: Some(&retry.reason),
            wait_ms,
            tried,
            tries,
            ..Event::new("retry")
        });
        self.view.retrying(turn, retry);
    }

    fn replied(&mut self, turn: u64, text: &str) {
        if self.events
            && let Ok(found) = reply::extract(text)
        {
            self.text("program", turn, &found.program);
        }
        self.view.replied(turn, text);
    }

    fn calling(&mut self, calls: &[CallRequest]) {
        for call in calls {
            let (args, cut_bytes) = short(Some(&call.args));
            let name = Some(cut(&call.name).0);
            self.write(&Event { id: Some(call.id), name, args, cut_bytes, ..Event::new("tool_call") });
        }
        self.view.calling(calls);
    }

    fn call_answered(&mut self, answer: &CallAnswer) {
        let (result, cut_bytes) = short(answer.result.as_ref());
        let error = answer.error.as_deref().map(|e| Value::from(cut(e).0));
        let (id, ms) = (Some(answer.id), Some(answer.ms));
        self.write(&Event { id, ms, result, error, cut_bytes, ..Event::new("tool_result") });
        self.view.call_answered(answer);
    }

    fn subtask(&mut self, event: &SubtaskEvent) {
        let (step, status) = step(&event.step);
        let (path, label) = (Some(event.path.as_slice()), Some(event.label.as_str()));
        let (turn, step) = (Some(event.turn), Some(step));
        let one = Event { path, label, turn, step, status, ..Event::new("subtask") };
        match &event.step {
            SubtaskStep::Calling(calls) => {
                for call in calls {
                    let (args, cut_bytes) = short(Some(&call.args));
                    let name = Some(cut(&call.name).0);
                    let one = Event { path, label, turn, step, ..Event::new("subtask") };
                    self.write(&Event { id: Some(call.id), name, args, cut_bytes, ..one });
                }
            }
            SubtaskStep::CallAnswered(a) => {
                let (result, cut_bytes) = short(a.result.as_ref());
                let error = a.error.as_deref().map(|e| Value::from(cut(e).0));
                self.write(&Event { id: Some(a.id), ms: Some(a.ms), result, error, cut_bytes, ..one });
            }
            SubtaskStep::Retrying(retry) => self.write(&Event { reason: Some(&retry.reason), ..one }),
            _ => self.write(&one),
        }
        self.view.subtask(event);
    }

    fn ran(&mut self, r: &TurnRecord, session: &Session) {
        let turn = Some(r.turn);
        if !r.printed.is_empty() {
            self.text("output", r.turn, &r.printed.concat());
        }
        let (value, cut_value) = r.value.as_deref().map_or((None, None), |v| (Some(cut(v).0), cut(v).1));
        let (json, cut_json) = short(r.value_json.as_ref());
        let error = r.error.as_ref().map(|e| {
            let (message, hint) = (cut(&e.message).0, e.hint.as_deref().map(|h| cut(h).0));
            json!({"kind": e.kind.as_str(), "message": message, "line": e.line, "column": e.column, "hint": hint})
        });
        let defined: Vec<&str> = r.definitions.iter().map(|d| cut(&d.name).0).collect();
        let (status, usage) = (Some(r.status.as_str()), Some(&r.usage));
        let cut_bytes = cut_value.or(cut_json);
        let defined = Some(defined);
        self.write(&Event { turn, status, value, json, error, defined, usage, cut_bytes, ..Event::new("turn_ended") });
        if self.events {
            let total = Some(Totals::of_trace(session.trace(), self.price.as_ref()));
            self.write(&Event { turn, total, ..Event::new("usage") });
        }
        self.view.ran(r, session);
    }
}
