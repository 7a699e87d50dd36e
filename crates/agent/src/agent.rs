//! The loop: a model writes, a turn runs, the trace keeps it, until the session ends.

use crate::cancel::Cancel;
use crate::clock::{HostClock, now_ms, session_key, turn_seed};
use crate::error::{Error, ErrorKind, ErrorText};
use crate::model::summaries::Summaries;
use crate::model::token_calibration::TokenCalibration;
use crate::model::{CountedAs, Model, ModelEvent, Price, Reply, Request, Settings};
use crate::observer::{AskedModel, Observer, SentRequest, SubtaskEvent};
use crate::run_budget::RunBudget;
use crate::run_outcome::{RunOutcome, RunStatus, total};
use crate::runtime::may_block;
use crate::task::act_opener::{self, Acts, NoAnswer, OpenedAct};
use crate::tools::journal::{JournalStop, JournaledTools};
use crate::tools::pending::{self, CallDecision, Decided, Pending, PendingReason};
use crate::tools::toolbox::{OnCrash, Toolbox};
use crate::totals::Totals;
use crate::trace_file::TraceFile;
use crate::turn_stop::{Stop, of_ended, of_model, of_pending};
use crate::worker::Worker;
use ptc_history::ViewContext;
use ptc_history::tokens::{Api, MessageCounter};
use ptc_history::view::Level;
use ptc_history::view::summarizer::Summarizer;
use ptc_lisp::error::{Error as LispError, ErrorKind as LispErrorKind};
use ptc_lisp::interface::Tools;
use ptc_turns::trace::journal::{BegunReply, CallAnswer, CallState, JournalEvent};
use ptc_turns::trace::record::{Call, ModelUsage};
use ptc_turns::{
    Called, JournalEntry, JournalPlace, Json, Mode, Session, Status, TurnContext, TurnRecord, TurnRefused, TurnText,
};
use std::cell::{Cell, RefCell};
use std::sync::mpsc::Receiver;
use std::time::Instant;

/// A session with a model, tools and, if need be, a file that keeps its trace.
///
/// ```
/// use ptc_agent::{Agent, Model, ReplayModel, Toolbox};
/// use ptc_turns::{Config, Session};
///
/// let model = ReplayModel::parse("replies", "## Turn 1\n(def x 20)\n## Turn 2\n(return (inc x))").unwrap();
/// let session = Session::new(Config { prompt: "What is x + 1?".into(), ..Config::default() });
/// let mut agent = Agent::new(session, Toolbox::new());
/// let end = agent.run(&mut { model }, &mut ());
/// assert_eq!((end.status.as_str(), end.value.as_deref(), end.turns), ("returned", Some("21"), 2));
/// ```
pub struct Agent {
    session: Session,
    tools: Toolbox,
    store: Option<TraceFile>,
    cancel: Cancel,
    worker: Option<Worker>,
    counter: Option<MessageCounter>,
    calibration: TokenCalibration,
    summaries: Option<Summaries>,
    settings: Settings,
    acts: Option<Acts>,
    budget: RunBudget,
    price: Option<Price>,
    subtasks: Option<Receiver<SubtaskEvent>>,
    /// Warnings that were given: each is given once.
    told: Vec<String>,
    /// What keys of its calls begin with.
    key: String,
}

impl Agent {
    /// A session and who answers its tools.
    pub fn new(session: Session, tools: Toolbox) -> Self {
        Agent {
            session,
            tools,
            store: None,
            cancel: Cancel::default(),
            worker: None,
            counter: None,
            calibration: TokenCalibration::default(),
            summaries: None,
            settings: Settings::default(),
            acts: None,
            budget: RunBudget::default(),
            price: None,
            subtasks: None,
            told: Vec::new(),
            key: session_key(),
        }
    }

    /// Asks with these settings.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Learns from reported usage into this calibration, and counts with what it has learned.
    #[must_use]
    pub fn with_token_calibration(mut self, calibration: TokenCalibration) -> Self {
        self.calibration = calibration;
        self
    }

