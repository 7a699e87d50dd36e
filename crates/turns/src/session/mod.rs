//! A session: memory and trace, turn by turn. A turn is a transaction; its record is made once.

mod call_groups;
pub mod config;
pub mod external;
pub mod given;
mod last_request;
mod lookup;
mod replay;
pub mod reply;
pub mod return_check;
mod turn_history;

use crate::policy::Policy;
use crate::render;
use crate::render::act_inputs;
use crate::render::feedback;
use crate::render::incremental_view::IncrementalView;
use crate::session::call_groups::CallGroups;
use crate::session::config::Config;
use crate::session::last_request::LastRequest;
use crate::session::return_check::Check;
use crate::session::turn_history::EarlierTurns;
use crate::trace::Trace;
use crate::trace::act::{Act, Called};
use crate::trace::act_spec::{self, Mode};
use crate::trace::journal::{Journal, JournalEntry};
use crate::trace::outcome;
use crate::trace::record::{Header, ModelUsage, TurnRecord};
use crate::trace::run_ended::RunEnded;
use crate::trace::turn_limit::{ENDLESS, TurnLimit};
use ptc_history::Message;
use ptc_history::view::CustomStrategy;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::interface::{Clock, Outcome, RunInput, RunResult, ToolSpec, Tools};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;
use ptc_lisp::value::node::live_bytes;
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

/// What the host provides for one turn.
///
/// ```
/// use ptc_lisp::interface::Tools;
/// use ptc_lisp::value::Value;
/// use ptc_turns::{Config, Session, TurnContext};
///
/// struct Shop;
///
/// impl Tools for Shop {
///     fn call(&mut self, _id: u64, name: &str, _args: &Value) -> Result<Value, String> {
///         if name == "price" { Ok(Value::int(250)) } else { Err(format!("no tool {name}")) }
///     }
/// }
///
/// let tool = ptc_lisp::interface::ToolSpec { name: "price".into(), description: "Price".into(), params: None, returns: None };
/// let mut session = Session::new(Config { tools: vec![tool], ..Config::programs() });
/// let mut shop = Shop;
/// let world = TurnContext { now_ms: 1_760_000_000_000, seed: 7, ..TurnContext::with_tools(&mut shop) };
/// assert_eq!(session.run("(* 2 (tool/price {}))", world)?.value.as_deref(), Some("500"));
/// # Ok::<(), ptc_turns::TurnRefused>(())
/// ```
pub struct TurnContext<'a> {
    /// Who answers tool calls.
    pub tools: &'a mut dyn Tools,
    /// Time since the turn began.
    pub clock: &'a dyn Clock,
    /// Polled while the turn runs; `true` ends the turn, and nothing of it is kept ([`TurnRefused::Cancelled`]).
    pub cancelled: &'a dyn Fn() -> bool,
    /// Given each text as the program prints it, before it is known how the turn ends. A turn that runs in a worker
    /// process ([`TurnText`](crate::TurnText)) tells nothing before its end.
    pub on_print: &'a dyn Fn(&str),
    /// The turn's start, milliseconds since 1970.
    pub now_ms: i64,
    /// Seed of the turn's randomness.
    pub seed: u64,
    /// What the model's call cost, when a model wrote the reply.
    pub model: Option<ModelUsage>,
    /// What the line of turns in the feedback says besides, of limits that are nearly used up.
    pub notice: Option<String>,
    /// How long a call took, in milliseconds, whose answer is replayed and not made now.
    pub took: &'a dyn Fn(u64) -> Option<u64>,
}

impl<'a> TurnContext<'a> {
    /// No tools, and otherwise as [`TurnContext::with_tools`].
    pub fn without_host() -> Self {
        // A box of `()` allocates nothing, so nothing is leaked.
        Self::with_tools(Box::leak(Box::new(())))
    }

    /// These tools; the clock always says 0, and so do the time and the seed: for tests, and for programs that need
    /// neither a time limit nor randomness.
    pub fn with_tools(tools: &'a mut dyn Tools) -> Self {
        TurnContext {
            tools,
            clock: &(),
            cancelled: &|| false,
            on_print: &|_| {},
            now_ms: 0,
            seed: 0,
            model: None,
            notice: None,
            took: &|_| None,
        }
    }
}

