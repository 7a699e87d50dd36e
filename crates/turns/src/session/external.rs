//! Turns that run elsewhere: a session whose memory is in another process keeps the trace and the view here.

use crate::render::incremental_view::IncrementalView;
use crate::session::{Session, TurnContext, TurnRefused, reply};
use crate::trace::full_turn::fenced;
use crate::trace::outcome;
use crate::trace::record::{Call, KeptTexts, ModelUsage, TurnRecord};
use ptc_lisp::error::Error;
use ptc_lisp::value::Value;
use std::borrow::Cow;

/// The source of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnText<'a> {
    /// A program as it stands.
    Program(&'a str),
    /// A model's reply, with a program in it.
    Reply(&'a str),
}

impl<'a> TurnText<'a> {
    /// A program that a model wrote into a field: an argument of a tool, a value in a request. Models put fences around
    /// such programs and thoughts before them; then it is read as a reply.
    ///
    /// ```
    /// use ptc_turns::TurnText;
    ///
    /// assert_eq!(TurnText::of_field("(+ 1 2)"), TurnText::Program("(+ 1 2)"));
    /// let fenced = "```clojure\n(+ 1 2)\n```";
    /// assert_eq!(TurnText::of_field(fenced), TurnText::Reply(fenced));
    /// assert_eq!(TurnText::of_field("(+ 1 2)").into_reply(), fenced);
    /// ```
    pub fn of_field(text: &'a str) -> Self {
        if reply::is_wrapped(text) { TurnText::Reply(text) } else { TurnText::Program(text) }
    }

    /// The reply: of a program one that holds it in a fence.
    pub fn into_reply(self) -> Cow<'a, str> {
        match self {
            TurnText::Program(program) => Cow::Owned(fenced(program)),
            TurnText::Reply(reply) => Cow::Borrowed(reply),
        }
    }
}

impl Session {
    /// Runs the next turn, of a program or a reply.
    ///
    /// # Errors
    /// When the session has ended, or the turn was cancelled.
    pub fn turn(&mut self, text: TurnText<'_>, world: TurnContext<'_>) -> Result<&TurnRecord, TurnRefused> {
        match text {
            TurnText::Program(program) => self.run(program, world),
            TurnText::Reply(reply) => self.reply(reply, world),
        }
    }

    /// Adds a turn that ran elsewhere to the trace and the view. Memory here stays as it is.
    pub fn take(&mut self, record: TurnRecord) -> &TurnRecord {
        self.enter(record)
    }

    /// The same for a turn whose reply a model wrote: adds its cost.
    pub fn take_from(&mut self, mut record: TurnRecord, model: Option<ModelUsage>) -> &TurnRecord {
        if let Some(m) = model {
            outcome::add_model(&mut record.usage, m);
        }
        self.enter(record)
    }

    /// Adds a turn that was lost when its process ended: an error, and the tool calls that had been made.
    pub fn lose(
        &mut self,
        text: TurnText<'_>,
        error: &Error,
        calls: Vec<Call>,
        (now_ms, seed): (i64, u64),
        model: Option<ModelUsage>,
    ) -> &TurnRecord {
        let (program, reasoning) = match text {
            TurnText::Program(p) => (p.to_owned(), None),
            TurnText::Reply(r) => match reply::extract(r) {
                Ok(r) => (r.program, r.reasoning),
                Err(_) => (String::new(), Some(r.to_owned())),
            },
        };
        let (mut record, report) = outcome::lost(program, reasoning, error, calls);
        if let TurnText::Reply(r) = text {
            outcome::keep_reply(&mut record, r);
        }
        self.append(record, Some(report), now_ms, seed, model)
    }

    /// Lets go of the texts of its turns where they take more than `most` bytes: for a session whose programs run elsewhere and
    /// whose prompts nobody asks for. Its trace has them.
    pub fn release_texts(&mut self, most: u64) {
        let held = self.trace.turns().iter().map(|t| t.bytes()).fold(0, u64::saturating_add);
        if held > most {
            self.trace.reduce_turns(KeptTexts::NONE);
            self.view = IncrementalView::of(&self.trace, self.view.policy());
        }
    }

    /// Counts bytes of the record that are not held here, as those of a trace that was read without texts.
    pub fn count_released_bytes(&mut self, bytes: u64) {
        self.record_bytes = self.record_bytes.saturating_add(bytes);
    }

    /// The inputs and their values.
    pub fn inputs(&self) -> &[(String, Value)] {
        &self.context
    }

    /// Whether it continues after `return` and `fail`: `Config::open_ended`.
    pub fn open_ended(&self) -> bool {
        self.open_ended
    }

    /// Sets whether it continues after `return` and `fail`, and between acts, which a trace does not say.
    pub fn set_open_ended(&mut self, open_ended: bool) {
        self.open_ended = open_ended;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::config::Config;
    use crate::trace::record::Status;
    use ptc_lisp::error::ErrorKind;

    #[test]
    fn a_turn_from_elsewhere_is_one_like_the_others() {
        let mut there = Session::new(Config::programs());
        let mut here = Session::new(Config::programs());
        for program in ["(def x 1)", "(oops)", "(return x)", "(turn/list)"] {
            let record = there.run(program, TurnContext::without_host()).unwrap().clone();
            here.take(record);
        }
        assert_eq!(here.trace(), there.trace());
        assert_eq!(here.view().messages(), there.view().messages());
        assert_eq!(here.memory().bindings().count(), 0);
    }

    #[test]
    fn a_lost_turn_says_why_and_what_it_had_called() {
        let mut s = Session::new(Config { open_ended: false, max_turns: 5, ..Config::programs() });
        let error = Error::new(ErrorKind::Internal, "the worker died");
        let call = Call {
            id: 1,
            name: "t".into(),
            args: Default::default(),
            result: None,
            error: None,
            failure: None,
            ms: 1,
            together: None,
            decided: None,
        };
        let reply = "Now:\n\n```clojure\n(tool/t)\n```\nafter";
        let r = s.lose(TurnText::Reply(reply), &error, vec![call], (7, 8), None).clone();
        assert_eq!((r.turn, r.status, r.program.as_str(), r.time, r.seed), (1, Status::Error, "(tool/t)", 7, 8));
        assert_eq!((r.reply.as_deref(), r.tool_calls.len()), (Some(reply), 1));
        assert!(r.feedback.starts_with("Error: internal: the worker died") && r.feedback.contains("Turn 2 of 5"));
        let r = s.lose(TurnText::Program("(def y"), &error, Vec::new(), (7, 8), None);
        assert_eq!((r.turn, r.program.as_str()), (2, "(def y"));
    }
}