    /// What was learned of the model's tokens.
    pub fn token_calibration(&self) -> &TokenCalibration {
        &self.calibration
    }

    /// Has these write the summaries that the policy wants of a model.
    #[must_use]
    pub fn with_summaries(mut self, summaries: Summaries) -> Self {
        self.summaries = Some(summaries);
        self
    }

    /// The summaries, where a model writes them.
    pub fn summaries(&self) -> Option<&Summaries> {
        self.summaries.as_ref()
    }

    /// Counts tokens of budgets as this counter does, whoever answers. Without one they are counted as those of the
    /// model that answers; of a model that does not say whose they are, as OpenAI's.
    #[must_use]
    pub fn with_counter(mut self, counter: MessageCounter) -> Self {
        self.counter = Some(counter);
        self
    }

    /// Keeps each turn in a file, which must hold the turns so far already.
    #[must_use]
    pub fn with_trace_file(mut self, store: TraceFile) -> Self {
        self.store = Some(store);
        self
    }

    /// Ends the running turn, and the run, when `cancel` is raised. Nothing is recorded of that turn, as if the process
    /// had been killed; the ending is [`RunStatus::Cancelled`].
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Runs each turn in a process of its own instead of here: the session's memory is there, its trace stays here.
    #[must_use]
    pub fn with_worker(mut self, worker: Worker) -> Self {
        self.worker = Some(worker);
        self
    }

    /// Opens the acts of a session that has a table of contents.
    #[must_use]
    pub fn with_acts(mut self, acts: Acts) -> Self {
        self.acts = Some(acts);
        self
    }

    /// Ends the run when this is used up, and counts in it what is used. A session that goes on counts what its trace says
    /// with [`RunBudget::after`].
    #[must_use]
    pub fn with_budget(mut self, budget: RunBudget) -> Self {
        self.budget = budget;
        self
    }

    /// Tells its observer what comes from its subtasks: the other end is theirs ([`crate::RunContext::subtasks`]).
    #[must_use]
    pub fn with_subtask_events(mut self, events: Receiver<SubtaskEvent>) -> Self {
        self.subtasks = Some(events);
        self
    }

    /// What the tokens of its model cost.
    #[must_use]
    pub fn with_price(mut self, price: Option<Price>) -> Self {
        self.price = price;
        self
    }

    /// Begins the next act, if one is due, and keeps it.
    ///
    /// # Errors
    /// When its inputs are not available, it refers to what history does not have any more, or it cannot be kept.
    pub fn open(&mut self, watch: &mut dyn Observer) -> Result<(), Error> {
        self.open_act(watch).map_err(|why| match why {
            Unopened::Act(p) | Unopened::Lost(p) | Unopened::Limit(p) => p,
            Unopened::Pending(p) => of_pending(p),
        })
    }

