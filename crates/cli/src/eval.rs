//! `ptc eval`: programs, each a turn of one session.

use crate::args::EvalArgs;
use crate::io::{Io, RED, Stop, indented};
use crate::{DONE, FAILED, batch, test_tools, worker};
use ptc_agent::{HostClock, Isolated, Problem, Toolbox, agent, inputs, settings, toolbox};
use ptc_lisp::error::{Error, ErrorKind};
use ptc_turns::record::{Fault, Usage};
use ptc_turns::{Config, Session, Status, TurnRecord, World};
use serde::Serialize;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::rc::Rc;

/// Runs the command.
pub fn eval(a: &EvalArgs, io: &mut Io<'_>) -> Result<i32, Stop> {
    let mut room = Room::new(a)?;
    if a.batch {
        return batch::batch(a, room, io);
    }
    let mut code = DONE;
    for source in sources(a)? {
        let answer = match source.read(io) {
            Ok(text) => room.run(&text),
            // A program that is no text is a turn that failed, for those who count lines.
            Err(p) if a.json && p.0.contains("not UTF-8") => Answer::refused(ErrorKind::Parse, &p.0),
            Err(p) => return Err(p.into()),
        };
        code = if answer.failed() { FAILED } else { DONE };
        if a.json {
            writeln!(io.out, "{}", answer.json())?;
        } else {
            answer.show(io)?;
        }
        io.out.flush()?;
    }
    Ok(code)
}

enum Source<'a> {
    Expr(&'a str),
    File(&'a Path),
    Stdin,
}

impl Source<'_> {
    fn read(&self, io: &mut Io<'_>) -> Result<String, Problem> {
        match self {
            Source::Expr(e) => Ok((*e).to_owned()),
            Source::File(f) => ptc_agent::problem::read_text(f),
            Source::Stdin => io.read_stdin(),
        }
    }
}

fn sources(a: &EvalArgs) -> Result<Vec<Source<'_>>, Problem> {
    let mut all: Vec<Source<'_>> = a.expr.iter().map(|e| Source::Expr(e)).collect();
    for f in &a.files {
        if f.as_os_str() == "-" {
            all.push(Source::Stdin);
        } else if f.is_file() || std::fs::metadata(f).is_ok_and(|m| !m.is_dir()) {
            all.push(Source::File(f));
        } else {
            // Before anything runs: a turn that ran cannot be taken back.
            ptc_agent::problem::read_bytes(f)?;
        }
    }
    if all.is_empty() {
        return Err(Problem::new("nothing to run; give a FILE, -e EXPR, or - for standard input"));
    }
    Ok(all)
}

/// Where turns run.
enum Place {
    Here(Box<Session>),
    Apart(Box<Isolated>),
}

impl Place {
    fn session(&self) -> &Session {
        match self {
            Place::Here(s) => s,
            Place::Apart(i) => i.session(),
        }
    }

    fn fork(&self) -> Self {
        match self {
            Place::Here(s) => Place::Here(Box::new(s.fork())),
            Place::Apart(i) => Place::Apart(Box::new(i.fork())),
        }
    }
}

/// A session and its tools.
pub struct Room {
    place: Place,
    tools: Toolbox,
    /// What every session here is made from.
    config: Rc<Config>,
    test_tools: bool,
}

impl Room {
    fn new(a: &EvalArgs) -> Result<Self, Problem> {
        let limits = a.limits.as_deref().map(settings::limits_file).transpose()?.unwrap_or_default();
        let mut given = Vec::new();
        for ctx in &a.ctx {
            let Some((name, file)) = ctx.split_once('=').filter(|(n, f)| !n.is_empty() && !f.is_empty()) else {
                return Err(Problem::new(format!("--ctx {ctx}: write NAME=FILE.json")));
            };
            given.push(inputs::from_file(name, Path::new(file), file, &limits)?);
        }
        let tools = if a.test_tools { test_tools::toolbox(&limits) } else { Toolbox::new() };
        let config = Config { limits: limits.clone(), tools: tools.specs(), inputs: given, ..Config::programs() };
        let session = Session::new(config.clone());
        let place = match a.isolate {
            true => Place::Apart(Box::new(Isolated::of(session, worker::worker()?))),
            false => Place::Here(Box::new(session)),
        };
        Ok(Room { place, tools, config: Rc::new(config), test_tools: a.test_tools })
    }

    /// The same room with a session of its own.
    pub fn fork(&self) -> Self {
        let tools = if self.test_tools { test_tools::toolbox(&self.config.limits) } else { Toolbox::new() };
        Room { place: self.place.fork(), tools, config: self.config.clone(), test_tools: self.test_tools }
    }

