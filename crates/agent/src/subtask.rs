//! A task as an agent, and subtasks: narratives that an act reads, and agents that a program calls. Their traces
//! stand beside that of the task they run for.

use crate::agent::Agent;
use crate::cancel::Cancel;
use crate::clock::sha256;
use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use crate::model::Price;
use crate::model::Retry;
use crate::observer::{Observer, SubtaskEvent, SubtaskStep};
use crate::run_budget::RunBudget;
use crate::run_context::RunContext;
use crate::run_outcome::{RunOutcome, RunStatus};
use crate::task::Task;
use crate::task::act_opener::{self, Acts, NoAnswer};
use crate::task::spec::{AgentSpec, InputFrom};
use crate::tools::executor::{CallControl, GRACE_PERIOD};
use crate::tools::toolbox::{Failures, OnCrash, Tool, Toolbox};
use crate::totals::Totals;
use crate::trace_file::TraceFile;
use ptc_lisp::limits::Limits;
use ptc_turns::trace::journal::{CallAnswer, CallRequest};
use ptc_turns::trace::record::Call;
use ptc_turns::{Input, Session, Trace, TurnRecord};
use serde_json::Value as Data;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A limit of the cost that holds for a task.
#[derive(Clone, Copy)]
struct CostLimit<'a> {
    /// Where it stands, if that is known.
    at: Option<&'a str>,
    /// It is of a task inside, and that one's own.
    own: bool,
}

/// What a subtask is given besides what it says itself.
#[derive(Default)]
struct Given {
    /// Follows its prompt.
    pub request: Option<String>,
    /// Further inputs.
    pub inputs: Vec<Input>,
    /// Ends it as well.
    pub control: Option<CallControl>,
    /// What its events are called by.
    pub path: Vec<String>,
}

/// Runs a task to its end, or continues with the trace that was kept of it. What it waits for says where.
fn run(task: &Task, around: &RunContext, label: &str, given: Given) -> Result<RunOutcome, Error> {
    let (outer, control, outer_events) = (around.cancel.clone(), given.control, around.subtasks.clone());
    let (call, observers) = (control.as_ref().map(CallControl::id), around.observers.clone());
    // A call that is given up ends what it began, and not the task that made it. Where it is given up because the run's
    // time is over, that is why it ends.
    let over = around.budget.as_ref().and_then(RunBudget::time_is_over);
    let timed_out = move || over.as_ref().is_some_and(|over| over());
    let in_time = timed_out.clone();
    let given_up = move || control.as_ref().is_some_and(CallControl::given_up) && !in_time();
    let cancel = Cancel::within(move || outer.cancelled() || given_up());
    let mut config = task.config_within(&cancel.or(timed_out))?;
    if let Some(request) = given.request.filter(|r| !r.trim().is_empty()) {
        let break_ = if config.prompt.is_empty() { "" } else { "\n\n" };
        config.prompt = format!("{}{break_}{request}", config.prompt);
    }
    // What is given by the caller takes the place of the task's own.
    config.inputs.retain(|own| given.inputs.iter().all(|g| g.name != own.name));
    config.inputs.extend(given.inputs);
    let inside = observers.as_ref().map(|o| o.inside(label));
    let around = RunContext { trace: around.beside(label), observers: inside, ..around.clone() };
    let (session, store) = match &around.trace {
        None => (Session::new(config), None),
        Some(path) => {
            let (session, store) = begin(config, path, !around.no_sync)?;
            (session, Some(store))
        }
    };
    let mut model = task.model(session.trace(), &around.environment)?;
    let mut agent = task.agent(session, &around)?.with_cancel(cancel);
    if let Some(summaries) = task.summaries(&around)? {
        agent = agent.with_summaries(summaries);
    }
    if let Some(store) = store {
        agent = agent.with_trace_file(store);
    }
    let path = given.path;
    let own = observers.map(|o| o.begin(path.last().map_or("", String::as_str), label, call));
    let mut watch = Relay { to: outer_events, path, label: label.to_owned(), turn: 0 };
    let mut end = match own {
        Some(own) => {
            let mut both = (watch, own);
            let end = agent.run(&mut model, &mut both);
            watch = both.0;
            end
        }
        None => agent.run(&mut model, &mut watch),
    };
    watch.tell(SubtaskStep::Ended(end.status));
    end.pending = end.pending.map(|p| p.inside(around.trace.as_deref()));
    Ok(end)
}

