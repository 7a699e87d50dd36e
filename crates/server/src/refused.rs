//! Why something was not done for a client, and what it can do next.

use ptc_agent::host::hide_paths;
use ptc_agent::{Error, ErrorKind};
use std::fmt;
use std::time::Duration;

/// What a refusal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RefusedKind {
    /// What was asked for cannot be understood, or has a value that it cannot have.
    Invalid,
    /// There is no such session, turn or task, or it is not this client's.
    NotFound,
    /// A limit of this client or of the session is reached.
    Limit,
    /// Too much is asked for at a time: it can be asked for again.
    Busy,
    /// The session does something else just now, or its last turn has not ended.
    Conflict,
    /// Another process writes the session's trace.
    Held,
    /// The server stops.
    Stopping,
    /// A file, a process or a model of the server's failed.
    Failed,
}

impl RefusedKind {
    /// Its name as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            RefusedKind::Invalid => "invalid",
            RefusedKind::NotFound => "not_found",
            RefusedKind::Limit => "limit",
            RefusedKind::Busy => "busy",
            RefusedKind::Conflict => "conflict",
            RefusedKind::Held => "held",
            RefusedKind::Stopping => "stopping",
            RefusedKind::Failed => "failed",
        }
    }
}

/// Why something was not done, and what to do next. Nothing has been lost. Where a turn broke off that had begun, it says so
/// ([`Refused::broke_off`]); else nothing was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    kind: RefusedKind,
    message: String,
    hint: Option<String>,
    retry_after: Option<Duration>,
    broke_off: Option<BrokeOff>,
}

/// Where something broke off that had begun.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BrokeOff {
    session: String,
    turn: u64,
}

impl Refused {
    /// A refusal in these words, with what to do next.
    pub fn new(kind: RefusedKind, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Refused { kind, message: message.into(), hint: Some(hint.into()), retry_after: None, broke_off: None }
    }

    pub(crate) fn busy(message: String, retry_after: Duration) -> Self {
        let hint = format!("try again in {} s", retry_after.as_secs().max(1));
        Refused { kind: RefusedKind::Busy, message, hint: Some(hint), retry_after: Some(retry_after), broke_off: None }
    }

    /// It can be asked for again after this long.
    #[must_use]
    pub(crate) fn after(mut self, retry_after: Duration) -> Self {
        self.retry_after = Some(retry_after);
        self
    }

    pub(crate) fn no_session(id: &str) -> Self {
        let shown = ptc_lisp::error::cut(ptc_lisp::escape::quoted(id).to_string(), 100);
        Self::new(
            RefusedKind::NotFound,
            format!("there is no session {shown}"),
            "begin one, and give the id that it has",
        )
    }

    pub(crate) fn stopping() -> Self {
        Self::new(RefusedKind::Stopping, "the server stops", "sessions are kept; go on when it runs again")
    }

    /// The same of a turn that had begun: so many calls of tools were made before.
    pub(crate) fn in_turn(mut self, turn: u64, calls: usize) -> Self {
        let made = match calls {
            0 => "no call of a tool was made".to_owned(),
            1 => "1 call of a tool was made".to_owned(),
            n => format!("{n} calls of tools were made"),
        };
        self.message = format!("turn {turn} broke off: {}; {made}", self.message);
        let before = self.hint.take().map_or_else(String::new, |hint| format!("{hint}; then "));
        self.hint = Some(format!(
            "{before}wait for the session: the turn goes on, and no call that has its answer is made again"
        ));
        self.broke_off = Some(BrokeOff { session: String::new(), turn });
        self
    }

    /// The same, of this session.
    pub(crate) fn of_session(mut self, id: &str) -> Self {
        if let Some(of) = &mut self.broke_off {
            id.clone_into(&mut of.session);
        }
        self
    }

    /// The session and its turn, where a turn had begun and could not be ended.
    pub fn broke_off(&self) -> Option<(&str, u64)> {
        self.broke_off.as_ref().map(|of| (of.session.as_str(), of.turn))
    }

    /// What it is about.
    pub fn kind(&self) -> RefusedKind {
        self.kind
    }

    /// What happened.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do next.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// When to try again, of what is [`RefusedKind::Busy`].
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hint {
            Some(hint) => write!(f, "{}; {hint}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Refused {}

/// Clients are told which file it is about, and not where that is on the server.
impl From<Error> for Refused {
    fn from(e: Error) -> Self {
        let held = e.kind() == ErrorKind::Trace && e.message().starts_with("another process");
        let kind = match e.kind() {
            _ if held => RefusedKind::Held,
            ErrorKind::Usage | ErrorKind::Input | ErrorKind::Setting => RefusedKind::Invalid,
            ErrorKind::Budget | ErrorKind::Limit | ErrorKind::RunLimit => RefusedKind::Limit,
            ErrorKind::Ended | ErrorKind::OutOfTurns | ErrorKind::Session | ErrorKind::Pending => RefusedKind::Conflict,
            _ => RefusedKind::Failed,
        };
        let place = e.place().filter(|_| !held).map_or_else(String::new, |p| format!("{p}: "));
        let hint = if held { Some("end that process, or wait for it".to_owned()) } else { e.hint().map(str::to_owned) };
        let message = if held { "another process is writing this session".to_owned() } else { e.message().to_owned() };
        let (message, hint) = (hide_paths(&format!("{place}{message}")), hint.map(|hint| hide_paths(&hint)));
        Refused { kind, message, hint, retry_after: None, broke_off: None }
    }
}
