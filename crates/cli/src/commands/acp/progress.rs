//! A run as its editor sees it.

use super::editor::Editor;
use super::update;
use ptc_agent::{Observer, Retry, SubtaskEvent, SubtaskStep};
use ptc_turns::session::reply;
use ptc_turns::trace::journal::{CallAnswer, CallRequest};
use ptc_turns::{Act, Mode, Session, TurnRecord};
use serde_json::Value;
use std::collections::HashSet;

/// Tells an editor what happens.
pub struct Progress<'a> {
    editor: &'a Editor,
    session: &'a str,
    /// Whether pieces of this turn's answer were told.
    streamed: bool,
    /// The act is one reply, and no program.
    in_words: bool,
    turns: HashSet<u64>,
    subtasks: HashSet<String>,
}

impl<'a> Progress<'a> {
    /// In this session.
    pub fn new(editor: &'a Editor, session: &'a str) -> Self {
        let (turns, subtasks) = (HashSet::new(), HashSet::new());
        Progress { editor, session, streamed: false, in_words: false, turns, subtasks }
    }

    fn tell(&self, update: &Value) {
        self.editor.update(self.session, update);
    }

    fn runs(&mut self, turn: u64, reply: &str) {
        if !self.in_words {
            let program = reply::extract(reply).map_or_else(|_| String::new(), |found| found.program);
            let known = !self.turns.insert(turn);
            self.tell(&update::turn_begun(turn, &program, known));
        }
    }
}

impl Observer for Progress<'_> {
    fn opened(&mut self, act: &Act, session: &Session) {
        self.in_words = act.mode == Mode::Text;
        update::plan(session.trace()).iter().for_each(|plan| self.tell(plan));
    }

    fn warned(&mut self, words: &str) {
        self.tell(&update::thought(&format!("Warning: {words}\n")));
    }

    fn asking(&mut self, _: u64, _: &Session) {
        self.streamed = false;
    }

    fn going_on(&mut self, turn: u64, session: &Session) {
        if let Some((begun, _)) = session.trace().journal().reply() {
            self.runs(turn, &begun.reply);
        }
    }

    fn said(&mut self, _: u64, piece: &str) {
        self.streamed = true;
        self.tell(&update::thought(piece));
    }

    fn thought(&mut self, _: u64, piece: &str) {
        self.tell(&update::thought(piece));
    }

    fn retrying(&mut self, turn: u64, retry: &Retry) {
        self.tell(&update::thought(&format!("Turn {turn}: the model is asked again: {}\n", retry.reason)));
    }

    fn replied(&mut self, turn: u64, reply: &str) {
        let prose = reply::extract(reply).ok().and_then(|found| found.reasoning);
        if let Some(prose) = prose.filter(|_| !self.streamed) {
            self.tell(&update::thought(&prose));
        }
        self.runs(turn, reply);
    }

    fn calling(&mut self, calls: &[CallRequest]) {
        calls.iter().for_each(|call| self.tell(&update::call_begun(call)));
    }

    fn call_answered(&mut self, answer: &CallAnswer) {
        self.tell(&update::call_ended(answer));
    }

    fn subtask(&mut self, event: &SubtaskEvent) {
        let (doing, status) = match &event.step {
            SubtaskStep::Asking => ("asks its model".to_owned(), "in_progress"),
            SubtaskStep::Retrying(retry) => (format!("asks its model again: {}", retry.reason), "in_progress"),
            SubtaskStep::Calling(calls) => {
                let names: Vec<&str> = calls.iter().map(|c| c.name.as_str()).collect();
                (format!("calls {}", names.join(", ")), "in_progress")
            }
            SubtaskStep::Ended(how) if how.as_str() == "returned" => ("has returned".to_owned(), "completed"),
            SubtaskStep::Ended(how) => (format!("ended: {}", how.as_str()), "failed"),
            _ => return,
        };
        let title = format!("{}, turn {}: {doing}", event.path.join(" > "), event.turn);
        let title = ptc_text::cut::one_line(&title, 200);
        let begins = self.subtasks.insert(event.label.clone());
        self.tell(&update::subtask(&event.label, &title, status, begins));
    }

    fn ran(&mut self, record: &TurnRecord, session: &Session) {
        if !self.in_words {
            self.tell(&update::turn_ended(record));
        }
        if session.trace().over() {
            update::plan(session.trace()).iter().for_each(|plan| self.tell(plan));
        }
    }
}