/// What a task answers that an act reads.
fn answer(task: &Task, around: &RunContext, label: &str) -> Result<String, NoAnswer> {
    let end = run(task, around, label, Given { path: vec![task.name.clone()], ..Given::default() })?;
    if let Some(pending) = end.pending {
        return Err(NoAnswer::Pending(pending));
    }
    end.text.ok_or_else(|| {
        let name = format!("the task {}", task.name);
        match end.error {
            Some(cause) => {
                let kind = match cause.kind() {
                    ErrorKind::Failed | ErrorKind::OutOfTurns => ErrorKind::Task,
                    kind => kind,
                };
                Error::new(kind, ErrorText::from(&cause).line().after(name)).with_source(cause).into()
            }
            None => Error::new(ErrorKind::Task, "it has no answer").at(&name).into(),
        }
    })
}

impl Task {
    /// The agent that runs a session of this task: its tools, acts and settings, a process of its own where `around`
    /// has one, ended by its flag.
    ///
    /// # Errors
    /// As [`Task::tools`].
    pub fn agent(&self, session: Session, around: &RunContext) -> Result<Agent, Error> {
        let price = self.price();
        let limits = self.run_limits;
        let below = self.subtasks_used(around.trace.as_deref());
        let budget = match &around.budget {
            Some(outer) => outer.inside(limits),
            None => RunBudget::new(limits),
        };
        let outer = around.budget.as_ref().filter(|b| b.limits_cost()).map(|_| CostLimit { at: None, own: false });
        self.check_prices(outer, None)?;
        let budget = budget.after(session.trace(), price.as_ref(), below);
        let (events, heard) = channel();
        let around = &RunContext { budget: Some(budget.clone()), subtasks: Some(events), ..around.clone() };
        let tools = self.tools(session.trace(), around)?;
        let agent = Agent::new(session, tools).with_budget(budget).with_price(price).with_subtask_events(heard);
        let mut agent = agent.with_cancel(around.cancel.clone()).with_settings(self.asked.settings.clone());
        if let Some(acts) = self.acts(around) {
            agent = agent.with_acts(acts);
        }
        if let Some(worker) = &around.worker {
            agent = agent.with_worker(worker.lock().unwrap_or_else(PoisonError::into_inner).another());
        }
        Ok(agent)
    }

    /// What the subtasks used whose traces stand beside this one.
    fn subtasks_used(&self, trace: Option<&Path>) -> Totals {
        trace.map_or_else(free, |trace| Self::subtask_totals(trace, Some(self)).1)
    }

    /// How many traces of subtasks stand beside this one, those inside them too, and what they used in all; at the prices of
    /// `task`, which the trace is of, if that is known.
    pub fn subtask_totals(trace: &Path, task: Option<&Task>) -> (u64, Totals) {
        let mut sum = (0_u64, free());
        for (label, path) in beside(trace) {
            // One that cannot be read is reported when it is continued.
            if let Ok(loaded) = crate::trace_file::read(&path) {
                let price = task.and_then(|task| task.price_of(&label));
                sum.0 = sum.0.saturating_add(1);
                sum.1.add(&Totals::of_trace(&loaded.trace, price.as_ref()));
            }
        }
        sum
    }

    /// The price of all its models. Of an act with a model of its own nobody knows it.
    fn price(&self) -> Option<Price> {
        let known = (0..self.acts.len()).all(|at| self.asks_its_model(at));
        self.asked.price.clone().filter(|_| known)
    }