    fn open_act(&mut self, watch: &mut dyn Observer) -> Result<(), Unopened> {
        let other = |text: ErrorText| Unopened::Act(Error::new(ErrorKind::Session, text));
        let Some(at) = self.session.trace().next_act() else { return Ok(()) };
        let Some(acts) = &self.acts else {
            return Err(other("the session has acts and nobody opens them; give the task it was begun with".into()));
        };
        let before = self.session.trace().clone();
        let (session, store, lost) = (&mut self.session, RefCell::new(self.store.as_mut()), Cell::new(false));
        let write = |f: &dyn Fn(&mut TraceFile) -> Result<(), Error>| {
            let kept = store.borrow_mut().as_mut().map_or(Ok(()), |s| f(s));
            lost.set(lost.get() || kept.is_err());
            kept
        };
        let (watching, subtasks) = (RefCell::new(&mut *watch), self.subtasks.as_ref());
        // Tasks that the act reads run here, so what happened in them is told when they have ended.
        let hear = || {
            if let Some(events) = subtasks {
                events.try_iter().for_each(|e| watching.borrow_mut().subtask(&e));
            }
        };
        let mut keep = |called: Called| {
            hear();
            let called = session.call_ahead(called).map_err(|e| Error::new(ErrorKind::Session, e.to_string()))?;
            write(&|s| s.append_called(&called))?;
            let Call { id, result, error, failure, ms, .. } = &called.tool_call;
            let (result, error, failure) = (result.clone(), error.clone(), failure.clone());
            watching.borrow_mut().call_answered(&CallAnswer { id: *id, result, error, failure, ms: *ms });
            Ok(())
        };
        let mut note = |entry: &JournalEntry| {
            hear();
            write(&|s| s.append_entry(entry))?;
            tell(&mut **watching.borrow_mut(), entry);
            Ok(())
        };
        let stop = Cell::new(false);
        let place = JournalPlace::Act { act: (at as u64).saturating_add(1), input: 1 };
        let journal = before.journal().clone();
        let mut tools =
            JournaledTools::new(&mut self.tools, journal, place, &mut note, &stop, &self.key).within(&self.budget);
        let opened = acts.open(at, &before, &mut tools, &mut keep);
        let (mut journal, stopped) = tools.done();
        hear();
        let OpenedAct { act, warnings } = match (opened, stopped) {
            (Ok(opened), None) => opened,
            (opened, stopped) => {
                self.session.trace().ahead().for_each(|c| journal.forget(c.tool_call.id));
                self.session.set_journal(journal);
                return Err(match (stopped, opened) {
                    (Some(JournalStop::Pending(p)), _) => Unopened::Pending(p),
                    (Some(JournalStop::Limit(p)), _) => Unopened::Limit(p),
                    (Some(JournalStop::Store(p) | JournalStop::Replay(p)), _) => Unopened::Lost(p),
                    (None, Err(NoAnswer::Pending(p))) => Unopened::Pending(p),
                    (None, Err(NoAnswer::Error(p))) if lost.get() => Unopened::Lost(p),
                    (None, Err(NoAnswer::Error(p))) => Unopened::Act(p),
                    (None, Ok(_)) => other("the act was stopped".into()),
                });
            }
        };
        let act = self.session.open(act).map_err(|e| other(ErrorText::of(&e, e.hint())))?;
        if let Some(store) = &mut self.store {
            store.append_act(&act).map_err(Unopened::Lost)?;
        }
        warnings.iter().for_each(|w| warn(&mut self.told, w, watch));
        watch.opened(&act, &self.session);
        Ok(())
    }

    /// The tools whose calls have to be approved.
    pub fn with_approval(&self) -> impl Iterator<Item = &str> {
        self.tools.with_approval()
    }

    /// The session. With a worker it has no memory.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session, when the agent has done its part.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// What ends its run when it is raised.
    pub(crate) fn cancel_flag(&self) -> Cancel {
        self.cancel.clone()
    }

    /// Asks and runs, turn by turn, until the session ends. It blocks the calling thread; [`Agent::run_async`] does not.
    /// In a current-thread runtime of tokio, which would stand still, it is refused before anything has begun.
    pub fn run(&mut self, model: &mut dyn Model, watch: &mut dyn Observer) -> RunOutcome {
        let outcome = match may_block() {
            Ok(()) => self.run_turns(model, watch),
            Err(e) => self.finished(Err(e.into_kind(ErrorKind::Runtime))),
        };
        watch.run_ended(&outcome, &self.session);
        outcome
    }