/// What a program that runs asks, and whom it tells what it prints.
pub(crate) struct RunWatch<'a> {
    pub clock: &'a dyn Clock,
    pub cancelled: &'a dyn Fn() -> bool,
    pub on_print: &'a dyn Fn(&str),
}

/// Why a turn was not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnRefused {
    /// By `return` or `fail`.
    #[error("the session has ended: turn {turn} {how}")]
    Finished {
        /// In which turn.
        turn: u64,
        /// `returned` or `failed`.
        how: &'static str,
    },
    /// Out of turns.
    #[error("out of turns: max_turns is {max_turns}{}", of_act(act.as_deref()))]
    OutOfTurns {
        /// The limit.
        max_turns: u64,
        /// The act whose limit it is, of a session with acts.
        act: Option<String>,
    },
    /// The records of the turns alone take all that the session may hold.
    #[error(
        "the record of the session takes session_bytes = {session_bytes}; go on in a new session, or raise the limit"
    )]
    Full {
        /// The limit.
        session_bytes: u64,
    },
    /// The act has ended, and the next one has not been opened.
    #[error("the act {next} has not begun; open it first")]
    ActDue {
        /// The next act.
        next: String,
    },
    /// There is no act to open: one has begun, or the last has ended.
    #[error("no act is due: {0}")]
    NoActDue(&'static str),
    /// No other question can be asked now.
    #[error("no other question can be asked: {0}")]
    NoFollowUp(&'static str),
    /// [`TurnContext::cancelled`] ended it while it ran: the session is unchanged.
    #[error("the turn was cancelled; nothing of it is kept")]
    Cancelled,
}

impl TurnRefused {
    /// What to do next, where that is known; the end of the words that [`fmt::Display`](std::fmt::Display) writes.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            TurnRefused::Full { .. } => Some("go on in a new session, or raise the limit"),
            TurnRefused::ActDue { .. } => Some("open it first"),
            TurnRefused::Finished { .. }
            | TurnRefused::OutOfTurns { .. }
            | TurnRefused::NoActDue(_)
            | TurnRefused::NoFollowUp(_)
            | TurnRefused::Cancelled => None,
        }
    }
}

fn fits(check: &Check, v: &Value) -> Result<(), Error> {
    let hint = "return a value that fits the JSON schema";
    let wrong =
        |words: String| Error::new(ErrorKind::Type, format!("the returned value does not fit: {words}")).hint(hint);
    let text = json::to_text(v).map_err(|e| wrong(e.message))?;
    (check.fits)(&text).map_err(wrong)
}

fn of_act(act: Option<&str>) -> String {
    act.map_or_else(String::new, |a| format!(" in act {a}"))
}

/// A session of programs. A clone is a fork.
///
/// ```
/// use ptc_turns::{Config, Session, Status, TurnContext};
///
/// let mut session = Session::new(Config { prompt: "Add up 1, 2, 3".into(), max_turns: 4, ..Config::default() });
/// let turn = session.reply("```clojure\n(def xs [1 2 3])\n(println (count xs))\n```", TurnContext::without_host())?;
/// assert_eq!((turn.status, turn.printed.as_slice()), (Status::Ok, ["3\n".to_owned()].as_slice()));
///
/// // A fork goes another way; what one defines or breaks, the other does not see.
/// let mut fork = session.fork();
/// assert_eq!(fork.reply("(return (last xs))", TurnContext::without_host())?.value.as_deref(), Some("3"));
/// let turn = session.reply("(return (reduce + xs))", TurnContext::without_host())?;
/// assert_eq!((turn.status, turn.value.as_deref()), (Status::Returned, Some("6")));
/// assert!(session.reply("1", TurnContext::without_host()).is_err(), "it has ended");
/// # Ok::<(), ptc_turns::TurnRefused>(())
/// ```
#[derive(Clone)]
pub struct Session {
    pub(crate) trace: Trace,
    pub(crate) memory: Memory,
    pub(crate) view: IncrementalView,
    pub(crate) last_request: LastRequest,
    pub(crate) tools: Vec<ToolSpec>,
    pub(crate) context: Vec<(String, Value)>,
    pub(crate) expect: Option<Type>,
    pub(crate) check: Option<Check>,
    pub(crate) strategy: Option<Arc<dyn CustomStrategy>>,
    pub(crate) recent: [Value; 3],
    pub(crate) last_error: Value,
    pub(crate) calls: u64,
    /// Bytes of the record of acts and turns, and of the messages made of it.
    pub(crate) record_bytes: u64,
    pub(crate) open_ended: bool,
    /// What the next feedback says of limits.
    pub(crate) notice: Option<String>,
}

