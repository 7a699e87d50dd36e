//! `ptc run`: a task, turn by turn, to its end.

use crate::args::{Output, Replay, RunArgs, RunOptions};
use crate::commands::kept_session::KeptSession;
use crate::commands::run_events::RunObserver;
use crate::commands::run_source::RunSource;
use crate::commands::watched::Watched;
use crate::commands::{approve, worker};
use crate::context::stderr_columns;
use crate::exit_code::{DONE, FAILED, OUT_OF_TURNS, PENDING};
use crate::report::{self, LivePage};
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, DIM, GREEN, Io, RED, indented};
use crate::terminal::live::Live;
use crate::terminal::progress::{self, Progress};
use crate::terminal::run_view::{Quiet, RunView};
use crate::terminal::status::Status;
use crate::terminal::values::{self, Layout};
use crate::traces::{self, compressed};
use ptc_agent::error_text;
use ptc_agent::model::Price;
use ptc_agent::task::Ahead;
use ptc_agent::{
    Cancel, Environment, Error, ErrorKind, Model, Pending, RecordingModel, RunContext, RunOutcome, RunStatus,
    Summaries, SummaryUsage, Task, TokenCalibration, Totals, TraceFile, Verdict,
};
use ptc_lisp::escape;
use ptc_turns::trace::record::{Call, Usage};
use ptc_turns::{Json, Session, Status as TurnStatus, Trace, TurnRefused};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Lines of a result on a terminal.
const ANSWER_LINES: usize = 200;

/// Runs the command.
pub fn run(a: &RunArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    start(&RunSource::Task { path: &a.task, prompt: a.prompt.as_deref() }, &a.options, io)
}

/// Runs a task to its end, wherever it comes from. What keeps it from beginning is a line of JSON as well, for those who
/// read one.
pub fn start(source: &RunSource<'_>, a: &RunOptions, io: &mut Io<'_>) -> Result<i32, CliError> {
    let done = lead(source, a, io);
    if let Err(CliError::Error(p)) = &done {
        not_begun(a, p, io)?;
    }
    done
}

/// What keeps a run from beginning, as a line of JSON for those who read one.
pub fn not_begun(a: &RunOptions, p: &Error, io: &mut Io<'_>) -> Result<(), CliError> {
    if a.is_json() {
        let error = Some(ErrorLine::new("usage", p));
        let line = Line {
            event: event(a),
            time: time(a),
            status: "error",
            value: None,
            json: None,
            turns: 0,
            usage: AllUsage { own: &Usage::default(), total: None },
            right: None,
            summaries: None,
            pending: None,
            session: None,
            error,
        };
        line.write(io)?;
    }
    Ok(())
}