    fn run_turns(&mut self, model: &mut dyn Model, watch: &mut dyn Observer) -> RunOutcome {
        // A budget must hold whoever answers.
        let openai = || CountedAs { provider: "openai".into(), api: Api::Chat, model: "gpt-4o".into() };
        let known = model.counted_as();
        let learns = known.is_some();
        self.calibration.count_as(&known.unwrap_or_else(openai));
        loop {
            if !self.session.trace().ended() && self.cancel.cancelled() {
                return self.finished(Err(Error::cancelled()));
            }
            match self.open_act(watch) {
                // What a call for an input said of being given up is not the reason.
                Err(Unopened::Act(_)) if self.cancel.cancelled() => return self.finished(Err(Error::cancelled())),
                Err(Unopened::Act(p)) => return self.finished(Err(p.into_kind(ErrorKind::Act))),
                Err(Unopened::Limit(p)) => return self.finished(Err(p)),
                Err(Unopened::Lost(p)) => return self.finished(Err(p.into_kind(ErrorKind::Trace))),
                Err(Unopened::Pending(p)) => return self.finished(Err(of_pending(p))),
                Ok(()) => {}
            }
            if let Err(ended) = self.session.may_run() {
                return self.finished(Ok(ended));
            }
            if let Err(e) = self.budget.check() {
                return self.finished(Err(e));
            }
            let turn = (self.session.trace().turns().len() as u64).saturating_add(1);
            if self.begun() {
                watch.going_on(turn, &self.session);
            } else {
                let asked = Instant::now();
                let reply = match self.ask(turn, model, watch, learns) {
                    Ok(mut reply) => {
                        if let Some(usage) = &mut reply.usage {
                            usage.model_ms = u64::try_from(asked.elapsed().as_millis()).ok();
                            self.budget.replied(usage, self.price.as_ref());
                        }
                        reply
                    }
                    Err(_) if self.cancel.cancelled() => return self.finished(Err(Error::cancelled())),
                    Err(why) => return self.finished(Err(why)),
                };
                watch.answered(turn, &reply);
                // It was paid for: from here on it is not asked for again.
                if let Err(e) = self.begin(&reply.text, reply.usage) {
                    return self.stopped(e);
                }
                reply.warnings.iter().for_each(|w| warn(&mut self.told, w, watch));
                watch.replied(turn, &reply.text);
                if reply.cut {
                    warn(&mut self.told, &format!("the answer of turn {turn} was cut; raise max_tokens"), watch);
                }
            }
            if self.cancel.cancelled() {
                return self.finished(Err(Error::cancelled()));
            }
            match self.run_begun(watch) {
                Ok(record) => watch.ran(&record, &self.session),
                Err(e) => return self.stopped(e),
            }
        }
    }

    fn stopped(&mut self, stop: Stop) -> RunOutcome {
        self.finished(match stop {
            Stop::TurnRefused(TurnRefused::Cancelled) => Err(Error::cancelled()),
            Stop::TurnRefused(ended) => Ok(ended),
            Stop::Store(e) => Err(e.into_kind(ErrorKind::Trace).after("the turn is lost")),
            other => Err(other.into()),
        })
    }