impl Session {
    /// A session without turns.
    pub fn new(config: Config) -> Self {
        let header = Arc::new(config.header());
        Session {
            view: IncrementalView::new(header.clone(), &config.policy),
            last_request: LastRequest::default(),
            trace: Trace::new(header),
            memory: config.libraries.memory(),
            tools: config.tools,
            context: config.inputs.into_iter().map(|i| (i.name, i.value)).collect(),
            expect: config.expect,
            check: config.check,
            strategy: config.strategy,
            recent: Default::default(),
            last_error: Value::Nil,
            calls: 0,
            record_bytes: 0,
            open_ended: config.open_ended,
            notice: None,
        }
    }

    /// Takes a model's reply as the next turn: its program runs; a reply without one is an error turn.
    ///
    /// # Errors
    /// When the session has ended, or the turn was cancelled.
    pub fn reply(&mut self, reply: &str, world: TurnContext<'_>) -> Result<&TurnRecord, TurnRefused> {
        self.may_run()?;
        self.notice.clone_from(&world.notice);
        if self.trace.act().is_some_and(|a| a.mode == Mode::Text) {
            return Ok(self.answer(reply, world));
        }
        match reply::extract(reply) {
            Ok(r) => self.execute_turn(r.program, r.reasoning, Some(reply), world),
            Err(e) => {
                let (record, report) = outcome::refused(reply, &e);
                Ok(self.append(record, report, world.now_ms, world.seed, world.model))
            }
        }
    }

    /// Begins the next act: its question is the next user message, and the turns from here on belong to it.
    ///
    /// # Errors
    /// When there is none: one has begun, the last has ended, or the session has no acts.
    pub fn open(&mut self, act: Act) -> Result<Arc<Act>, TurnRefused> {
        if self.trace.next_act().is_none() {
            return Err(self.not_due());
        }
        Ok(self.enter_act(act))
    }

    /// Asks another question behind the answer of a session that has ended, in the same conversation: definitions and inputs
    /// are there, and `max_turns` more turns. The trace has it as an act. `now_ms` is in milliseconds since 1970.
    ///
    /// ```
    /// use ptc_turns::{Config, Session, TurnContext};
    ///
    /// let mut session = Session::new(Config { prompt: "How many?".into(), ..Config::default() });
    /// session.run("(def n 3) (return n)", TurnContext::without_host())?;
    /// session.follow_up("And twice as many?", 5, 0)?;
    /// let turn = session.run("(return (* 2 n))", TurnContext::without_host())?;
    /// assert_eq!((turn.turn, turn.value.as_deref()), (2, Some("6")));
    /// # Ok::<(), ptc_turns::TurnRefused>(())
    /// ```
    ///
    /// # Errors
    /// When the session has not ended, is asked in acts, or its records are full.
    pub fn follow_up(&mut self, question: &str, max_turns: u64, now_ms: i64) -> Result<Arc<Act>, TurnRefused> {
        let trace = &self.trace;
        if !trace.header.acts.is_empty() {
            return Err(TurnRefused::NoFollowUp("the session is asked in acts, and its task says what they ask"));
        }
        if !trace.ended() {
            return Err(TurnRefused::NoFollowUp("its question is not answered yet"));
        }
        let session_bytes = trace.header.limits.session_bytes;
        if self.record_bytes > session_bytes {
            return Err(TurnRefused::Full { session_bytes });
        }
        let (before, number) = (trace.turns().len() as u64, (trace.acts().len() as u64).saturating_add(2));
        let limit = TurnLimit { last: before.saturating_add(max_turns), own: max_turns, act: None };
        let line = feedback::turn_line(before.saturating_add(1), &limit);
        Ok(self.enter_act(Act { time: now_ms, ..Act::follow_up(number, question, line, max_turns) }))
    }