    /// Whether it and all tasks inside have a price where their cost is limited, by themselves or by who runs them: a limit
    /// that nobody can check must not be silently off. `caller` runs it.
    fn check_prices(&self, outer: Option<CostLimit<'_>>, caller: Option<&str>) -> Result<(), Error> {
        let own =
            self.run_limits.max_cost.map(|_| CostLimit { at: self.max_cost_at.as_deref(), own: caller.is_some() });
        let limit = own.or(outer);
        if let Some(limit) = limit.filter(|_| self.price().is_none() && !self.is_recorded()) {
            let inside = caller.map_or_else(String::new, |name| format!(", which the task {name} runs,"));
            let price = "[model] price = { input = 1.25, output = 10 }, of a million tokens";
            let none = "or without this limit --set limits.max_cost=none";
            let file = self.folder.join("task.toml");
            // What arguments set is of the task that they run.
            let hint = match caller {
                None => {
                    format!("give it one: {price}; here --set \"model.price={{ input = 1.25, output = 10 }}\", {none}")
                }
                Some(_) if limit.own => format!("give it one in {}: {price}; or take out its max_cost", file.display()),
                Some(_) => format!("give it one in {}: {price}; {none}", file.display()),
            };
            let words = error_text!("[limits] has max_cost, and the task {}{inside} has no price for all its models", self.name; "{hint}");
            let error = Error::new(ErrorKind::Task, words);
            return Err(match limit.at {
                Some(at) => error.at(at),
                None => error,
            });
        }
        for task in self.inside() {
            let limit = limit.map(|limit| CostLimit { own: false, ..limit });
            self.as_run(task)?.check_prices(limit, Some(&self.name))?;
        }
        Ok(())
    }

    /// Whether nobody is paid for its replies.
    fn is_recorded(&self) -> bool {
        let recorded = |name: &Option<String>| name.as_ref().is_some_and(|n| n.starts_with("replay:"));
        recorded(&self.model) && self.acts.iter().all(|a| a.model.is_none() || recorded(&a.model))
    }

    /// A task inside as it is run, with what it takes over.
    fn as_run(&self, inside: &Task) -> Result<Task, Error> {
        let mut task = inside.clone();
        task.inherit(self)?;
        Ok(task)
    }

    /// How many tasks deep it is, itself included.
    fn height(&self) -> u32 {
        self.inside().map(Task::height).max().unwrap_or(0).saturating_add(1)
    }

    /// The price of the subtask whose trace has this label: `agent-NAME-DIGEST` with a number behind it perhaps, or
    /// `act-NAME-INPUT`, of one inside it with that of its own behind a point.
    fn price_of(&self, label: &str) -> Option<Price> {
        let (first, rest) = label.split_once('.').map_or((label, None), |(first, rest)| (first, Some(rest)));
        let rest = rest.filter(|rest| !is_of_before(rest));
        let agents = self.agents.iter().filter(|a| is_of_agent(first, &a.spec.name)).map(|a| &a.task);
        let task = agents.chain(self.narratives().filter(|(l, _)| l == first).map(|(_, task)| task)).next()?;
        let task = self.as_run(task).ok()?;
        match rest {
            Some(rest) => task.price_of(rest),
            None => task.price(),
        }
    }

    /// The tasks that its acts read, with the labels of their traces.
    fn narratives(&self) -> impl Iterator<Item = (String, &Task)> {
        self.acts.iter().flat_map(|act| {
            act.inputs.iter().enumerate().filter_map(|(i, input)| match &input.from {
                InputFrom::Narrative(task) => Some((RunContext::file_label(&act.label(i)), task.as_ref())),
                _ => None,
            })
        })
    }