    /// Runs a program as the next turn. Whatever happens in it, there is an answer.
    pub fn run(&mut self, program: &str) -> Answer {
        let turn = self.place.session().trace().turns().len() as u64 + 1;
        let (place, tools) = (&mut self.place, &mut self.tools);
        let ran = toolbox::quietly(AssertUnwindSafe(|| {
            let world = agent::world(place.session(), turn, tools, &|| false);
            let clock = HostClock::start();
            let world = World { clock: &clock, ..world };
            match place {
                Place::Here(session) => session.run(program, world).cloned(),
                Place::Apart(isolated) => isolated.run(program, world),
            }
        }));
        match ran {
            Ok(Ok(record)) => Answer::of(record),
            Ok(Err(ended)) => Answer::refused(ErrorKind::Denied, &ended.to_string()),
            Err(words) => {
                // Nobody knows what is left of it.
                let fresh = Session::new((*self.config).clone());
                self.place = match &self.place {
                    Place::Here(_) => Place::Here(Box::new(fresh)),
                    Place::Apart(i) => Place::Apart(Box::new(Isolated::of(fresh, i.worker().another()))),
                };
                let words =
                    format!("a fault of ours, please report it with the program; the session starts anew: {words}");
                Answer::refused(ErrorKind::Internal, &words)
            }
        }
    }
}

/// What a turn of `ptc eval` answers.
pub enum Answer {
    /// It ran.
    Ran(Box<TurnRecord>),
    /// It could not.
    Refused(Fault),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Line<'a> {
    Ok { status: &'static str, value: &'a str, output: String, defined: Vec<&'a str>, usage: &'a Usage },
    Error { status: &'static str, error: ErrorLine<'a>, output: String },
}

#[derive(Serialize)]
struct ErrorLine<'a> {
    kind: ErrorKind,
    message: &'a str,
    line: Option<u64>,
    column: Option<u64>,
    hint: Option<&'a str>,
}

impl Answer {
    fn of(record: TurnRecord) -> Self {
        Answer::Ran(Box::new(record))
    }

    /// An answer for what is no program.
    pub fn refused(kind: ErrorKind, words: &str) -> Self {
        Answer::Refused(Fault::new(&Error::new(kind, words), ""))
    }

    /// Whether the turn failed.
    pub fn failed(&self) -> bool {
        match self {
            Answer::Ran(r) => !r.status.committed(),
            Answer::Refused(_) => true,
        }
    }

    /// As one line of JSON.
    pub fn json(&self) -> String {
        let (fault, output) = match self {
            Answer::Refused(f) => (Some(f), String::new()),
            Answer::Ran(r) => (r.error.as_ref().filter(|_| self.failed()), r.printed.concat()),
        };
        let line = match (self, fault) {
            (_, Some(f)) => {
                let error = ErrorLine {
                    kind: f.kind,
                    message: &f.message,
                    line: f.line,
                    column: f.column,
                    hint: f.hint.as_deref(),
                };
                Line::Error { status: "error", error, output }
            }
            (Answer::Ran(r), None) => {
                let defined = r.definitions.iter().map(|d| d.name.as_str()).collect();
                Line::Ok { status: "ok", value: r.value.as_deref().unwrap_or("nil"), output, defined, usage: &r.usage }
            }
            (Answer::Refused(_), None) => return String::new(),
        };
        serde_json::to_string(&line).unwrap_or_default()
    }

    /// For people: the value is the result, all else goes to stderr.
    fn show(&self, io: &mut Io<'_>) -> Result<(), Stop> {
        match self {
            Answer::Refused(f) => io.error(&f.message),
            Answer::Ran(r) => {
                let printed = r.printed.concat();
                let _ = io.err.write_all(indented(&printed, "").as_bytes());
                if r.status.committed() {
                    writeln!(io.out, "{}", r.value.as_deref().unwrap_or("nil"))?;
                } else {
                    show_error(r, &printed, io);
                }
            }
        }
        Ok(())
    }
}

/// The report as the model would read it, its first word coloured.
fn show_error(r: &TurnRecord, printed: &str, io: &mut Io<'_>) {
    // The feedback is the printed text, the report, and the line of turns.
    let report: Vec<&str> =
        r.feedback.lines().skip_while(|l| !l.starts_with("Error: ")).filter(|l| !l.starts_with("Turn ")).collect();
    match (report.split_first(), &r.error) {
        (Some((first, rest)), _) => {
            let words = first.strip_prefix("Error: ").unwrap_or(first);
            io.say(&format!("{RED}Error:{RED:#} {words}"));
            rest.iter().for_each(|l| io.say(l));
        }
        (None, Some(e)) => io.error(&format!("{}: {}", e.kind.as_str(), e.message)),
        (None, None) if r.status == Status::Ok || !printed.is_empty() => {}
        (None, None) => io.error("the turn failed"),
    }
}