    /// Records a call for an input of the next act: its number is used even if the act does not begin.
    ///
    /// # Errors
    /// When there is no next act.
    pub fn call_ahead(&mut self, called: Called) -> Result<Arc<Called>, TurnRefused> {
        if self.trace.next_act().is_none() {
            return Err(self.not_due());
        }
        self.record_bytes = self.record_bytes.saturating_add(called.tool_call.bytes());
        Ok(self.trace.call_ahead(called))
    }

    /// Adds a line to the journal of what has begun.
    ///
    /// # Errors
    /// When it does not follow from what has happened; why.
    pub fn note(&mut self, entry: JournalEntry) -> Result<Arc<JournalEntry>, String> {
        self.trace.note(entry)
    }

    /// Replaces the journal by that of a turn which was stopped.
    pub fn set_journal(&mut self, journal: Journal) {
        self.trace.set_journal(journal);
    }

    /// Says in the trace how the run ended, where no turn tells that.
    pub fn end_run(&mut self, how: RunEnded) -> Arc<RunEnded> {
        self.trace.end_run(how)
    }

    fn not_due(&self) -> TurnRefused {
        TurnRefused::NoActDue(match (self.trace.header.acts.is_empty(), self.trace.ended()) {
            (true, _) => "the session has no acts",
            (_, true) => "the session has ended",
            _ => "one is going on",
        })
    }

    /// Adds an act to the trace and updates the view.
    pub(crate) fn enter_act(&mut self, act: Act) -> Arc<Act> {
        self.calls = self.calls.saturating_add(act.tool_calls.len() as u64);
        self.record_bytes = self.record_bytes.saturating_add(act.bytes());
        let act = self.trace.open(act);
        match render::layout(&self.trace, self.view.policy(), None) {
            Cow::Borrowed(_) => self.follow(),
            Cow::Owned(policy) => self.set_policy(&policy),
        }
        act
    }

    /// Takes the reply of a text act: it is the answer. A blank one is an error turn.
    fn answer(&mut self, reply: &str, world: TurnContext<'_>) -> &TurnRecord {
        let (record, report) = match reply::said(reply) {
            Ok(text) => outcome::answered(&text, reply, &self.trace.header.limits),
            Err(e) => outcome::refused(reply, &e),
        };
        self.append(record, report, world.now_ms, world.seed, world.model)
    }

    /// Runs a program, as it stands, as the next turn.
    ///
    /// # Errors
    /// When the session has ended, or the turn was cancelled.
    pub fn run(&mut self, program: &str, world: TurnContext<'_>) -> Result<&TurnRecord, TurnRefused> {
        self.may_run()?;
        self.notice.clone_from(&world.notice);
        self.execute_turn(program.to_owned(), None, None, world)
    }

    fn execute_turn(
        &mut self,
        program: String,
        reasoning: Option<String>,
        reply: Option<&str>,
        world: TurnContext<'_>,
    ) -> Result<&TurnRecord, TurnRefused> {
        let (now_ms, seed, model) = (world.now_ms, world.seed, world.model);
        let header = self.trace.header.clone();
        let mut tools = CallGroups::new(world.tools);
        let told = Cell::new(false);
        let cancelled = || {
            let now = (world.cancelled)();
            told.set(told.get() || now);
            now
        };
        let watch = RunWatch { clock: world.clock, cancelled: &cancelled, on_print: world.on_print };
        let outcome = self.execute(&program, &header.limits, &mut tools, &watch, (now_ms, seed));
        // A cancelled program did not fail by itself: the model is not told.
        if told.get() && matches!(outcome.ending, RunResult::Error(_)) {
            return Err(TurnRefused::Cancelled);
        }
        let mut outcome = outcome;
        if let RunResult::Error(e) = &mut outcome.ending {
            self.tell_gone(e);
        }
        let (mut record, report) = outcome::record(program, reasoning, &outcome, &header.limits);
        tools.mark(&mut record.tool_calls);
        for call in &mut record.tool_calls {
            call.ms = (world.took)(call.id).unwrap_or(call.ms);
        }
        if let Some(reply) = reply {
            outcome::keep_reply(&mut record, reply);
        }
        self.remember(outcome);
        Ok(self.append(record, report, now_ms, seed, model))
    }

