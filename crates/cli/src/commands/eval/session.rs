//! A session that takes programs as its turns, and what each of them answers.

use super::test_tools;
use crate::args::EvalArgs;
use crate::commands::run_source::{inputs, no_stdin, tell_notes};
use crate::commands::{settings, worker};
use crate::terminal::io::Io;
use ptc_agent::{Error, HostClock, Isolated, Task, Toolbox, host};
use ptc_lisp::error::{Error as LispError, ErrorKind};
use ptc_turns::trace::record::{ErrorRecord, MissedKey, Note, Usage};
use ptc_turns::{Config, Input, Json, Session, TurnContext, TurnRecord};
use serde::Serialize;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;

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
pub struct EvalSession {
    place: Place,
    tools: Toolbox,
    /// What every session here is made from.
    config: Rc<Config>,
    test_tools: bool,
}

/// Whether the programs come from standard input.
fn reads_stdin(a: &EvalArgs) -> bool {
    a.files.iter().any(|f| f.as_os_str() == "-") || (a.batch && a.files.is_empty())
}

impl EvalSession {
    /// The session that the options ask for.
    ///
    /// # Errors
    /// When a file of theirs cannot be read, or there is no worker.
    pub fn new(a: &EvalArgs, io: &mut Io<'_>) -> Result<Self, Error> {
        let mut over = settings::limits_alone(&a.settings, "eval")?;
        over.text(&["task", "prompt"], "-", "ptc eval");
        let mut task = Task::of_values(&over)?;
        if reads_stdin(a) {
            no_stdin(&a.inputs.ctx)?;
        }
        inputs(&a.inputs.ctx, io)?.into_iter().for_each(|input| task.give_input(input));
        let Config { limits, inputs, .. } = task.config()?;
        tell_notes(&inputs, io);
        let tools = if a.test_tools { test_tools::toolbox(&limits) } else { Toolbox::new() };
        let config = Config { limits, tools: tools.specs(), inputs, ..Config::programs() };
        let session = Session::new(config.clone());
        let place = match a.isolate {
            true => Place::Apart(Box::new(Isolated::of(session, worker::worker(io)?))),
            false => Place::Here(Box::new(session)),
        };
        Ok(EvalSession { place, tools, config: Rc::new(config), test_tools: a.test_tools })
    }

    /// A session with this input, the limits of `ptc eval` and no tools.
    pub fn over(input: Input) -> Self {
        let config = Config { inputs: vec![input], ..Config::programs() };
        let place = Place::Here(Box::new(Session::new(config.clone())));
        EvalSession { place, tools: Toolbox::new(), config: Rc::new(config), test_tools: false }
    }

    /// The same with a session of its own.
    pub fn fork(&self) -> Self {
        let tools = if self.test_tools { test_tools::toolbox(&self.config.limits) } else { Toolbox::new() };
        EvalSession { place: self.place.fork(), tools, config: self.config.clone(), test_tools: self.test_tools }
    }

    /// Runs a program as the next turn. Whatever happens in it, there is an answer.
    pub fn run(&mut self, program: &str) -> Answer {
        let turn = (self.place.session().trace().turns().len() as u64).saturating_add(1);
        let (place, tools) = (&mut self.place, &mut self.tools);
        let ran = host::catch_panic(AssertUnwindSafe(|| {
            let world = host::turn_context(place.session(), turn, tools, &|| false);
            let clock = HostClock::start();
            let world = TurnContext { clock: &clock, ..world };
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
    Refused(ErrorRecord),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Line<'a> {
    Ok {
        status: &'static str,
        value: &'a str,
        /// The value as JSON; null where it has no such form.
        json: Option<&'a Json>,
        output: String,
        defined: Vec<&'a str>,
        #[serde(skip_serializing_if = "<[Note]>::is_empty")]
        notes: &'a [Note],
        #[serde(skip_serializing_if = "<[MissedKey]>::is_empty")]
        missed_keys: &'a [MissedKey],
        usage: &'a Usage,
    },
    Error {
        status: &'static str,
        error: ErrorLine<'a>,
        output: String,
    },
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
        Answer::Refused(ErrorRecord::new(&LispError::new(kind, words), ""))
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
                let value = r.value.as_deref().unwrap_or("nil");
                Line::Ok {
                    status: "ok",
                    value,
                    json: r.value_json.as_ref(),
                    output,
                    defined,
                    notes: &r.notes,
                    missed_keys: &r.missed_keys,
                    usage: &r.usage,
                }
            }
            (Answer::Refused(_), None) => return String::new(),
        };
        serde_json::to_string(&line).unwrap_or_default()
    }
}
