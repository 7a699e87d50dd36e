//! The host's side: a worker process, started when a turn needs one, watched while it runs, ended when it misbehaves.

use super::exit::{WorkerExit, words};
use super::process::Process;
use super::protocol::{Begin, Failure, HostMessage, OneCall, Turn, WorkerMessage, line, most};
use super::restrict::Restrictions;
use crate::error::Error;
use ptc_lisp::error::{Error as LispError, ErrorKind, cut};
use ptc_lisp::interface::{CallDeadline, MAX_PARALLEL_CALLS, ToolRequest, Tools};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::{Item as _, Value};
use ptc_turns::trace::record::Call;
use ptc_turns::{Act, Header, Json, Session, TurnContext, TurnRecord, TurnRefused, TurnText};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time that a worker has over the turn's own limit, which comes first when all is well.
const GRACE: Duration = Duration::from_secs(2);
/// How often the host asks whether the turn was cancelled.
const PULSE: Duration = Duration::from_millis(20);

/// Time for a worker to start and say so, on a busy machine.
const STARTING: Duration = Duration::from_secs(30);
/// Longest line in which it says so.
const HELLO: u64 = 1 << 16;

/// Longest words of a tool's error, in bytes, as without a worker.
const WORDS: usize = 2048;

/// A worker process for one session, and how to start it.
pub struct Worker {
    command: Command,
    running: Option<Running>,
    /// Has started, and holds no session yet.
    prepared: Option<Process>,
    /// The trace with the texts of turns, where the session has let go of them.
    trace: Option<PathBuf>,
}

/// A process, and the session that it holds.
struct Running {
    process: Process,
    header: Arc<Header>,
    turns: usize,
    acts: usize,
}

impl Worker {
    /// A worker that this command starts: the full path of a program whose main calls [`serve`](super::serve) first, and its
    /// arguments. Environment, folder and streams of the command are not used.
    pub fn new(command: Command) -> Self {
        Worker { command, running: None, prepared: None, trace: None }
    }

    /// Begins a session, where its process has to be started again, with the turns of this trace.
    pub(crate) fn read_turns_of(&mut self, trace: &Path) {
        self.trace = Some(trace.to_owned());
    }

    /// Another one of the same command, for another session.
    #[must_use]
    pub fn another(&self) -> Self {
        let mut command = Command::new(self.command.get_program());
        command.args(self.command.get_args());
        Worker::new(command)
    }

    /// Starts a process of the command, and says what restricts it on this system, beside limits. It is ended again.
    ///
    /// # Errors
    /// When it cannot be started, or is no worker.
    pub fn restrictions(&self) -> Result<Restrictions, Error> {
        self.start().map(|(_, restrictions)| restrictions)
    }

    /// Starts its process now, so that the first turn need not wait for it: it is restricted, and holds no session yet.
    /// Where it is gone when it is needed, another one is started then.
    ///
    /// # Errors
    /// When it cannot be started, or is no worker.
    pub fn prepare(&mut self) -> Result<(), Error> {
        if self.running.is_none() && !self.prepared.as_mut().is_some_and(Process::runs) {
            self.prepared = Some(self.start()?.0);
        }
        Ok(())
    }

    fn start(&self) -> Result<(Process, Restrictions), Error> {
        let failed = |end: &WorkerExit, status, said: &str| {
            Error::new(crate::ErrorKind::Worker, words(end, status, said, &Limits::default()))
        };
        let process = Process::start(&self.command, HELLO).map_err(|e| failed(&WorkerExit::Start(e), None, ""))?;
        match restrictions(&process, &|| false) {
            Ok(said) => Ok((process, said)),
            Err(end) => {
                let (status, said) = process.end(matches!(end, WorkerExit::Died));
                Err(failed(&end, status, &said))
            }
        }
    }

    /// The number of its process, while there is one.
    pub fn id(&self) -> Option<u32> {
        self.running.as_ref().map(|r| r.process.id())
    }