    /// Says of an unknown name that a turn had defined it which failed.
    fn tell_gone(&self, e: &mut Error) {
        let Some(name) = e.message.strip_prefix("unknown name ").filter(|_| e.kind == ErrorKind::Name) else { return };
        // In a namespace of the program's own it was written without that.
        let same = |d: &str| d == name || d.rsplit_once('/').is_some_and(|(_, word)| word == name);
        let defined = |t: &&Arc<TurnRecord>| t.definitions.iter().any(|d| d.rolled_back && same(&d.name));
        if let Some(t) = self.trace.turns().iter().rfind(defined) {
            let what = match self.open_ended {
                // Whoever types does not count turns.
                true => "by an input that failed, which kept nothing".to_owned(),
                false => format!("in turn {}, which failed, so it is gone", t.turn),
            };
            e.hint = Some(format!("{name} was defined {what}: define it again"));
        }
    }

    /// Runs a program against memory; a returned value of the wrong shape is an error, and rolls back like any.
    pub(crate) fn execute(
        &mut self,
        program: &str,
        limits: &Limits,
        caller: &mut dyn Tools,
        watch: &RunWatch<'_>,
        (now_ms, seed): (i64, u64),
    ) -> Outcome {
        let RunWatch { clock, cancelled, on_print } = *watch;
        let trace = &self.trace;
        let turns = trace.turns();
        // The expected type is that of the whole session.
        let last_act = self.trace.acts().len() >= self.trace.header.acts.len();
        let open_ended = self.open_ended;
        let refuse = |tool: &str| {
            // An open-ended session goes on behind its acts: none of them is worked at.
            let at = trace.acts().len().checked_sub(1).filter(|_| !open_ended)?;
            act_spec::refused(&trace.header.acts, at, tool)
        };
        let turn = RunInput {
            limits,
            context: &self.context,
            tools: &self.tools,
            refuse: &refuse,
            caller,
            clock,
            cancelled,
            on_print,
            now_ms,
            seed,
            record_bytes: self.record_bytes,
            calls_before: self.calls,
            past: &EarlierTurns { turns, limits },
            texts: &|| act_inputs::all(trace).into_iter().map(|(handle, text)| (handle, Value::str(text))).collect(),
            recent: self.recent.clone(),
            last_error: self.last_error.clone(),
            expect: self.expect.as_ref().filter(|_| last_act),
        };
        let before = self.check.as_ref().filter(|_| last_act).map(|c| (c.clone(), self.memory.clone()));
        let mut outcome = ptc_lisp::run(program, &mut self.memory, turn);
        if let (Some((check, before)), RunResult::Returned(v)) = (before, &outcome.ending)
            && let Err(e) = fits(&check, v)
        {
            // As with a value of the wrong type: the turn did not succeed.
            self.memory = before;
            outcome.ending = RunResult::Error(e);
        }
        outcome
    }

    /// Sets the check of returned values from now on: a trace has the schema, not the check.
    pub fn set_check(&mut self, check: Option<Check>) {
        self.check = check;
    }

    /// `*1 *2 *3`: values of successful turns. The rest of the outcome is dropped.
    pub(crate) fn remember(&mut self, outcome: Outcome) {
        let before = live_bytes();
        if let RunResult::Value(v) | RunResult::Returned(v) = &outcome.ending {
            self.recent.rotate_right(1);
            if let Some(first) = self.recent.first_mut() {
                *first = v.clone();
            }
            drop(outcome);
            self.memory.let_go(before.wrapping_sub(live_bytes()));
        }
    }

    /// Adds a record with what the host knows of the turn.
    pub(crate) fn append(
        &mut self,
        mut record: TurnRecord,
        report: Option<String>,
        time: i64,
        seed: u64,
        model: Option<ModelUsage>,
    ) -> &TurnRecord {
        record.turn = (self.trace.turns().len() as u64).saturating_add(1);
        record.time = time;
        record.seed = seed;
        if let Some(m) = model {
            outcome::add_model(&mut record.usage, m);
        }
        record.feedback = feedback::feedback(&self.trace.header, &self.trace.turn_limit(), &record, report.as_deref());
        if let Some(notice) = self.notice.take().filter(|_| !record.status.ends()) {
            record.feedback.push_str(&feedback::limits(&notice));
        }
        self.enter(record)
    }