    /// All tools of a session with this trace, sub-agents among them, continuing after its calls.
    ///
    /// # Errors
    /// When recorded answers cannot be read, or a sub-agent's options do not go with the task's.
    pub fn tools(&self, trace: &Trace, around: &RunContext) -> Result<Toolbox, Error> {
        // Of a turn that has begun those that have their answers: they are not made again.
        let begun: Vec<Call> = trace.journal().answered().collect();
        let made: Vec<&Call> = trace.calls().chain(&begun).collect();
        let mut tools = self.own_tools(&made)?;
        // A call for an input that failed is made again: an agent then goes on where it was.
        let again: Vec<u64> = trace.ahead().map(|c| &c.tool_call).filter(|c| c.error.is_some()).map(|c| c.id).collect();
        for agent in &self.agents {
            let called = made.iter().filter(|c| c.name == agent.spec.name && !again.contains(&c.id));
            let failures = tools.failures();
            tools.add(tool(agent, self, around, &called.copied().collect::<Vec<_>>(), failures)?);
        }
        Ok(tools)
    }

    /// The acts, opened one by one; `None` of a task that is asked once.
    pub fn acts(&self, around: &RunContext) -> Option<Acts> {
        let inner = around.clone();
        let inside = move |task: &Task, label: &str| answer(task, &inner, label);
        let over = around.budget.as_ref().and_then(RunBudget::time_is_over);
        let cancel = over.map_or_else(|| around.cancel.clone(), |over| around.cancel.or(over));
        let around = RunContext { cancel, ..around.clone() };
        (!self.acts.is_empty()).then(|| Acts::new(self.clone(), &around, Box::new(inside)))
    }
}

/// Nothing, which costs nothing.
fn free() -> Totals {
    Totals { cost: Some(0.0), ..Totals::default() }
}

impl Task {
    /// Renames the traces of the subtasks of a session that kept its own in `trace` before: a new one must not continue
    /// them. Returns their new names.
    ///
    /// # Errors
    /// When one cannot be renamed.
    pub fn set_aside_subtasks(trace: &Path) -> Result<Vec<PathBuf>, Error> {
        beside(trace).iter().map(|(_, p)| set_aside(p)).collect()
    }
}

/// The traces of subtasks that stand beside this one, with what stands for them in their names.
fn beside(trace: &Path) -> Vec<(String, PathBuf)> {
    let stem = trace.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = trace.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(all) = std::fs::read_dir(folder) else { return Vec::new() };
    let inside = |p: PathBuf| {
        let name = p.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let label = name.strip_prefix(&stem)?.strip_prefix('.')?.to_owned();
        let ours = label.starts_with("agent-") || label.starts_with("act-");
        (ours && p.extension() == trace.extension()).then_some((label, p))
    };
    all.flatten().map(|e| e.path()).filter_map(inside).collect()
}

/// Whether a trace with this label is that of a call of the agent: `agent-NAME-DIGEST` or `agent-NAME-DIGEST-2`.
fn is_of_agent(label: &str, name: &str) -> bool {
    let start = RunContext::file_label(&format!("agent-{name}-"));
    let Some(end) = label.strip_prefix(&start) else { return false };
    let (digest, number) = end.split_once('-').map_or((end, None), |(digest, n)| (digest, Some(n)));
    let hex = |c: char| c.is_ascii_digit() || matches!(c, 'a'..='f');
    let numbered = |n: &str| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit());
    digest.len() == DIGEST_DIGITS && digest.chars().all(hex) && number.is_none_or(numbered)
}

/// What stands behind the label of a subtask that ended in vain, before it was begun anew.
const BEFORE: &str = "before-";

/// Whether this is the end of such a label.
fn is_of_before(end: &str) -> bool {
    end.strip_prefix(BEFORE).is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
}

/// Renames the trace of a subtask that is begun anew to the first free `LABEL.before-N`: it stays one of the session's,
/// whose limits count what it used.
fn keep_as_before(path: &Path) -> Result<(), Error> {
    let part = |p: Option<&std::ffi::OsStr>| p.map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let (stem, end) = (part(path.file_stem()), part(path.extension()));
    let named = |n: usize| path.with_file_name(format!("{stem}.{BEFORE}{n}")).with_added_extension(&end);
    let free = (1..).map(named).find(|p| !p.exists()).unwrap_or_else(|| named(1));
    std::fs::rename(path, &free).map_err(|e| Error::io(path, "rename", &e))
}