    /// Runs the next turn of `session`, whose memory is in the worker. Whatever becomes of the worker, there is a record.
    pub(crate) fn turn(
        &mut self,
        session: &mut Session,
        text: TurnText<'_>,
        world: TurnContext<'_>,
    ) -> Result<TurnRecord, TurnRefused> {
        session.may_run()?;
        let (now_ms, seed, model) = (world.now_ms, world.seed, world.model.clone());
        let cancelled = world.cancelled;
        let mut calls = Vec::new();
        match self.attempt(session, text, world, &mut calls) {
            Ok(mut record) => {
                // What a turn had from outside, the host knows best.
                (record.time, record.seed) = (now_ms, seed);
                if let Some(running) = &mut self.running {
                    running.turns = running.turns.saturating_add(1);
                }
                Ok(session.take_from(record, model).clone())
            }
            Err(end) => {
                let (status, said) = self.stop(&end);
                // One that was ended together with us did not fail by itself.
                if matches!(end, WorkerExit::Cancelled) || cancelled() {
                    return Err(TurnRefused::Cancelled);
                }
                let message = words(&end, status, &said, &session.trace().header.limits);
                let kind = match end {
                    WorkerExit::Big(_) => ErrorKind::Memory,
                    _ => ErrorKind::Internal,
                };
                let error = LispError::new(kind, message);
                Ok(session.lose(text, &error, calls, (now_ms, seed), model).clone())
            }
        }
    }

    fn attempt(
        &mut self,
        session: &Session,
        text: TurnText<'_>,
        world: TurnContext<'_>,
        calls: &mut Vec<Call>,
    ) -> Result<TurnRecord, WorkerExit> {
        let header = session.trace().header.clone();
        let running = self.ready(session, &header, world.cancelled)?;
        let (text, reply) = match text {
            TurnText::Program(p) => (p, false),
            TurnText::Reply(r) => (r, true),
        };
        let turn =
            Turn { text: text.to_owned(), reply, now_ms: world.now_ms, seed: world.seed, notice: world.notice.clone() };
        running.send(&HostMessage::<TurnRecord>::Turn(turn))?;
        let limit = time(&header.limits);
        let mut watch =
            Deadline { limit, until: limit.and_then(|l| Instant::now().checked_add(l)), cancelled: world.cancelled };
        loop {
            match running.receive(&watch)? {
                WorkerMessage::Ran(mut record) => {
                    settle(&mut record.tool_calls, calls)?;
                    return Ok(*record);
                }
                WorkerMessage::Calls(asked) => {
                    let reply = called(&header, asked, world.tools, &watch, calls)?;
                    // What calls that were given up answer is not for the program.
                    if (watch.cancelled)() {
                        return Err(WorkerExit::Cancelled);
                    }
                    running.process.send(reply);
                    // A tool that took its time must not look like a worker that hangs.
                    watch.until = watch.until.map(|u| Instant::now().checked_add(GRACE).map_or(u, |g| u.max(g)));
                }
                WorkerMessage::Broke(words) => return Err(WorkerExit::Broke(words)),
                WorkerMessage::Refused(e) => return Err(WorkerExit::Refused(e)),
                WorkerMessage::Ready => {
                    return Err(WorkerExit::Garbage("it said that it was ready, in the middle of a turn".into()));
                }
                WorkerMessage::Restricted(_) => {
                    return Err(WorkerExit::Garbage("it began anew in the middle of a turn".into()));
                }
            }
        }
    }

    /// A worker that holds just this session.
    fn ready(
        &mut self,
        session: &Session,
        header: &Arc<Header>,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<&Running, WorkerExit> {
        let turns = session.trace().turns();
        let acts = session.trace().acts().len();
        // An act that has begun since is known to a new one.
        let fits = |r: &Running| Arc::ptr_eq(&r.header, header) && r.turns == turns.len() && r.acts == acts;
        let fits = self.running.take().filter(fits);
        let running = match fits {
            Some(running) => running,
            None => {
                let prepared = self.prepared.take().and_then(|mut p| p.runs().then_some(p));
                let told = prepared.is_some();
                let process = match prepared {
                    Some(process) => process,
                    None => Process::start(&self.command, HELLO).map_err(WorkerExit::Start)?,
                };
                let running = Running { process, header: header.clone(), turns: turns.len(), acts };
                // Kept at once, so that whatever happens it is ended.
                let running = self.running.insert(running);
                if !told {
                    restrictions(&running.process, cancelled)?;
                }
                running.process.allow(most(&header.limits));
                match &self.trace {
                    None => {
                        let turns = session.trace().turns().iter().map(|t| &**t).collect::<Vec<&TurnRecord>>();
                        running.send(&HostMessage::Begin(Box::new(begin(session, turns)?)))?;
                    }
                    Some(trace) => {
                        // One at a time: a long trace is in memory until it is sent.
                        static LONG: Mutex<()> = Mutex::new(());
                        let _one = LONG.lock().unwrap_or_else(PoisonError::into_inner);
                        let turns = crate::trace_file::turn_lines(trace)
                            .map_err(|e| WorkerExit::Refused(LispError::new(ErrorKind::Internal, e.message())))?;
                        running.send(&HostMessage::Begin(Box::new(begin(session, turns)?)))?;
                    }
                }
                // As long as all its turns may take once more.
                let limit = time(&header.limits)
                    .map(|l| l.saturating_mul(u32::try_from(turns.len().saturating_add(1)).unwrap_or(u32::MAX)));
                let watch = Deadline { limit, until: limit.and_then(|l| Instant::now().checked_add(l)), cancelled };
                return match running.receive(&watch)? {
                    WorkerMessage::Ready => Ok(running),
                    WorkerMessage::Refused(e) => Err(WorkerExit::Refused(e)),
                    WorkerMessage::Broke(words) => Err(WorkerExit::Broke(words)),
                    _ => Err(WorkerExit::Garbage("it did not say that it was ready".into())),
                };
            }
        };
        Ok(self.running.insert(running))
    }

    fn stop(&mut self, end: &WorkerExit) -> (Option<std::process::ExitStatus>, String) {
        // One that is dying by itself is given the time to say of what.
        self.running.take().map_or((None, String::new()), |r| r.process.end(matches!(end, WorkerExit::Died)))
    }
}

impl Running {
    fn send<T: Serialize>(&self, ask: &HostMessage<T>) -> Result<(), WorkerExit> {
        self.process.send(line(ask).map_err(|e| WorkerExit::Garbage(e.to_string()))?);
        Ok(())
    }

