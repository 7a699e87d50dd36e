//! `ptc run`: a task, turn by turn, to its end.

use crate::args::{Output, Replay, RunArgs, RunOptions};
use crate::commands::kept_session::KeptSession;
use crate::commands::run_events::RunObserver;
use crate::commands::run_result::{Shown, not_begun, show};
use crate::commands::run_source::{RunSource, of_stdin, tell_notes};
use crate::commands::telemetry::RunTelemetry;
use crate::commands::watched::Watched;
use crate::commands::{approve, asked, settings, worker};
use crate::exit_code::{DONE, FAILED, OUT_OF_TURNS, PENDING};
use crate::report::{self, LivePage};
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, Io};
use crate::terminal::live::Live;
use crate::terminal::output;
use crate::terminal::progress::Progress;
use crate::terminal::run_view::{Quiet, RunView};
use crate::terminal::status::Status;
use crate::traces::{self, compressed};
use ptc_agent::error_text;
use ptc_agent::model::Price;
use ptc_agent::task::Ahead;
use ptc_agent::{
    Agent, Cancel, Environment, Error, ErrorKind, Model, Observer, RecordingModel, RunContext, RunLimitReached,
    RunOutcome, RunStatus, SubtaskObservers, Summaries, Task, TokenCalibration, TraceFile, Verdict,
};
use ptc_lisp::escape;
use ptc_turns::trace::record::Call;
use ptc_turns::{Session, Status as TurnStatus, Trace, TurnRefused};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Runs the command.
pub fn run(a: &RunArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    start(&RunSource::Task { path: &a.task, prompt: a.prompt.as_deref() }, &a.options, io)
}

/// Runs a task to its end, wherever it comes from. What keeps it from beginning is a line of JSON as well, for those who
/// read one.
pub fn start(source: &RunSource<'_>, a: &RunOptions, io: &mut Io<'_>) -> Result<i32, CliError> {
    let done = lead(source, a, io);
    if let Err(CliError::Error(p)) = &done {
        not_begun(a.form(), p, io)?;
    }
    done
}

fn lead(source: &RunSource<'_>, a: &RunOptions, io: &mut Io<'_>) -> Result<i32, CliError> {
    let task = prepared(source, a, io)?;
    // What is wrong with the known answer is reported before a turn has cost anything.
    let answer = task.answer()?;
    let keeps = KeptSession::of(source, a, io)?;
    let a = &keeps.options(a);
    let page_file = page_file(a)?;
    let cancel = Cancel::default();
    let mut telemetry = RunTelemetry::of(&task, a, keeps.id(), io)?;
    let BegunRun { mut agent, mut model, question } =
        begin(&task, (source, &keeps), a, &cancel, telemetry.subtasks(), io)?;
    keeps.keep_asked(source, a, io);
    if a.fail_turn && agent.begun() {
        let record = agent.fail_turn()?;
        if !a.quiet {
            io.info(&format!("turn {} is recorded as failed", record.turn));
        }
    } else if a.fail_turn {
        io.warn("--fail-turn changes nothing: no turn had begun that a crash left");
    }
    let page = if a.open { Some(open_page(agent.session().trace(), a, io)?) } else { None };
    let guard = interrupt::watch(&cancel);
    let also = (page.as_ref(), telemetry.observer());
    let end = watched(&task, (&mut agent, question), &mut model, also, a, &cancel, io);
    drop(guard);
    let mut end = end?;
    if let (Some(file), true) =
        (trace_of(a), !cancel.cancelled() && !task.ahead(agent.session().trace()).again.is_empty())
    {
        let hint = format!("correct it, then --resume {}", keeps.name(file));
        end.error = end.error.map(|e| e.with_hint(hint));
    }
    warn_of(&agent, io);
    let verdict = answer.as_ref().and_then(|known| known.judge(agent.session().trace()));
    keeps.ended(&end, io);
    let next = to_go_on(&task, &end, agent.session(), a);
    let ran = Ran { source, task: &task, agent: &agent, end: &end, a, next, keeps: &keeps };
    ran.show(verdict.as_ref(), io)?;
    telemetry.finish(io);
    // Behind the result: a page that cannot be written must not take it away.
    if let Some(file) = &page_file
        && let Err(p) = ran.write_page(file, page.as_ref(), io)
    {
        io.error(&p.text());
        return Ok(FAILED);
    }
    ran.tell(io);
    Ok(match end.status {
        RunStatus::Returned => DONE,
        RunStatus::OutOfTurns | RunStatus::Limit => OUT_OF_TURNS,
        RunStatus::Cancelled => interrupt::code(),
        RunStatus::Pending => PENDING,
        _ => FAILED,
    })
}