fn lead(source: &RunSource<'_>, a: &RunOptions, io: &mut Io<'_>) -> Result<i32, CliError> {
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
            return Err(Error::new(ErrorKind::Usage, words).into());
        }
        task.strict_replay = how == Replay::Strict;
    }
    // What is wrong with the known answer is reported before a turn has cost anything.
    let answer = task.answer()?;
    let keeps = KeptSession::of(source.path(), a, io)?;
    let a = &keeps.options(a);
    let page_file = page_file(a)?;
    let environment = io.context.environment.clone();
    let (session, kept) = match (&a.resume, &a.trace) {
        (Some(file), _) if !file.is_file() => {
            let words = "there is no such trace; begin one with --trace FILE";
            return Err(Error::new(ErrorKind::Usage, words).at(&file.display().to_string()).into());
        }
        (Some(file), _) | (None, Some(file)) => begin_or_go_on(&task, file, a, &environment, io)?,
        (None, None) => (Session::new(task.config()?), None),
    };
    let cancel = Cancel::default();
    let worker = if a.isolate { Some(Arc::new(Mutex::new(worker::worker(io)?))) } else { None };
    let file = a.trace.as_ref().or(a.resume.as_ref());
    let around = RunContext {
        trace: file.cloned(),
        cancel: cancel.clone(),
        worker,
        environment,
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
    let mut model: Box<dyn Model> = match &a.record {
        Some(file) => Box::new(RecordingModel::begin(model, file, &agent.session().trace().replies())?),
        None => model,
    };
    if let Some(summaries) = summaries {
        if let Some(file) = &a.record {
            summaries.record_in(&Summaries::beside(file))?;
        }
        agent = agent.with_summaries(summaries);
    }
    if let Some(mut kept) = kept {
        if kept.empty {
            for old in file.map(|f| Task::set_aside_subtasks(f)).transpose()?.unwrap_or_default() {
                io.info(&format!("kept an older session's as {}", old.display()));
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
    if a.fail_turn && agent.begun() {
        let record = agent.fail_turn()?;
        io.info(&format!("turn {} is recorded as failed", record.turn));
    }
    let shown = if a.open { Some(open_page(agent.session().trace(), io)?) } else { None };
    let guard = interrupt::watch(&cancel);
    let mut observer = RunObserver::new(view(&task, a, io), a.form() == Some(Output::Jsonl), &cancel);
    observer.started(&task, agent.session());
    let mut watch = Watched { observer, page: shown.as_ref() };
    let mut end = agent.run(&mut model, &mut watch);
    drop(watch);
    drop(guard);
    let failed = !cancel.cancelled() && !task.ahead(agent.session().trace()).again.is_empty();
    if let (Some(file), true) = (file, failed) {
        let hint = format!("correct it, then --resume {}", keeps.name(file));
        end.error = end.error.map(|e| e.with_hint(hint));
    }
    if let Some(p) = agent.token_calibration().problem() {
        io.warn(&p.text());
    }
    if let Some(p) = agent.summaries().and_then(Summaries::problem) {
        io.warn(&p.text());
    }
    // What a text act said is text already, and no value to be read back.
    let text = agent.session().trace().last().is_some_and(|t| t.status == TurnStatus::Answered);
    let acts = agent.session().trace().acts().len();
    let price = task.asked.price.as_ref().filter(|_| (0..acts).all(|at| task.asks_its_model(at)));
    let verdict = answer.as_ref().and_then(|known| known.judge(agent.session().trace()));
    keeps.ended(&end, io);
    let next = to_go_on(&task, &end, agent.session(), a);
    let go_on = |trace: &Path| format!("{} --resume {}{}", source.command(&next), keeps.name(trace), more_turns(&next));
    let kept = keeps.id();
    show(&Shown { end: &end, verdict: verdict.as_ref(), price, text, go_on: &go_on, kept }, a, io)?;
    // Behind the result: a page that cannot be written must not take it away.
    if let Some(file) = &page_file {
        let stopped = matches!(end.status, RunStatus::Error | RunStatus::Cancelled | RunStatus::Limit);
        let problem = end.error.as_ref().filter(|_| stopped).map(Error::text);
        let about = report::About { problem: problem.as_deref(), summaries: agent.summaries(), price, live: None };
        let kept = a.trace.as_deref().or(a.resume.as_deref());
        match report::write_all(file, kept, agent.session().trace(), &about) {
            Ok(written) => {
                written.warnings.iter().for_each(|w| io.warn(w));
                if !a.quiet {
                    io.info(&format!("wrote {}{}", file.display(), written.others()));
                }
                if let Some(shown) = &shown {
                    shown.end(agent.session().trace(), &about, &file.display().to_string());
                }
            }
            Err(p) => {
                io.error(&p.text());
                return Ok(FAILED);
            }
        }
    }
    if !matches!(end.status, RunStatus::Cancelled | RunStatus::Pending) && (!a.quiet || end.error.is_some()) {
        keeps.tell(end.status, source.path().is_some(), &source.command(&next), &more_turns(&next), io);
    }
    Ok(match end.status {
        RunStatus::Returned => DONE,
        RunStatus::OutOfTurns | RunStatus::Limit => OUT_OF_TURNS,
        RunStatus::Cancelled => {
            let named = file.map(|f| PathBuf::from(keeps.id().map_or_else(|| f.as_os_str().to_owned(), Into::into)));
            approve::tell(&end.pending.clone().unwrap_or_default(), named.as_deref(), io);
            // The last line of all: it can be copied.
            if let Some(file) = file {
                io.info("go on with:");
                io.info(&go_on(file));
            }
            interrupt::code()
        }
        RunStatus::Pending => {
            let named = file.map(|f| PathBuf::from(keeps.id().map_or_else(|| f.as_os_str().to_owned(), Into::into)));
            approve::tell(&end.pending.clone().unwrap_or_default(), named.as_deref(), io);
            if let Some(file) = file {
                io.info("then go on:");
                io.info(&go_on(file));
            }
            PENDING
        }
        _ => FAILED,
    })
}

/// The options with which the session can go on: with twice the turns, or twice of the limit that ended it.
fn to_go_on(task: &Task, end: &RunOutcome, session: &Session, a: &RunOptions) -> RunOptions {
    let mut next = a.clone();
    match end.status {
        RunStatus::OutOfTurns => next.max_turns = session.may_run().err().and_then(|e| raised(&e)).or(a.max_turns),
        RunStatus::Limit => {
            let (limits, used) = (&task.run_limits, &end.totals);
            let whole = |limit: Option<u64>, used: u64| limit.map(|l| l.max(used).saturating_mul(2).to_string());
            let all = [
                ("max_tokens_total", whole(limits.max_tokens_total, used.tokens())),
                ("max_cost", limits.max_cost.map(|l| (l.max(used.cost.unwrap_or(0.0)) * 2.0).to_string())),
                ("max_seconds", limits.max_seconds.map(|l| (l * 2.0).to_string())),
                ("max_tool_calls_total", whole(limits.max_tool_calls_total, used.tool_calls)),
            ];
            let words = end.error.as_ref().map(Error::message).unwrap_or_default();
            for (name, value) in all {
                let key = format!("limits.{name}");
                if let Some(value) = value.filter(|_| words.contains(&format!("{name} is "))) {
                    next.set.retain(|s| s.split('=').next().map(str::trim) != Some(key.as_str()));
                    next.set.push(format!("{key}={value}"));
                }
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

fn more_turns(next: &RunOptions) -> String {
    next.max_turns.map(|n| format!(" --max-turns {n}")).unwrap_or_default()
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
fn open_page(trace: &Trace, io: &mut Io<'_>) -> Result<LivePage, Error> {
    let page = LivePage::start(trace)?;
    io.info(&format!("the page of this run: {}", page.address()));
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
        true => Status::on(Box::new(std::io::stderr()), stderr_columns),
        false => Status::default(),
    };
    Box::new(Live::new(progress, status))
}

/// What the result is called as a line among others.
fn event(a: &RunOptions) -> Option<&'static str> {
    (a.form() == Some(Output::Jsonl)).then_some("run_ended")
}

/// When it is written, in milliseconds since 1970.
fn time(a: &RunOptions) -> Option<i64> {
    (a.form() == Some(Output::Jsonl)).then(ptc_agent::host::now_ms)
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
}

/// A new session, or the one in the trace file if it can go on. The header is written once everything else is there.
fn begin_or_go_on(
    task: &Task,
    file: &Path,
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
        return Ok((Session::new(fresh), Some(Kept { store: opened.store, empty: true })));
    };
    if !task.began(&trace.header) {
        let words = match task.began_without_acts(&trace.header) {
            true => traces::without_acts(&shown.to_string()),
            false => error_text!("{shown} is the trace of another task"; "name another file"),
        };
        return Err(Error::new(ErrorKind::Usage, words));
    }
    let mut session = task.resume(trace)?;
    if let Some(n) = a.max_turns {
        session.set_max_turns(n);
    }
    if a.compression.asked().is_some() {
        session.set_policy(&compressed(session.view().policy().clone(), &a.compression));
    }
    if session.trace().ended()
        && let Err(ended) = session.may_run()
    {
        let more = raised(&ended).map(|n| format!("add --max-turns {n}, ")).unwrap_or_default();
        return Err(Error::new(
            ErrorKind::Usage,
            error_text!("{shown} holds a session already, and {ended}"; "{more}name another file, or look at it with ptc trace"),
        ));
    }
    task.model(session.trace(), environment)?;
    if !a.quiet {
        io.info(&format!("continuing {shown} {}", place(session.trace())));
        not_repeated(task, session.trace()).iter().for_each(|words| io.info(words));
    }
    Ok((session, Some(Kept { store: opened.store, empty: false })))
}

/// Where a session goes on.
fn place(trace: &Trace) -> String {
    let behind = format!("behind turn {}", trace.turns().len());
    let next = trace.next_act().and_then(|at| trace.header.acts.get(at)).map(|a| &a.name);
    match (next, trace.act()) {
        (Some(next), _) => format!("{behind}, with act {}", escape::line(next)),
        (None, Some(act)) => format!("{behind}, in act {}", escape::line(&act.name)),
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

#[derive(Serialize)]
struct Line<'a> {
    /// Of the last of many lines.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    event: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<i64>,
    status: &'static str,
    value: Option<&'a str>,
    json: Option<&'a Json>,
    turns: u64,
    usage: AllUsage<'a>,
    /// Whether the answer is that of the task, where it has one and the session has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<bool>,
    /// What summaries by a model cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    summaries: Option<SummaryUsage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<&'a Pending>,
    /// The session that was kept in the user's data folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    /// Why it did not return.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorLine>,
}

/// What the session used itself, and in all with its subtasks.
#[derive(Serialize)]
struct AllUsage<'a> {
    #[serde(flatten)]
    own: &'a Usage,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<&'a Totals>,
}

/// Why a run did not return. The names of the kinds are a contract (docs/cli.md).
#[derive(Serialize)]
struct ErrorLine {
    kind: &'static str,
    /// A file, a line of it, an act.
    place: Option<String>,
    message: String,
    hint: Option<String>,
}

impl ErrorLine {
    fn new(kind: &'static str, e: &Error) -> Self {
        let (place, hint) = (e.place().map(str::to_owned), e.hint().map(str::to_owned));
        ErrorLine { kind, place, message: e.message().to_owned(), hint }
    }
}

impl Line<'_> {
    fn write(&self, io: &mut Io<'_>) -> std::io::Result<()> {
        serde_json::to_writer(&mut *io.out, self).map_err(std::io::Error::from)?;
        writeln!(io.out)
    }
}

/// What to do next where the words of the ending do not say it themselves.
fn hint(kind: ErrorKind, a: &RunOptions, go_on: &dyn Fn(&Path) -> String) -> Option<String> {
    let more = match kind {
        ErrorKind::OutOfTurns => "",
        ErrorKind::Replay => " --fail-turn",
        ErrorKind::Cancelled => "",
        _ => return None,
    };
    Some(match a.trace.as_ref().or(a.resume.as_ref()) {
        Some(file) => format!("go on with {}{more}", go_on(file)),
        None if kind == ErrorKind::Cancelled => {
            "keep the session with --trace FILE: then --resume FILE goes on with it".to_owned()
        }
        None => "give it more turns with --max-turns N".to_owned(),
    })
}

/// What is shown of a run that is over.
struct Shown<'a> {
    end: &'a RunOutcome,
    /// Whether its answer is right, where that is known.
    verdict: Option<&'a Verdict>,
    price: Option<&'a Price>,
    /// Its answer is a text act's.
    text: bool,
    /// The command that continues with what is kept in a trace.
    go_on: &'a dyn Fn(&Path) -> String,
    /// The id of its session, where it is kept.
    kept: Option<&'a str>,
}

fn show(shown: &Shown<'_>, a: &RunOptions, io: &mut Io<'_>) -> Result<(), CliError> {
    let Shown { end, verdict, text, go_on, kept, .. } = *shown;
    let turns = if end.turns == 1 { "1 turn".to_owned() } else { format!("{} turns", end.turns) };
    match (&end.status, &end.error) {
        (RunStatus::Returned, _) if a.quiet => {}
        (RunStatus::Returned, _) => io.info(&format!("{GREEN}returned{GREEN:#} after {turns}")),
        (status, error) => {
            let status = status.as_str().replace('_', " ");
            let words = error.as_ref().map(Error::text).filter(|words| *words != status);
            let words = words.map(|words| format!(": {}", escape::line(&words))).unwrap_or_default();
            io.info(&format!("{RED}{status}{RED:#} after {turns}{words}"));
        }
    }
    match verdict {
        Some(Verdict { right: true, .. }) if a.quiet => {}
        Some(Verdict { right: true, .. }) => io.info(&format!("{GREEN}right{GREEN:#}")),
        Some(Verdict { why, .. }) => {
            io.info(&format!("{RED}wrong{RED:#}: {}", why.as_deref().map(escape::line).unwrap_or_default()));
        }
        None => {}
    }
    if !a.quiet {
        show_usage(shown, io);
    }
    if a.is_json() {
        let error = end.error.as_ref().map(|e| {
            let line = ErrorLine::new(e.kind().run_error(), e);
            ErrorLine { hint: line.hint.or_else(|| hint(e.kind(), a, go_on)), ..line }
        });
        let line = Line {
            event: event(a),
            time: time(a),
            status: end.status.as_str(),
            value: end.value.as_deref(),
            json: end.json.as_ref(),
            turns: end.turns,
            usage: AllUsage { own: &end.usage, total: Some(&end.totals) },
            right: verdict.map(|v| v.right),
            summaries: end.summaries,
            pending: end.pending.as_ref(),
            session: kept,
            error,
        };
        line.write(io)?;
    } else if let (true, Some(text)) = (text, &end.text) {
        answer(text, None, a, io)?;
    } else if let (RunStatus::Returned, Some(value)) = (end.status, &end.value) {
        answer(value, end.text.as_deref(), a, io)?;
    }
    Ok(())
}

/// What the run used, in lines.
fn show_usage(shown: &Shown<'_>, io: &mut Io<'_>) {
    let Shown { end, price, kept, .. } = *shown;
    if end.usage.model.is_some() && end.turns > 1 {
        io.info(&format!("{DIM}in all: {}{DIM:#}", progress::tokens(&end.usage, price)));
    }
    // What its subtasks used, or time and calls where they are kept too.
    let t = &end.totals;
    if t.tokens() > end.usage.input_tokens.unwrap_or(0).saturating_add(end.usage.output_tokens.unwrap_or(0))
        || (kept.is_some() && t.tokens() > 0)
    {
        io.info(&format!("{DIM}the whole run: {}{DIM:#}", progress::totals(t)));
    }
    if let Some(s) = end.summaries.filter(|s| s.asked > 0) {
        let words = format!("summaries: {} asked for, {} tokens in, {} out", s.asked, s.input_tokens, s.output_tokens);
        io.info(&format!("{DIM}{words}{DIM:#}"));
    }
}

/// The result: as it is, or on a terminal laid out; there a string is the text that it holds.
fn answer(value: &str, text: Option<&str>, a: &RunOptions, io: &mut Io<'_>) -> Result<(), CliError> {
    let Some(width) = io.context.width.filter(|_| a.form().is_none()) else {
        writeln!(io.out, "{value}")?;
        return Ok(());
    };
    let how = Layout { width, color: io.context.color, lines: ANSWER_LINES, whole: "--output text prints all of it" };
    let shown = match text {
        None => indented(value, ""),
        Some(text) if value.starts_with('"') => indented(text, ""),
        Some(_) => values::layout(value, &how),
    };
    let end = if shown.ends_with('\n') { "" } else { "\n" };
    write!(io.out, "{shown}{end}")?;
    Ok(())
}