/// Renames a trace to the first free `NAME.old`: nothing that was kept is removed.
fn set_aside(path: &Path) -> Result<PathBuf, Error> {
    let named = |n: usize| {
        let end = if n == 1 { String::new() } else { format!("-{n}") };
        path.with_file_name(format!("{}.old{end}", path.file_name().unwrap_or_default().to_string_lossy()))
    };
    let free = (1..).map(named).find(|p| !p.exists()).unwrap_or_else(|| named(1));
    std::fs::rename(path, &free).map_err(|e| Error::io(path, "rename", &e))?;
    Ok(free)
}

/// A new session in this file, or the one it holds if that is the same and can go on.
fn begin(config: ptc_turns::Config, path: &Path, sync: bool) -> Result<(Session, TraceFile), Error> {
    let header = config.header();
    let opened = TraceFile::open(path, || false)?;
    if let Some(trace) = opened.trace {
        let same = |a: &ptc_turns::Header| {
            let digests = |h: &ptc_turns::Header| -> Vec<_> {
                h.inputs.iter().map(|(name, i)| (name.clone(), i.sha256.clone())).collect()
            };
            let same = a.prompt == header.prompt && a.acts == header.acts && a.libraries == header.libraries;
            same && digests(a) == digests(&header)
        };
        // One that ended without an answer is not continued: who asks again wants to know anew.
        let in_vain = trace.ended() && trace.last().is_some_and(|t| act_opener::answer(t).is_none());
        if same(&trace.header) && !in_vain {
            let values = config.inputs.into_iter().map(|i| (i.name, i.value)).collect();
            return Ok((crate::task::restore(trace, values)?, opened.store.sync(sync)));
        }
        // Nobody continues with it.
        drop(opened.store);
        keep_as_before(path)?;
        let mut store = TraceFile::open(path, || false)?.store.sync(sync);
        store.begin(&header)?;
        return Ok((Session::new(config), store));
    }
    let mut store = opened.store.sync(sync);
    store.begin(&header)?;
    Ok((Session::new(config), store))
}

/// Tells the task that it runs for what happens. What is asked is answered whole, so that it can be asked again.
struct Relay {
    to: Option<Sender<SubtaskEvent>>,
    path: Vec<String>,
    label: String,
    turn: u64,
}

impl Relay {
    fn tell(&self, step: SubtaskStep) {
        if let Some(to) = &self.to {
            // Nobody waits for it any more.
            let _ = to.send(SubtaskEvent { path: self.path.clone(), label: self.label.clone(), turn: self.turn, step });
        }
    }
}

impl Observer for Relay {
    fn streams(&self) -> bool {
        false
    }

    fn asking(&mut self, turn: u64, _: &Session) {
        self.turn = turn;
        self.tell(SubtaskStep::Asking);
    }

    fn going_on(&mut self, turn: u64, _: &Session) {
        self.turn = turn;
    }

    fn retrying(&mut self, _: u64, retry: &Retry) {
        self.tell(SubtaskStep::Retrying(retry.clone()));
    }

    fn replied(&mut self, _: u64, _: &str) {
        self.tell(SubtaskStep::Replied);
    }

    fn calling(&mut self, calls: &[CallRequest]) {
        self.tell(SubtaskStep::Calling(calls.to_vec()));
    }

    fn call_answered(&mut self, answer: &CallAnswer) {
        self.tell(SubtaskStep::CallAnswered(answer.clone()));
    }

    fn ran(&mut self, record: &TurnRecord, _: &Session) {
        self.tell(SubtaskStep::Ran(record.status));
    }

    /// Of one inside, under both names.
    fn subtask(&mut self, event: &SubtaskEvent) {
        if let Some(to) = &self.to {
            let path = self.path.iter().chain(&event.path).cloned().collect();
            let label = format!("{}.{}", self.label, event.label);
            let _ = to.send(SubtaskEvent { path, label, ..event.clone() });
        }
    }
}

/// How much longer than the calls that it makes a task inside may take to end when it is given up.
const GRACE_INSIDE: Duration = Duration::from_millis(500);