/// The task with all that the options say, once these can stand together.
fn prepared(source: &RunSource<'_>, a: &RunOptions, io: &mut Io<'_>) -> Result<Task, Error> {
    let files = [("--trace", &a.trace), ("--resume", &a.resume), ("--record", &a.record), ("--report", &a.report)];
    files_of_their_own(&files)?;
    if let Some(file) = &a.report {
        report::check(file, &report::SESSION)?;
    }
    let mut task = source.load(a, io)?;
    task.take_variables(&io.context.environment)?;
    task.policy = compressed(task.policy, &a.compression);
    if let Some(n) = a.max_turns {
        task.set_max_turns(n);
    }
    if let Some(name) = &a.model {
        task.use_model(from_here(name)?);
    }
    if let Some(how) = a.replay {
        if !task.has_recorded_model() {
            let words =
                "--replay is for recorded models, and this task has none; take it out, or add --model replay:FILE";
            return Err(Error::new(ErrorKind::Usage, words));
        }
        task.strict_replay = how == Replay::Strict;
    }
    Ok(task)
}

/// The file that the trace is kept in.
fn trace_of(a: &RunOptions) -> Option<&Path> {
    a.trace.as_deref().or(a.resume.as_deref())
}

/// What is run.
struct BegunRun {
    agent: Agent,
    model: Box<dyn Model>,
    /// What is to be asked behind its answer.
    question: Option<String>,
}