    fn receive(&self, watch: &Deadline<'_>) -> Result<WorkerMessage, WorkerExit> {
        receive(&self.process, watch)
    }
}

/// The first line of a worker: how it is restricted.
fn restrictions(process: &Process, cancelled: &dyn Fn() -> bool) -> Result<Restrictions, WorkerExit> {
    let watch = Deadline { limit: Some(STARTING), until: Instant::now().checked_add(STARTING), cancelled };
    match receive(process, &watch)? {
        WorkerMessage::Restricted(restrictions) => Ok(restrictions),
        _ => Err(WorkerExit::Garbage("it did not say how it is restricted".into())),
    }
}

/// What the worker says next.
fn receive(process: &Process, watch: &Deadline<'_>) -> Result<WorkerMessage, WorkerExit> {
    loop {
        let left = watch.until.map(|u| u.saturating_duration_since(Instant::now()));
        match process.receive(left.map_or(PULSE, |l| l.min(PULSE))) {
            Some(Ok(Some(line))) => {
                return serde_json::from_slice(&line).map_err(|e| WorkerExit::Garbage(e.to_string()));
            }
            Some(Ok(None)) => return Err(WorkerExit::Died),
            Some(Err(e)) if e.kind() == std::io::ErrorKind::InvalidData => {
                return Err(WorkerExit::Flood(e.to_string()));
            }
            Some(Err(_)) => return Err(WorkerExit::Died),
            None if (watch.cancelled)() => return Err(WorkerExit::Cancelled),
            None if left.is_some_and(|l| l.is_zero()) => {
                let limit = watch.limit.unwrap_or_default().as_millis();
                return Err(WorkerExit::Hung(u64::try_from(limit).unwrap_or(u64::MAX)));
            }
            None => {}
        }
    }
}

/// Makes the calls that a worker asks for; the line to answer with.
fn called(
    header: &Header,
    asked: Vec<OneCall>,
    tools: &mut dyn Tools,
    watch: &Deadline<'_>,
    calls: &mut Vec<Call>,
) -> Result<Vec<u8>, WorkerExit> {
    if asked.len() > MAX_PARALLEL_CALLS {
        return Err(WorkerExit::Garbage(format!("more than {MAX_PARALLEL_CALLS} calls at once")));
    }
    if calls.len().saturating_add(asked.len()) as u64 > header.limits.tool_calls {
        return Err(WorkerExit::Garbage(format!("more calls than tool_calls = {}", header.limits.tool_calls)));
    }
    let args = |c: &OneCall| {
        json::parse_text(c.args.text(), &header.limits)
            .map_err(|e| WorkerExit::Garbage(format!("arguments of {}: {e}", c.name)))
    };
    let values = asked.iter().map(args).collect::<Result<Vec<_>, WorkerExit>>()?;
    let each = asked.iter().zip(&values).map(|(c, args)| ToolRequest { id: c.id, name: &c.name, args });
    let start = Instant::now();
    let left = watch
        .until
        .filter(|_| header.limits.wall_ms > 0)
        .map(|u| u.saturating_duration_since(start).saturating_sub(GRACE));
    let left_ms = left.map(|l| u64::try_from(l.as_millis()).unwrap_or(u64::MAX));
    let wait = CallDeadline { cancelled: watch.cancelled, left_ms, limits: &header.limits };
    let answers = tools.call_many(&each.collect::<Vec<_>>(), &wait);
    let ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut answers = answers.into_iter().map(|a| answer(header, a));
    let together = asked.first().map(|c| c.id).filter(|_| asked.len() > 1);
    let (mut said, mut bytes, mut big) = (Vec::with_capacity(asked.len()), 0_usize, None);
    for OneCall { id, name, args } in asked {
        let answer = answers.next().unwrap_or_else(|| Err("nobody answered".to_owned()));
        bytes = bytes.saturating_add(answer.as_ref().map_or(WORDS, |j| j.text().len().saturating_add(16)));
        let fits = bytes as u64 <= most(&header.limits);
        let (result, error) = match &answer {
            Ok(json) => (Some(json.clone()).filter(|_| fits), None),
            Err(words) => (None, Some(words.clone())),
        };
        big = big.or_else(|| (!fits).then(|| name.clone()));
        let known = error.as_ref().and_then(|_| tools.failure(id)).and_then(|v| json::to_text(&v).ok());
        let failure = known.and_then(Json::new);
        said.push(answer.map_err(|words| Failure { words, known: failure.clone() }));
        calls.push(Call { id, name, args, result, error, failure, ms, together, decided: None });
    }
    match big {
        Some(tool) => Err(WorkerExit::Big(tool)),
        None => line(&HostMessage::<TurnRecord>::Answers(said)).map_err(|e| WorkerExit::Garbage(e.to_string())),
    }
}

/// How long to wait.
struct Deadline<'a> {
    limit: Option<Duration>,
    until: Option<Instant>,
    cancelled: &'a dyn Fn() -> bool,
}

