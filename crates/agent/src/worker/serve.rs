//! The worker's side: a session and its memory, asked line by line, until the host goes away.

use super::limits;
use super::protocol::{Begin, Failure, HostMessage, OneCall, Turn, WorkerMessage, line, most, next};
use super::restrict::{Restrictions, restrict_process};
use crate::catch_panic::catch_panic;
use crate::clock::HostClock;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::interface::{CallDeadline, ToolRequest, Tools};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_turns::{Json, Session, Trace, TurnContext, TurnText};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::panic::AssertUnwindSafe;

/// Longest first line. It holds inputs and the trace, which are the host's own.
const FIRST: u64 = 4 << 30;

/// Restricts this process ([`restrict_process`]) and serves on its standard input and output, under limits of its own,
/// until the host closes them. Call it first thing in `main`: what is open by then is closed.
///
/// # Errors
/// When the host cannot be heard or told any more.
pub fn serve() -> io::Result<()> {
    serve_on(&mut io::stdin().lock(), &mut io::stdout().lock(), restrict_process())
}

/// Serves on these streams in a process that is restricted so far, which the host is told.
///
/// # Errors
/// When they break, or the host says what cannot be understood.
pub fn serve_on(from: &mut dyn BufRead, to: &mut dyn Write, restrictions: Restrictions) -> io::Result<()> {
    let mut wire = Wire { from, to, most: FIRST };
    wire.send(&WorkerMessage::Restricted(restrictions))?;
    let Some(HostMessage::Begin(begin)) = wire.receive()? else { return Ok(()) };
    let header = begin.header.clone();
    // What a tool answers is measured by the machine, as it is without a worker; the line has been bounded already, and how
    // deep it goes too.
    let roomy = Limits { memory_bytes: u64::MAX, data_depth: u32::MAX, ..header.limits.clone() };
    limits::for_life(&header.limits);
    wire.most = most(&header.limits);
    let mut session = match catch_panic(AssertUnwindSafe(|| restore(*begin))) {
        Ok(Ok(session)) => session,
        Ok(Err(e)) => return wire.send(&WorkerMessage::Refused(e)),
        Err(words) => return wire.send(&WorkerMessage::Broke(words)),
    };
    wire.send(&WorkerMessage::Ready)?;
    while let Some(ask) = wire.receive()? {
        let HostMessage::Turn(turn) = ask else { return Err(unexpected()) };
        limits::for_turn(&header.limits);
        let ran = catch_panic(AssertUnwindSafe(|| run(&mut session, &turn, &roomy, &mut wire)));
        match ran {
            Ok(Ok(say)) => wire.send(&say)?,
            Ok(Err(e)) => return Err(e),
            // Nobody knows what is left of the session.
            Err(words) => return wire.send(&WorkerMessage::Broke(words)),
        }
    }
    Ok(())
}

/// The session that the host has the trace of.
fn restore(begin: Begin) -> Result<Session, Error> {
    // What an input holds is the host's own; programs pay for what they copy of it.
    let roomy = Limits { memory_bytes: u64::MAX, ..begin.header.limits.clone() };
    let inputs = begin.inputs.into_iter().map(|(name, json)| Ok((name, json::parse_text(json.text(), &roomy)?)));
    let inputs = inputs.collect::<Result<_, Error>>()?;
    let mut trace = Trace::new(begin.header);
    let mut acts = begin.acts.into_iter().peekable();
    for turn in begin.turns {
        if let Some(act) = acts.next_if(|a| a.first_turn <= turn.turn) {
            trace.open(act);
        }
        trace.push(turn);
    }
    acts.for_each(|act| {
        trace.open(act);
    });
    let check = crate::schema_check::of_header(&trace.header)
        .map_err(|p| ptc_lisp::error::Error::new(ErrorKind::Corrupt, p.to_string()))?;
    let mut session = Session::from_trace(trace, inputs)?;
    session.set_check(check);
    session.set_open_ended(begin.open_ended);
    Ok(session)
}