/// The agent of a new session, or of one that goes on, and its model. When this returns, the session has begun.
fn begin(
    task: &Task,
    (source, keeps): (&RunSource<'_>, &KeptSession),
    a: &RunOptions,
    cancel: &Cancel,
    observers: Option<SubtaskObservers>,
    io: &mut Io<'_>,
) -> Result<BegunRun, CliError> {
    let (file, environment) = (trace_of(a), io.context.environment.clone());
    let (session, kept) = match (&a.resume, file) {
        (Some(file), _) if !file.is_file() => {
            let words = "there is no such trace; begin one with --trace FILE";
            return Err(Error::new(ErrorKind::Usage, words).at(&file.display().to_string()).into());
        }
        (_, Some(file)) => begin_or_go_on(task, file, (source, keeps), a, &environment, io)?,
        (_, None) => {
            let fresh = task.config()?;
            tell_notes(&fresh.inputs, io);
            (Session::new(fresh), None)
        }
    };
    let worker = if a.isolate { Some(Arc::new(Mutex::new(worker::worker(io)?))) } else { None };
    let around = RunContext {
        trace: file.map(Path::to_owned),
        cancel: cancel.clone(),
        worker,
        environment,
        observers,
        no_sync: a.no_sync,
        ..RunContext::default()
    };
    let mut agent = task.agent(session, &around)?;
    if let (Some(name), None) = (agent.with_approval().next().or(task.with_approval()), file) {
        let words = error_text!("calls of {name} have to be approved, and the session must be kept until then"; "add --trace FILE");
        return Err(Error::new(ErrorKind::Usage, words).into());
    }
    let model = task.model(agent.session().trace(), &around.environment)?;
    let summaries = task.summaries(&around)?;
    if let Some(words) = task.unasked_summarizer() {
        io.warn(&words);
    }
    let model: Box<dyn Model> = match &a.record {
        Some(file) => Box::new(RecordingModel::begin(model, file, &agent.session().trace().replies())?),
        None => model,
    };
    if let Some(summaries) = summaries {
        if let Some(file) = &a.record {
            summaries.record_in(&Summaries::beside(file))?;
        }
        agent = agent.with_summaries(summaries);
    }
    let mut follow_up = None;
    if let Some(mut kept) = kept {
        follow_up = kept.follow_up.take();
        if kept.empty {
            for old in file.map(Task::set_aside_subtasks).transpose()?.unwrap_or_default() {
                if !a.quiet {
                    io.info(&format!("kept an older session's as {}", old.display()));
                }
            }
            kept.store.begin(&agent.session().trace().header)?;
        }
        agent = agent.with_trace_file(kept.store.sync(!a.no_sync));
    }
    if let Some(file) = file {
        let file = TokenCalibration::beside(file);
        let ledgers = TokenCalibration::open(&file).unwrap_or_else(|p| {
            io.warn(&format!("{p}; this run writes it anew once its model has reported tokens"));
            TokenCalibration::fresh(&file)
        });
        agent = agent.with_token_calibration(ledgers);
    }
    Ok(BegunRun { agent, model, question: follow_up })
}

/// Asks a further question, if there is one, and runs the agent to its end, shown on the terminal, as events and on the page.
fn watched(
    task: &Task,
    (agent, question): (&mut Agent, Option<String>),
    model: &mut Box<dyn Model>,
    (page, told): (Option<&LivePage>, impl Observer),
    a: &RunOptions,
    cancel: &Cancel,
    io: &mut Io<'_>,
) -> Result<RunOutcome, Error> {
    let mut observer = RunObserver::new(view(task, a, io), a.form() == Some(Output::Jsonl), cancel);
    observer.started(task, agent.session());
    let mut observers = (Watched { observer, page }, told);
    if let Some(question) = question {
        agent.follow_up_with(&question, task.max_turns, &mut observers)?;
    }
    Ok(agent.run(model, &mut observers))
}

/// What could not be kept beside the session.
fn warn_of(agent: &Agent, io: &mut Io<'_>) {
    let problems = [agent.token_calibration().problem().cloned(), agent.summaries().and_then(Summaries::problem)];
    problems.into_iter().flatten().for_each(|p| io.warn(&p.text()));
}

/// A run that is over.
struct Ran<'r> {
    source: &'r RunSource<'r>,
    task: &'r Task,
    agent: &'r Agent,
    end: &'r RunOutcome,
    a: &'r RunOptions,
    /// The options with which it can go on.
    next: RunOptions,
    keeps: &'r KeptSession,
}