    /// Adds a record to the trace and updates the view.
    pub(crate) fn enter(&mut self, record: TurnRecord) -> &TurnRecord {
        self.calls = self.calls.saturating_add(record.tool_calls.len() as u64);
        if record.error.is_some() {
            self.last_error = turn_history::exception(&record);
        }
        self.record_bytes = self.record_bytes.saturating_add(record.bytes());
        self.trace.push(record);
        self.follow();
        // It has just been added.
        self.trace.last_record()
    }

    /// Whether another turn may run, and if not, why.
    ///
    /// # Errors
    /// The reason.
    pub fn may_run(&self) -> Result<(), TurnRefused> {
        if let Some(next) = self.trace.next_act().and_then(|at| self.trace.header.acts.get(at))
            && !self.open_ended
        {
            return Err(TurnRefused::ActDue { next: next.name.clone() });
        }
        let session_bytes = self.trace.header.limits.session_bytes;
        if self.record_bytes > session_bytes {
            return Err(TurnRefused::Full { session_bytes });
        }
        match self.trace.last() {
            Some(_) if self.open_ended && self.turns_left() > 0 => Ok(()),
            Some(_) if self.open_ended => Err(self.out_of_turns()),
            Some(t) if self.trace.over() && t.status.ends() => {
                Err(TurnRefused::Finished { turn: t.turn, how: t.status.as_str() })
            }
            Some(_) if self.trace.over() => Err(self.out_of_turns()),
            _ => Ok(()),
        }
    }

    fn out_of_turns(&self) -> TurnRefused {
        let TurnLimit { own, act, .. } = self.trace.turn_limit();
        TurnRefused::OutOfTurns { max_turns: own, act: act.map(str::to_owned) }
    }

    /// Changes the limit of turns of the session, or of its current act, from the next turn on. The file of the trace
    /// is unchanged.
    pub fn set_max_turns(&mut self, max_turns: u64) {
        if self.trace.act().is_some() {
            self.trace.set_max_turns(max_turns);
        } else {
            self.trace.header = Arc::new(Header { max_turns, ..Header::clone(&self.trace.header) });
        }
        self.set_policy(&self.view.policy().clone());
    }

    /// The tools that it was granted, as programs see them.
    pub fn tools(&self) -> &[ToolSpec] {
        &self.tools
    }

    /// Turns that may still run.
    pub fn turns_left(&self) -> u64 {
        let max = self.trace.max_turns();
        if max == ENDLESS { ENDLESS } else { max.saturating_sub(self.trace.turns().len() as u64) }
    }

    /// A copy of the session, independent of this one.
    #[must_use]
    pub fn fork(&self) -> Self {
        self.clone()
    }

    /// The messages before the next turn under `policy`. Under the session's own it costs only what is new.
    pub fn messages(&self, policy: &Policy) -> Cow<'_, [Message]> {
        if policy == self.view.policy() {
            Cow::Borrowed(self.view.messages())
        } else {
            Cow::Owned(render::messages(&self.trace, policy, None))
        }
    }

    /// The view under the session's own policy.
    pub fn view(&self) -> &IncrementalView {
        &self.view
    }

    /// Shows the session under another policy from now on. The trace keeps the policy it was begun with.
    pub fn set_policy(&mut self, policy: &Policy) {
        self.view = IncrementalView::of(&self.trace, &render::layout(&self.trace, policy, None));
        self.last_request.changed(self.view.take_first_changed());
    }

    /// Updates the view with what the trace has more.
    fn follow(&mut self) {
        self.view.follow(&self.trace);
        self.last_request.changed(self.view.take_first_changed());
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The memory: all definitions.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The value of the last successful turn: `*1`.
    pub fn value(&self) -> &Value {
        self.recent.first().unwrap_or(&Value::Nil)
    }
}

#[cfg(test)]
mod tests;