    /// Asks the act's own model, or else `model`; what it says of its tokens is learnt from if they are counted as its.
    fn ask(
        &mut self,
        turn: u64,
        model: &mut dyn Model,
        watch: &mut dyn Observer,
        learns: bool,
    ) -> Result<Reply, Error> {
        // Counting loads vocabularies: only a budget needs it before a request, and a strategy of the host's own may.
        let header = &self.session.trace().header;
        let counts = self.session.view().policy().history.max_tokens.is_some() || header.custom_strategy.is_some();
        let counter = self.counter.clone().or_else(|| if counts { self.calibration.counter() } else { None });
        // The one function that makes requests (K-17).
        let with = ViewContext {
            summarizer: self.summaries.as_ref().map(|s| s as &dyn Summarizer),
            summary_cache: self.summaries.as_ref().map(Summaries::memo),
            ..TokenCalibration::with(counter.as_ref())
        };
        let (messages, events) = self.session.request_with_events(&with)?;
        // A summary that was given up is none that failed.
        if self.cancel.cancelled() {
            return Err(Error::cancelled());
        }
        // Nothing that degrades a view is silent (D8).
        let warnings = events.iter().filter(|e| e.level == Level::Warn);
        warnings.for_each(|e| warn(&mut self.told, &e.text, watch));
        watch.requested(&SentRequest { turn, messages: &messages, events: &events }, &self.session);
        watch.asking(turn, &self.session);
        let trace = self.session.trace();
        let max_tokens = self.acts.as_ref().and_then(|a| a.max_tokens(trace)).or(self.settings.max_tokens);
        let own = match &mut self.acts {
            Some(acts) => acts.model(trace).map_err(of_model)?,
            None => None,
        };
        let mut request = Request::new(&messages);
        request.settings = Settings { max_tokens, ..self.settings.clone() };
        request.cancel = self.cancel.clone();
        let streams = watch.streams();
        let counted_as = own.as_ref().map_or_else(|| model.counted_as(), |own| own.counted_as());
        watch.sending(turn, &AskedModel { counted_as, settings: &request.settings, streams });
        let watch = RefCell::new(watch);
        let mut said = |piece: &str| watch.borrow_mut().said(turn, piece);
        if streams {
            request.said = Some(&mut said);
        }
        let mut retries = 0_u64;
        let mut event = |event: ModelEvent<'_>| match event {
            ModelEvent::Thought(piece) => watch.borrow_mut().thought(turn, piece),
            ModelEvent::Retry(retry) => {
                retries = retries.saturating_add(1);
                watch.borrow_mut().retrying(turn, retry);
            }
        };
        request.events = Some(&mut event);
        let acts_own = own.is_some();
        let mut reply = match own {
            None => model.reply(request).map_err(of_model)?,
            Some(own) => {
                let reply = own.reply(request).map_err(of_model)?;
                model.heard(&messages, &reply).map_err(of_model)?;
                reply
            }
        };
        if let Some(usage) = reply.usage.as_mut().filter(|_| retries > 0) {
            usage.retries = Some(retries);
        }
        if acts_own {
            return Ok(reply);
        }
        if let Some(tokens) = reply.usage.as_ref().and_then(|u| u.input_tokens).filter(|_| learns) {
            self.calibration.report(&messages, tokens);
        }
        Ok(reply)
    }

    /// Takes one reply as the next turn and keeps it.
    ///
    /// # Errors
    /// When the session has ended ([`ErrorKind::Ended`], [`ErrorKind::OutOfTurns`]; the source is a [`ptc_turns::TurnRefused`]),
    /// the turn could not be kept ([`ErrorKind::Trace`]), was cancelled, or waits for decisions ([`ErrorKind::Pending`];
    /// the source is a [`Pending`]), or another reply has begun it already ([`ErrorKind::Session`]).
    pub fn step(&mut self, reply: &str, usage: Option<ModelUsage>) -> Result<TurnRecord, Error> {
        self.step_with(reply, usage, &mut ())
    }

    /// The same, and an observer is told of its calls.
    ///
    /// # Errors
    /// As [`Agent::step`].
    pub fn step_with(
        &mut self,
        reply: &str,
        usage: Option<ModelUsage>,
        watch: &mut dyn Observer,
    ) -> Result<TurnRecord, Error> {
        self.begin(reply, usage)?;
        self.go_on_with(watch)
    }

    /// Whether a turn has begun that did not end: its reply is kept ([`Agent::go_on`]).
    pub fn begun(&self) -> bool {
        self.session.trace().journal().reply().is_some()
    }

    /// Keeps the reply of the next turn, before its program runs.
    fn begin(&mut self, reply: &str, usage: Option<ModelUsage>) -> Result<(), Stop> {
        self.session.may_run().map_err(Stop::TurnRefused)?;
        let trace = self.session.trace();
        let turn = (trace.turns().len() as u64).saturating_add(1);
        if let Some((begun, _)) = trace.journal().reply() {
            return if begun.reply == reply { Ok(()) } else { Err(Stop::Begun(turn)) };
        }
        let seed = turn_seed(&trace.header, turn);
        let what = JournalEvent::Reply(BegunReply { reply: reply.to_owned(), usage, seed });
        self.note(JournalEntry { place: JournalPlace::Turn(turn), what, time: now_ms() })
    }

    fn note(&mut self, entry: JournalEntry) -> Result<(), Stop> {
        let entry = self.session.note(entry).map_err(|words| Stop::Replay(Error::new(ErrorKind::Session, words)))?;
        self.store.as_mut().map_or(Ok(()), |s| s.append_entry(&entry)).map_err(Stop::Store)
    }

    /// Runs the turn that has begun, whose reply is kept: one that a crash, a cancellation or a call that waits left. Calls
    /// that have their answers are not made again.
    ///
    /// # Errors
    /// As [`Agent::step`], or when no turn has begun, or the program makes other calls than it made
    /// ([`ErrorKind::Replay`]).
    pub fn go_on(&mut self) -> Result<TurnRecord, Error> {
        self.go_on_with(&mut ())
    }

    /// The same, and an observer is told of its calls.
    ///
    /// # Errors
    /// As [`Agent::go_on`].
    pub fn go_on_with(&mut self, watch: &mut dyn Observer) -> Result<TurnRecord, Error> {
        Ok(self.run_begun(watch)?)
    }

    fn run_begun(&mut self, watch: &mut dyn Observer) -> Result<TurnRecord, Stop> {
        let trace = self.session.trace();
        let turn = (trace.turns().len() as u64).saturating_add(1);
        let journal = trace.journal().clone();
        let Some((replied, time)) = journal.reply() else { return Err(Stop::NotBegun) };
        let BegunReply { reply, usage, seed } = replied.clone();
        // Only of a turn that is run again something can be found wrong behind its end.
        let before = journal.calls().next().is_some().then(|| self.session.fork());
        let (cancel, stop) = (self.cancel.clone(), Cell::new(false));
        let (watching, subtasks) = (RefCell::new(watch), self.subtasks.as_ref());
        let hear = || {
            // Asked from within an observer, of which there is none that runs programs.
            if let (Some(events), Ok(mut watch)) = (subtasks, watching.try_borrow_mut()) {
                events.try_iter().for_each(|e| watch.subtask(&e));
            }
        };
        // It is asked again and again while tools are waited for.
        let cancelled = || {
            hear();
            stop.get() || cancel.cancelled()
        };
        let store = &mut self.store;
        let mut keep = |entry: &JournalEntry| {
            store.as_mut().map_or(Ok(()), |s| s.append_entry(entry))?;
            hear();
            tell(&mut **watching.borrow_mut(), entry);
            Ok(())
        };
        let place = JournalPlace::Turn(turn);
        let mut tools = JournaledTools::new(&mut self.tools, journal.clone(), place, &mut keep, &stop, &self.key)
            .within(&self.budget);
        let took = |id: u64| match &journal.call(id)?.state {
            CallState::Answered(a) => Some(a.ms),
            _ => None,
        };
        let clock = HostClock::start();
        let world = TurnContext {
            cancelled: &cancelled,
            now_ms: time,
            seed,
            clock: &clock,
            model: usage,
            notice: self.budget.notice(),
            took: &took,
            ..TurnContext::with_tools(&mut tools)
        };
        let ran = match &mut self.worker {
            // Of a text act nothing is run.
            Some(worker) if self.session.trace().act().is_none_or(|a| a.mode != Mode::Text) => {
                worker.turn(&mut self.session, TurnText::Reply(&reply), world)
            }
            _ => self.session.reply(&reply, world).cloned(),
        };
        let unmet = tools.unmet();
        let (journal, stopped) = tools.done();
        let record = match (ran, unmet, before) {
            (Ok(_), Some(p), Some(before)) => {
                self.session = before;
                self.session.set_journal(journal);
                return Err(Stop::Replay(p));
            }
            (Ok(record), ..) => record,
            (Err(TurnRefused::Cancelled), ..) => {
                self.session.set_journal(journal);
                return Err(match stopped {
                    Some(JournalStop::Pending(p)) => Stop::Pending(p),
                    Some(JournalStop::Limit(p)) => Stop::Limit(p),
                    Some(JournalStop::Store(p)) => Stop::Store(p),
                    Some(JournalStop::Replay(p)) => Stop::Replay(p),
                    None => Stop::TurnRefused(TurnRefused::Cancelled),
                });
            }
            (Err(ended), ..) => return Err(Stop::TurnRefused(ended)),
        };
        self.budget.waited(Totals::tool_ms(&record.tool_calls));
        if let Some(store) = &mut self.store {
            store.append(&record).map_err(Stop::Store)?;
        }
        Ok(record)
    }

    /// Ends the turn that has begun without running it: it is recorded as an error, with the calls that were made, and the
    /// model is told. For a program that takes the process with it each time it runs.
    ///
    /// # Errors
    /// When no turn has begun, or the record cannot be kept.
    pub fn fail_turn(&mut self) -> Result<TurnRecord, Error> {
        let error =
            LispError::new(LispErrorKind::Internal, "the process ended while the program ran, and it is not run again");
        self.end_turn(&error.hint("calls that were made before have been made; go on in another way"))
    }

    /// The same with this error: why the turn ends.
    ///
    /// # Errors
    /// As [`Agent::fail_turn`].
    pub fn end_turn(&mut self, error: &LispError) -> Result<TurnRecord, Error> {
        let journal = self.session.trace().journal().clone();
        let Some((replied, time)) = journal.reply() else { return Err(Stop::NotBegun.into()) };
        let lost = |id: u64| Call {
            error: Some("the process ended while this call ran; it may have been made".to_owned()),
            id,
            name: String::new(),
            args: Json::default(),
            result: None,
            failure: None,
            ms: 0,
            together: None,
        };
        let mut answered = journal.answered().peekable();
        let mut calls = Vec::new();
        for known in journal.calls() {
            let id = known.request.id;
            match (answered.next_if(|c| c.id == id), &known.state) {
                (Some(call), _) => calls.push(call),
                (None, CallState::InFlight) => {
                    let (name, args) = (known.request.name.clone(), known.request.args.clone());
                    calls.push(Call { name, args, ..lost(id) });
                }
                // It has not been made.
                _ => {}
            }
        }
        let text = TurnText::Reply(&replied.reply);
        let record = self.session.lose(text, error, calls, (time, replied.seed), replied.usage.clone()).clone();
        if let Some(store) = &mut self.store {
            store.append(&record)?;
        }
        Ok(record)
    }

    /// The calls that wait for a decision, as the session's trace has them.
    pub fn pending(&self) -> Pending {
        pending::pending(self.session.trace())
    }

    /// Says what becomes of a call that waits; then [`Agent::run`] goes on. Of a call in a subtask is said of the
    /// trace that it stands in ([`pending::decide`]).
    ///
    /// # Errors
    /// When no such call waits, or the decision cannot be kept.
    pub fn decide(&mut self, call: u64, decision: CallDecision) -> Result<(), Error> {
        match pending::decide(self.session.trace(), call, decision, now_ms())? {
            Decided::Entry(entry) => self.note(entry).map_err(Error::from),
            Decided::Called(called) => {
                let called =
                    self.session.call_ahead(called).map_err(|e| Error::new(ErrorKind::Session, e.to_string()))?;
                self.store.as_mut().map_or(Ok(()), |s| s.append_called(&called))
            }
        }
    }

    /// The outcome; how the run ended is kept where no turn tells that.
    fn finished(&mut self, why: Result<TurnRefused, Error>) -> RunOutcome {
        let outcome = self.outcome(why);
        let how = outcome.ended_without_turn(now_ms());
        if let Some(how) = how.filter(|_| !self.session.trace().ended()) {
            let how = self.session.end_run(how);
            // Where the trace cannot be written the outcome says so already, or says the same.
            let _ = self.store.as_mut().map(|s| s.append_run_ended(&how));
        }
        outcome
    }

    /// The calls that [`Agent::run`] would wait for, where the run was ended by hand.
    fn waiting(&self) -> Option<Pending> {
        let mut pending = self.pending();
        pending.calls.retain(|c| c.why == PendingReason::Approval || self.tools.on_crash(&c.name) == OnCrash::Ask);
        Some(pending).filter(|p| !p.calls.is_empty())
    }

    fn outcome(&self, why: Result<TurnRefused, Error>) -> RunOutcome {
        let turns = self.session.trace().turns();
        let last = turns.last();
        let error = match why {
            Ok(TurnRefused::Finished { .. })
                if last.is_some_and(|t| matches!(t.status, Status::Returned | Status::Answered)) =>
            {
                None
            }
            Ok(TurnRefused::Finished { .. }) => {
                let reason = last.and_then(|t| t.error.as_ref()).map(|e| e.message.clone());
                Some(Error::new(ErrorKind::Failed, reason.unwrap_or_default()))
            }
            Ok(ended) => Some(of_ended(ended)),
            Err(e) => Some(e),
        };
        let status = match error.as_ref().map(Error::kind) {
            None => RunStatus::Returned,
            Some(ErrorKind::Failed) => RunStatus::Failed,
            Some(ErrorKind::OutOfTurns) => RunStatus::OutOfTurns,
            Some(ErrorKind::Cancelled) => RunStatus::Cancelled,
            Some(ErrorKind::Pending) => RunStatus::Pending,
            Some(ErrorKind::RunLimit) => RunStatus::Limit,
            Some(_) => RunStatus::Error,
        };
        let by_hand = || if status == RunStatus::Cancelled { self.waiting() } else { None };
        let pending = error.as_ref().and_then(Pending::of).or_else(by_hand);
        let ended = last.filter(|_| matches!(status, RunStatus::Returned | RunStatus::Failed));
        RunOutcome {
            status,
            value: ended.and_then(|t| t.value.clone()),
            json: ended.and_then(|t| t.value_json.clone()),
            text: last.filter(|_| status == RunStatus::Returned).and_then(|t| act_opener::answer(t)),
            turns: turns.len() as u64,
            usage: total(turns),
            totals: self.budget.totals_of(self.session.trace(), self.price.as_ref()),
            error,
            summaries: self.summaries.as_ref().map(Summaries::usage),
            pending,
        }
    }
}