impl Ran<'_> {
    /// The command that goes on with the session in this trace.
    fn go_on(&self, trace: &Path) -> String {
        let Ran { source, next, keeps, .. } = self;
        format!("{} --resume {}{}", source.command(next), keeps.name(trace), more(next))
    }

    fn trace(&self) -> &Trace {
        self.agent.session().trace()
    }

    /// The price of all its tokens, where no act asks another model.
    fn price(&self) -> Option<&Price> {
        let acts = self.trace().acts().len();
        self.task.asked.price.as_ref().filter(|_| (0..acts).all(|at| self.task.asks_its_model(at)))
    }

    /// Shows the result.
    fn show(&self, verdict: Option<&Verdict>, io: &mut Io<'_>) -> Result<(), CliError> {
        // What a text act said is text already, and no value to be read back.
        let text = self.trace().last().is_some_and(|t| t.status == TurnStatus::Answered);
        let (go_on, kept) = (|trace: &Path| self.go_on(trace), self.keeps.id());
        show(&Shown { end: self.end, verdict, price: self.price(), text, go_on: &go_on, kept }, self.a, io)
    }

    /// Writes the page of the session, and says to whoever looks at it where it is.
    fn write_page(&self, file: &Path, shown: Option<&LivePage>, io: &mut Io<'_>) -> Result<(), Error> {
        let stopped = matches!(self.end.status, RunStatus::Error | RunStatus::Cancelled | RunStatus::Limit);
        let problem = self.end.error.as_ref().filter(|_| stopped).map(Error::text);
        let summaries = self.agent.summaries();
        let about = report::About {
            problem: problem.as_deref(),
            summaries,
            price: self.price(),
            task: Some(self.task),
            live: None,
        };
        let written = report::write_all(file, trace_of(self.a), self.trace(), &about)?;
        written.warnings.iter().for_each(|w| io.warn(w));
        if !self.a.quiet {
            io.info(&format!("wrote {}{}", file.display(), written.others()));
        }
        if let Some(shown) = shown {
            shown.end(self.trace(), &about, &file.display().to_string());
        }
        Ok(())
    }

    /// Says how to go on.
    fn tell(&self, io: &mut Io<'_>) {
        let Ran { source, end, a, next, keeps, .. } = self;
        let file = trace_of(a);
        let named = file.map(|f| PathBuf::from(keeps.id().map_or_else(|| f.as_os_str().to_owned(), Into::into)));
        let by = match end.status {
            RunStatus::Cancelled => "go on with:",
            RunStatus::Pending => "then go on:",
            _ => {
                if let Some(pending) = &end.pending {
                    approve::tell(pending, named.as_deref(), io);
                }
                if !a.quiet || end.error.is_some() {
                    if keeps.id().is_some() && !matches!(end.status, RunStatus::Returned | RunStatus::Failed) {
                        tell_stdin(next, io);
                    }
                    keeps.tell(end.status, source.path().is_some(), &source.command(next), &more(next), io);
                }
                return;
            }
        };
        approve::tell(&end.pending.clone().unwrap_or_default(), named.as_deref(), io);
        // The last line of all: it can be copied.
        if let Some(file) = file {
            tell_stdin(next, io);
            io.info(by);
            io.info(&self.go_on(file));
        }
    }
}

/// The options with which the session can go on: with twice the turns, or twice of the limit that ended it.
fn to_go_on(task: &Task, end: &RunOutcome, session: &Session, a: &RunOptions) -> RunOptions {
    let mut next = a.clone();
    match end.status {
        RunStatus::OutOfTurns => next.max_turns = session.may_run().err().and_then(|e| raised(&e)).or(a.max_turns),
        RunStatus::Limit => {
            let limits = &task.run_limits;
            let whole = |limit: Option<u64>| limit.map(|l| l as f64);
            let all = [
                ("max_tokens_total", whole(limits.max_tokens_total)),
                ("max_cost", limits.max_cost),
                ("max_seconds", limits.max_seconds),
                ("max_tool_calls_total", whole(limits.max_tool_calls_total)),
            ];
            let reached = end.error.as_ref().and_then(RunLimitReached::of);
            let limit = reached.and_then(|r| all.into_iter().find(|(name, _)| *name == r.limit)?.1.zip(Some(r)));
            if let Some((limit, reached)) = limit {
                let key = format!("limits.{}", reached.limit);
                next.settings.set.retain(|s| s.split('=').next().map(str::trim) != Some(key.as_str()));
                // A tenth of a second is enough to say.
                let value = (limit.max(reached.used) * 20.0).ceil() / 10.0;
                let value = if reached.limit == "max_cost" { limit.max(reached.used) * 2.0 } else { value };
                next.settings.set.push(format!("{key}={value}"));
            }
        }
        _ => {}
    }
    next
}