/// The longest that a turn may go without an answer. Processor time passes slower than the clock on a busy machine.
fn time(limits: &Limits) -> Option<Duration> {
    let ms = match (limits.wall_ms, limits.cpu_ms) {
        (0, 0) => return None,
        (0, cpu) => cpu.saturating_mul(20),
        (wall, _) => wall,
    };
    // A year is for ever, and does not overflow any clock.
    Some(Duration::from_millis(ms.min(365 * 24 * 3_600_000)).saturating_add(GRACE))
}

fn begin<T>(session: &Session, turns: Vec<T>) -> Result<Begin<T>, WorkerExit> {
    let json = |(name, v): &(String, Value)| {
        let text = json::to_text(v).map_err(|e| LispError::new(e.kind, format!("the input {name}: {}", e.message)))?;
        let json =
            Json::new(text).ok_or_else(|| LispError::new(ErrorKind::Value, format!("the input {name} is no JSON")))?;
        Ok((name.clone(), json))
    };
    let trace = session.trace();
    Ok(Begin {
        header: Header::clone(&trace.header),
        inputs: session.inputs().iter().map(json).collect::<Result<_, LispError>>().map_err(WorkerExit::Refused)?,
        turns,
        acts: trace.acts().iter().map(|a| Act::clone(a)).collect(),
        open_ended: session.open_ended(),
    })
}

/// The calls of a record are those that were made here. Of an answer that the session could not take it says nothing.
fn settle(said: &mut Vec<Call>, made: &mut Vec<Call>) -> Result<(), WorkerExit> {
    let same = |(a, b): (&Call, &Call)| a.id == b.id && a.name == b.name && a.args == b.args;
    if said.len() != made.len() || !said.iter().zip(made.iter()).all(same) {
        return Err(WorkerExit::Garbage("its record has other tool calls than were made".to_owned()));
    }
    let null = |j: &Option<Json>| j.as_ref().is_some_and(|j| j.text() == "null");
    for (said, made) in said.iter().zip(made.iter_mut()) {
        if null(&said.result) {
            made.result.clone_from(&said.result);
        }
    }
    *said = std::mem::take(made);
    Ok(())
}

/// What a tool answered, as it is sent to the worker.
fn answer(header: &Header, answer: Result<Value, String>) -> Result<Json, String> {
    let limit = usize::try_from(most(&header.limits)).unwrap_or(usize::MAX);
    let mut value = answer.map_err(|words| cut(words, WORDS))?;
    if value.depth() > header.limits.data_depth {
        value = crate::json_depth::too_deep(header.limits.data_depth);
    }
    match json::to_text_within(&value, false, limit) {
        Ok(Some(text)) => Json::new(text).ok_or_else(|| "the answer is no JSON".to_owned()),
        // Longer than any line: the caller sees that by its length.
        Ok(None) => Ok(Json::new(format!("\"{}\"", " ".repeat(limit))).unwrap_or_default()),
        Err(e) => Err(cut(e.message, WORDS)),
    }
}