/// Tells an observer what a line of the journal says of calls.
fn tell(watch: &mut dyn Observer, entry: &JournalEntry) {
    match &entry.what {
        JournalEvent::Asked(calls) => watch.calling(calls),
        JournalEvent::Answered(answer) => watch.call_answered(answer),
        _ => {}
    }
}

/// Gives a warning that was not given before.
fn warn(told: &mut Vec<String>, words: &str, watch: &mut dyn Observer) {
    if !told.iter().any(|t| t == words) {
        told.push(words.to_owned());
        watch.warned(words);
    }
}

/// What a turn is given besides its program: time, chance, tools; the clock is still to be started.
pub fn turn_context<'a>(
    session: &Session,
    turn: u64,
    tools: &'a mut dyn Tools,
    cancelled: &'a dyn Fn() -> bool,
) -> TurnContext<'a> {
    TurnContext {
        cancelled,
        now_ms: now_ms(),
        seed: turn_seed(&session.trace().header, turn),
        ..TurnContext::with_tools(tools)
    }
}

/// Why an act did not begin.
enum Unopened {
    /// What it needs is not available.
    Act(Error),
    /// A call that was made, or the act itself, could not be kept.
    Lost(Error),
    /// Calls for its inputs wait for a decision.
    Pending(Pending),
    /// A limit of the whole run is used up.
    Limit(Error),
}

#[cfg(test)]
mod tests;