/// A sub-agent as a tool of `parent`, continuing after the calls that were made of it.
fn tool(
    agent: &AgentSpec,
    parent: &Task,
    around: &RunContext,
    made: &[&Call],
    failures: Failures,
) -> Result<Tool, Error> {
    let mut task = agent.task.clone();
    task.inherit(parent)?;
    let (spec, request, around) = (agent.spec.clone(), agent.request, around.clone());
    let name = spec.name.clone();
    let calls = Calls::behind(made);
    let body = move |args: &str, control: &CallControl| {
        let label = format!("agent-{name}-{}", calls.label(args, control));
        let failed = |error: &Error, turns: u64| {
            let kept = around.beside(&label);
            let trace = kept.as_deref().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned());
            let (data, words) = failure(&task.name, error, turns, trace.as_deref());
            failures.lock().unwrap_or_else(PoisonError::into_inner).insert(control.id(), data.to_string());
            words
        };
        let given = given(args, request, control, &task.limits).map_err(|e| failed(&e, 0))?;
        let given = Given { path: vec![name.clone()], ..given };
        let end = run(&task, &around, &label, given);
        if end.as_ref().map_or(true, |e| matches!(e.status, RunStatus::Cancelled | RunStatus::Limit)) {
            until_given_up(&around, control);
        }
        let end = end.map_err(|e| failed(&e, 0))?;
        // What it will wait for once it goes on counts where it was given up with its caller.
        if let Some(pending) = end.pending.filter(|_| end.status == RunStatus::Pending || control.given_up()) {
            control.suspend(pending);
            return Err("it waits for a decision".to_owned());
        }
        match (end.json, end.value, end.error.map(|e| failed(&e, end.turns))) {
            (Some(json), _, None) => Ok(json.text().to_owned()),
            // What JSON cannot say is its text.
            (None, Some(value), None) => Ok(Data::from(value).to_string()),
            (_, _, problem) => Err(problem.unwrap_or_else(|| "it has no answer".to_owned())),
        }
    };
    // It continues with its own trace, whose calls have rules of their own. When it is given up it says which of them were
    // in flight, for which it waits until they have ended.
    let grace = GRACE_PERIOD.saturating_add(GRACE_INSIDE.saturating_mul(agent.task.height()));
    let tool = Tool::text(spec.name.clone(), body).with_spec(spec).on_crash(OnCrash::Repeat);
    Ok(tool.with_rules(&agent.rules).stops_within(grace))
}

/// Waits until the caller has given this call up, where it is about to: a task inside that ended because the run is cancelled,
/// or its time over, may say so before its caller looks. That is no answer of the call, and not kept as one.
fn until_given_up(around: &RunContext, control: &CallControl) {
    let over = around.budget.as_ref().and_then(RunBudget::time_is_over);
    let Some(until) = Instant::now().checked_add(GRACE_PERIOD) else { return };
    while (around.cancel.cancelled() || over.as_ref().is_some_and(|over| over()))
        && !control.given_up()
        && Instant::now() < until
    {
        std::thread::sleep(GIVEN_UP_POLL_INTERVAL);
    }
}

/// How often that is looked for.
const GIVEN_UP_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Why a task inside another has no answer: as data for `ex-data`, and in words.
fn failure(task: &str, error: &Error, turns: u64, trace: Option<&str>) -> (Data, String) {
    let (kind, how) = match error.kind() {
        ErrorKind::Failed => ("failed", "gave up"),
        ErrorKind::OutOfTurns => ("out_of_turns", "had no turn left"),
        ErrorKind::Budget | ErrorKind::Limit => ("limit", "was over a limit"),
        ErrorKind::Model { .. } => ("model", "had no answer of its model"),
        other => (other.run_error(), "could not go on"),
    };
    let mut data = serde_json::json!({ "kind": kind, "message": error.text(), "turns": turns });
    if let (Some(trace), Some(all)) = (trace, data.as_object_mut()) {
        all.insert("trace".to_owned(), trace.into());
    }
    let after = if turns == 1 { "1 turn".to_owned() } else { format!("{turns} turns") };
    let trace = trace.map_or_else(String::new, |t| format!("; its trace is {t}"));
    (data, format!("the task {task} {how} after {after}: {}{trace}", error.text()))
}