fn run(session: &mut Session, turn: &Turn, limits: &Limits, wire: &mut Wire<'_>) -> io::Result<WorkerMessage> {
    let mut tools = Remote { wire, limits, broken: None, failures: HashMap::new() };
    let clock = HostClock::start();
    let world = TurnContext {
        clock: &clock,
        now_ms: turn.now_ms,
        seed: turn.seed,
        notice: turn.notice.clone(),
        ..TurnContext::with_tools(&mut tools)
    };
    let text = if turn.reply { TurnText::Reply(&turn.text) } else { TurnText::Program(&turn.text) };
    let say = match session.turn(text, world) {
        Ok(record) => WorkerMessage::Ran(Box::new(record.clone())),
        Err(ended) => WorkerMessage::Refused(Error::new(ErrorKind::Denied, ended.to_string())),
    };
    tools.broken.map_or(Ok(say), Err)
}

/// Tools on the other side of the pipe.
struct Remote<'a, 'w> {
    wire: &'a mut Wire<'w>,
    limits: &'a Limits,
    broken: Option<io::Error>,
    /// What else is known of calls that failed, by their numbers.
    failures: HashMap<u64, Json>,
}

impl Remote<'_, '_> {
    fn ask(&mut self, calls: Vec<OneCall>) -> io::Result<Vec<Result<Json, Failure>>> {
        let made = calls.len();
        self.wire.send(&WorkerMessage::Calls(calls))?;
        match self.wire.receive()? {
            Some(HostMessage::Answers(answers)) if answers.len() == made => Ok(answers),
            _ => Err(unexpected()),
        }
    }
}

impl Tools for Remote<'_, '_> {
    fn failure(&mut self, id: u64) -> Option<Value> {
        self.failures.remove(&id)?.value()
    }

    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String> {
        let limits = self.limits;
        let answers = self.call_many(&[ToolRequest { id, name, args }], &CallDeadline::forever(limits));
        answers.into_iter().next().unwrap_or_else(|| Err(GONE.to_owned()))
    }

    /// Asked together, so that the host can make them at the same time. It watches the clock and the user for us.
    fn call_many(&mut self, calls: &[ToolRequest<'_>], _: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        let all = |words: &str| calls.iter().map(|_| Err(words.to_owned())).collect();
        if self.broken.is_some() {
            return all(GONE);
        }
        let one = |c: &ToolRequest<'_>| {
            let args = json::to_text(c.args).ok().and_then(Json::new)?;
            Some(OneCall { id: c.id, name: c.name.to_owned(), args })
        };
        // The machine hands over nothing else.
        let Some(asked) = calls.iter().map(one).collect() else { return all("the arguments are no JSON") };
        match self.ask(asked) {
            Ok(answers) => {
                let limits = self.limits;
                let value = |json: Json| json::parse_text(json.text(), limits).map_err(|e| e.to_string());
                let answers = answers.into_iter().zip(calls).map(|(answer, call)| {
                    let json = answer.map_err(|f| {
                        self.failures.extend(f.known.map(|known| (call.id, known)));
                        f.words
                    });
                    json.and_then(value)
                });
                answers.collect()
            }
            Err(e) => {
                self.broken = Some(e);
                all(GONE)
            }
        }
    }
}

const GONE: &str = "the host has gone";

/// Both directions.
struct Wire<'a> {
    from: &'a mut dyn BufRead,
    to: &'a mut dyn Write,
    most: u64,
}

impl Wire<'_> {
    fn receive(&mut self) -> io::Result<Option<HostMessage>> {
        let Some(line) = next(self.from, self.most)? else { return Ok(None) };
        Ok(Some(serde_json::from_slice(&line)?))
    }

    fn send(&mut self, say: &WorkerMessage) -> io::Result<()> {
        self.to.write_all(&line(say)?)?;
        self.to.flush()
    }
}

fn unexpected() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the host said what nobody asked for")
}