/// Twice the turns, where a session has none left.
fn raised(refused: &TurnRefused) -> Option<u64> {
    match refused {
        TurnRefused::OutOfTurns { max_turns, .. } => Some(max_turns.saturating_mul(2)),
        _ => None,
    }
}

/// What stands behind the session in the command that goes on: more turns, and where standard input comes from.
fn more(next: &RunOptions) -> String {
    let turns = next.max_turns.map(|n| format!(" --max-turns {n}")).unwrap_or_default();
    let stdin = if of_stdin(&next.inputs.ctx).is_some() { " < FILE" } else { "" };
    format!("{turns}{stdin}")
}

/// Says what `FILE` is in the command that goes on, where an input came from standard input.
fn tell_stdin(next: &RunOptions, io: &mut Io<'_>) {
    if let Some(name) = of_stdin(&next.inputs.ctx) {
        io.info(&format!("FILE: what standard input gave as ctx/{name}; it is not kept, and has to be given again"));
    }
}

/// Where the page of the session is kept: where `--report` says, or with `--open` beside the trace.
fn page_file(a: &RunOptions) -> Result<Option<PathBuf>, Error> {
    if a.report.is_some() || !a.open {
        return Ok(a.report.clone());
    }
    let trace = a.trace.as_ref().or(a.resume.as_ref());
    let beside = trace.map(|t| t.with_extension("html")).filter(|page| Some(page) != trace);
    let file = beside.ok_or_else(|| {
        Error::new(ErrorKind::Usage, error_text!("--open has no place to keep the page in"; "add --report FILE"))
    })?;
    report::check(&file, &report::SESSION)?;
    Ok(Some(file))
}

/// Serves the page of a session, says where, and opens it where somebody sits before a terminal.
fn open_page(trace: &Trace, a: &RunOptions, io: &mut Io<'_>) -> Result<LivePage, Error> {
    let page = LivePage::start(trace)?;
    if !a.quiet {
        io.info(&format!("the page of this run: {}", page.address()));
    }
    if io.context.live
        && let Err(e) = open::that_detached(page.address())
    {
        io.warn(&format!("no browser was opened: {e}"));
    }
    Ok(page)
}

/// How a run is shown.
fn view<'v, 'b>(task: &'v Task, a: &RunOptions, io: &'v mut Io<'b>) -> Box<dyn RunView<'b> + 'v> {
    if a.quiet {
        return Box::new(Quiet::new(io));
    }
    let (live, redraws) = (io.context.live, io.context.redraws());
    let progress = Progress::new(io, task, a.verbose);
    if !live {
        return Box::new(progress);
    }
    let status = match redraws {
        true => Status::on(output::status_line(), output::stderr_columns),
        false => Status::default(),
    };
    Box::new(Live::new(progress, status))
}

/// Each option writes into a file of its own: one would destroy what the other keeps.
fn files_of_their_own(files: &[(&str, &Option<PathBuf>)]) -> Result<(), Error> {
    let given: Vec<(&str, &Path)> = files.iter().filter_map(|(option, f)| Some((*option, f.as_deref()?))).collect();
    for (i, (option, file)) in given.iter().enumerate() {
        let same = |other: &&(&str, &Path)| real(file) == real(other.1) || one_inode(file, other.1);
        if let Some((before, _)) = given.iter().take(i).find(same) {
            let words =
                error_text!("{before} and {option} name one file, {}", file.display(); "give each a file of its own");
            return Err(Error::new(ErrorKind::Usage, words));
        }
    }
    Ok(())
}

/// Where a file is, or will be once it is written: links followed, be they to nothing yet.
fn real(file: &Path) -> PathBuf {
    let mut file = file.to_owned();
    // As many links as systems follow.
    for _ in 0..40 {
        if let Ok(path) = std::fs::canonicalize(&file) {
            return path;
        }
        let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
        match std::fs::read_link(&file) {
            Ok(to) => file = folder.join(to),
            Err(_) => {
                let name = file.file_name().unwrap_or_default();
                return std::fs::canonicalize(&folder).unwrap_or(folder).join(name);
            }
        }
    }
    file
}