/// The calls of an agent, told apart by what they ask and, of those that ask the same, by their numbers: calls that are
/// made together begin in no order, and after a crash only those are made again that had no answer.
struct Calls(Mutex<HashMap<String, BTreeSet<u64>>>);

impl Calls {
    fn behind(made: &[&Call]) -> Self {
        let mut seen: HashMap<String, BTreeSet<u64>> = HashMap::new();
        for call in made {
            seen.entry(digest(call.args.text())).or_default().insert(call.id);
        }
        Calls(Mutex::new(seen))
    }

    /// What names the trace of this call: the digest of its arguments, and from the second call with the same ones on
    /// which of them it is.
    fn label(&self, args: &str, control: &CallControl) -> String {
        let digest = digest(args);
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = seen.entry(digest.clone()).or_default();
        same.extend(control.duplicates().iter().copied().chain([control.id()]));
        match same.range(..=control.id()).count() {
            1 => digest,
            n => format!("{digest}-{n}"),
        }
    }
}

/// Whether a session has run the subtask whose trace has this label: an agent that it called, or an input of an act that
/// has begun.
pub(crate) fn labels(trace: &Trace) -> impl Fn(&str) -> bool {
    let mut seen: HashMap<(&str, String), u64> = HashMap::new();
    let agents = trace.calls().map(|call| {
        let digest = digest(call.args.text());
        let n = seen.entry((&call.name, digest.clone())).or_default();
        *n = n.saturating_add(1);
        let end = if *n == 1 { String::new() } else { format!("-{n}") };
        RunContext::file_label(&format!("agent-{}-{digest}{end}", call.name))
    });
    let agents: BTreeSet<String> = agents.collect();
    let acts: Vec<String> = trace.acts().iter().map(|a| RunContext::file_label(&format!("act-{}-", a.name))).collect();
    move |label| agents.contains(label) || acts.iter().any(|act| label.starts_with(act))
}

/// Twelve digits are enough for the calls of a session; who meets another's trace sets it aside.
const DIGEST_DIGITS: usize = 12;

fn digest(args: &str) -> String {
    sha256(args.as_bytes()).chars().take(DIGEST_DIGITS).collect()
}

/// What the caller's arguments are to the agent.
fn given(args: &str, request: bool, control: &CallControl, limits: &Limits) -> Result<Given, Error> {
    let data: Data = serde_json::from_str(args).map_err(|e| Error::new(ErrorKind::Task, e.to_string()))?;
    let all = data.as_object().cloned().unwrap_or_default();
    let control = Some(control.clone());
    if request {
        let request = all.get("request").and_then(Data::as_str).map(str::to_owned);
        return Ok(Given { request, control, ..Given::default() });
    }
    let inputs = all.iter().map(|(name, value)| crate::task::inputs::from_data(name, value, limits));
    Ok(Given { inputs: inputs.collect::<Result<_, _>>()?, control, ..Given::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_of_a_trace_names_its_agent() {
        for (label, of, not) in [
            ("agent-a-0123456789ab", "a", "a-0123456789ab"),
            ("agent-a-0123456789ab-2", "a", "a-0123456789ab"),
            ("agent-a-feedfeedfeed-0123456789ab", "a-feedfeedfeed", "b"),
            ("agent-a-longer-name-0123456789ab", "a-longer-name", "a"),
            ("agent-a_-0123456789ab", "a?", "a"),
        ] {
            assert!(is_of_agent(label, of) && !is_of_agent(label, not), "{label}");
        }
        for odd in
            ["agent-a-0123456789a", "agent-a-0123456789abc", "agent-a-0123456789xy", "agent-a-0123456789ab-", "act-a-1"]
        {
            assert!(!is_of_agent(odd, "a"), "{odd}");
        }
    }
}