/// Whether two names are one file, as hard links are.
#[cfg(unix)]
fn one_inode(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |p: &Path| p.metadata().ok().map(|m| (m.dev(), m.ino()));
    id(a).is_some_and(|a| id(b) == Some(a))
}

/// Whether two names are one file: elsewhere only what [`real`] tells.
#[cfg(not(unix))]
fn one_inode(_: &Path, _: &Path) -> bool {
    false
}

/// A model named on the command line: its file is looked for here, not in the task's folder.
pub fn from_here(name: &str) -> Result<String, Error> {
    match name.strip_prefix("replay:").filter(|f| !f.is_empty()) {
        None => Ok(name.to_owned()),
        Some(file) => {
            let path = std::path::absolute(file).map_err(|e| Error::io(Path::new(file), "read", &e))?;
            Ok(format!("replay:{}", path.display()))
        }
    }
}

/// The file that keeps the trace.
struct Kept {
    store: TraceFile,
    /// Nothing stands in it, no header either.
    empty: bool,
    /// What is to be asked behind its answer.
    follow_up: Option<String>,
}

/// A new session, or the one in the trace file if it can go on. The header is written once everything else is there.
fn begin_or_go_on(
    task: &Task,
    file: &Path,
    (source, keeps): (&RunSource<'_>, &KeptSession),
    a: &RunOptions,
    environment: &Environment,
    io: &mut Io<'_>,
) -> Result<(Session, Option<Kept>), Error> {
    // What is wrong with the task is reported before a file is made. Of a session that goes on only the models are needed
    // that are still to be asked.
    let held = file.metadata().map_or(0, |m| m.len()) > 0;
    let fresh = if held { task.config_to_resume()? } else { task.config()? };
    let begun = Trace::new(fresh.header());
    if !held {
        task.model(&begun, environment)?;
    }
    task.tools(&begun, &RunContext::default())?;
    let opened = TraceFile::open(file, || false)?;
    let shown = file.display();
    if let Some(torn) = &opened.torn {
        io.warn(&format!("{shown}: {torn}"));
    }
    let Some(trace) = opened.trace else {
        if a.resume.is_some() {
            return Err(Error::new(
                ErrorKind::Usage,
                error_text!("the file is empty"; "begin a trace with --trace FILE"),
            )
            .at(&shown.to_string()));
        }
        let fresh = if held { task.config()? } else { fresh };
        tell_notes(&fresh.inputs, io);
        return Ok((Session::new(fresh), Some(Kept { store: opened.store, empty: true, follow_up: None })));
    };
    let question = source.question().filter(|_| task.may_follow_up(&trace.header));
    let last = trace.follow_ups().last();
    let other = question.filter(|q| last.map_or_else(|| !trace.header.asks(q), |last| last != *q));
    if let (Some(_), false) = (other, trace.ended()) {
        let first = asked::go_on(file, &trace.header, io);
        let words = error_text!("{shown} was asked something else, and that is not answered yet"; "go on with its own question first: {first}");
        return Err(Error::new(ErrorKind::Usage, words));
    }
    if question.is_none() && !task.began(&trace.header) {
        let words = match task.began_without_acts(&trace.header) {
            true => traces::without_acts(&shown.to_string()),
            false => error_text!("{shown} is the trace of another task"; "name another file"),
        };
        return Err(Error::new(ErrorKind::Usage, words));
    }
    task.check_tools(&trace.header, keeps.begun_in(file).as_deref())?;
    let mut session = task.resume(trace)?;
    let tools: Vec<String> = match source {
        RunSource::Question { .. } => fresh.tools.iter().map(|t| t.name.clone()).collect(),
        RunSource::Task { .. } => Vec::new(),
    };
    settings::resume(&mut session, task, &settings::overrides(&a.settings)?, (&a.inputs.ctx, &tools))?;
    if let Some(n) = a.max_turns.filter(|_| other.is_none()) {
        session.set_max_turns(n);
    }
    if a.compression.asked().is_some() {
        session.set_policy(&compressed(session.view().policy().clone(), &a.compression));
    }
    if other.is_none()
        && session.trace().ended()
        && let Err(ended) = session.may_run()
    {
        return Err(has_ended(session.trace(), &ended, file, (source, keeps)));
    }
    task.model(session.trace(), environment)?;
    if !a.quiet {
        io.info(&format!("continuing {shown} {}", place(session.trace())));
        not_repeated(task, session.trace()).iter().for_each(|words| io.info(words));
    }
    Ok((session, Some(Kept { store: opened.store, empty: false, follow_up: other.map(str::to_owned) })))
}

/// That a session takes no turn any more, and what can be done instead.
fn has_ended(
    trace: &Trace,
    ended: &TurnRefused,
    file: &Path,
    (source, keeps): (&RunSource<'_>, &KeptSession),
) -> Error {
    let (name, turns) = (keeps.name(file), trace.turns().len());
    let more = raised(ended).map(|n| format!("add --max-turns {n}, ")).unwrap_or_default();
    // A fork without the last turn goes another way from there.
    let by_turn = trace.last().is_some_and(|t| t.status.ends());
    let fork = match (keeps.id(), turns.saturating_sub(1)) {
        (Some(id), before @ 1..) if by_turn => format!("fork it: ptc sessions fork {id} --turn {before}, "),
        _ => String::new(),
    };
    let another = if source.path().is_none() { "ask it another question, " } else { "" };
    let words = error_text!("{} holds a session already, and {ended}", file.display(); "{more}{another}{fork}name another file, or look at it with ptc trace {name}");
    Error::new(ErrorKind::Usage, words)
}

/// Where a session goes on.
fn place(trace: &Trace) -> String {
    let behind = format!("behind turn {}", trace.turns().len());
    let next = trace.next_act().and_then(|at| trace.header.acts.get(at)).map(|a| &a.name);
    match (next, trace.act()) {
        (Some(next), _) => format!("{behind}, with act {}", escape::line(next)),
        (None, Some(act)) if !trace.header.acts.is_empty() => format!("{behind}, in act {}", escape::line(&act.name)),
        (None, Some(act)) => format!("{behind}, in {}", escape::line(&act.name)),
        (None, None) => behind,
    }
}

/// The calls that stand in the trace and are not made again, and those of the inputs of the act to come that are: they
/// failed, and it cannot begin without them.
fn not_repeated(task: &Task, trace: &Trace) -> Vec<String> {
    let ahead: Vec<u64> = trace.ahead().map(|c| c.tool_call.id).collect();
    let Ahead { kept, again, .. } = task.ahead(trace);
    let made: Vec<&Call> = trace.calls().filter(|c| !ahead.contains(&c.id)).chain(kept).collect();
    let told = |calls: Vec<&Call>, of: &str, one: &str, many: &str| {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for call in &calls {
            match counts.iter_mut().find(|c| c.0 == call.name) {
                Some(c) => c.1 = c.1.saturating_add(1),
                None => counts.push((&call.name, 1)),
            }
        }
        let list: Vec<String> = counts.iter().map(|(name, n)| format!("{} ({n})", escape::line(name))).collect();
        let (word, is) = if calls.len() == 1 { ("call", one) } else { ("calls", many) };
        let line = format!("{} tool {word} {of} {is}: {}", calls.len(), list.join(", "));
        (!calls.is_empty()).then_some(line)
    };
    let made = told(made, "of the trace", "is not repeated", "are not repeated");
    made.into_iter().chain(told(again, "for inputs", "failed and is made again", "failed and are made again")).collect()
}
