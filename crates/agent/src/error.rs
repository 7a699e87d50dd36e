//! The one error of the agent: a kind to match, the place it is about, words that say what happened and what to do next.

use ptc_history::ViewError;
use ptc_history::conversation::AppendError;
use ptc_history::policy::PolicyError;
use ptc_lisp::escape;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// What kept the agent, a task or a command from doing its part.
///
/// It reads as one line, `PLACE: MESSAGE; HINT`, which is what the command line shows. Programs match on
/// [`Error::kind`]; [`std::error::Error::source`] is the error of the system or of a library below it, where there is one.
///
/// ```
/// use ptc_agent::{Environment, ErrorKind, ModelErrorKind, ProviderModel};
///
/// let error = ProviderModel::open("openai/gpt-5.1", &Environment::default()).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Model { reason: ModelErrorKind::NoKey, status: None, tries: 0 });
/// assert_eq!(error.message(), "openai/gpt-5.1 needs a key");
/// assert!(error.hint().unwrap().starts_with("set OPENAI_API_KEY"));
/// ```
#[derive(Clone, Debug)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    kind: ErrorKind,
    place: Option<String>,
    /// What happened and, behind its last semicolon, what to do next.
    words: String,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// What an [`Error`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A task file, or what it says, is not what it should be.
    Task,
    /// A setting: a policy, a limit, a variable of the environment, an option.
    Setting,
    /// An input of a task, or the value of a key in it, is not available.
    Input,
    /// A tool, a command or a server cannot be used.
    Tool,
    /// A model gave no answer.
    Model {
        /// Why.
        reason: ModelErrorKind,
        /// The status of the provider's last answer, where it gave one.
        status: Option<u16>,
        /// How often it was asked; 0 where nothing was sent.
        tries: u32,
    },
    /// A recording of a model or of tools cannot be read or written.
    Recording,
    /// A trace cannot be read, written, or continued.
    Trace,
    /// A request cannot be made of the history.
    History,
    /// A summary cannot be kept or found.
    Summary,
    /// An act could not begin.
    Act,
    /// A file cannot be read or written.
    File,
    /// A limit of the host was passed.
    Limit,
    /// A worker process cannot be used.
    Worker,
    /// Threads or connections of this process cannot be had, or it is called where it cannot run.
    Runtime,
    /// A call waits for somebody's decision.
    Pending,
    /// The session has ended, or is not where this could be asked of it.
    Session,
    /// It was cancelled.
    Cancelled,
    /// A command was called with what it does not take.
    Usage,
}

/// Why a model gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The name of a model that is none.
    Name,
    /// A variable of the environment, or a setting, that cannot be used.
    Setting,
    /// The provider's key is not in the environment.
    NoKey,
    /// The provider does not take the key (401, 403).
    Unauthorized,
    /// The provider has no such model, or nothing at this address (404).
    UnknownModel,
    /// Too many requests, still after all tries (429), or the wait that is asked for is longer than ours.
    RateLimited,
    /// The account has nothing left to spend.
    Quota,
    /// The provider is overloaded or broken, still after all tries (408, 5xx).
    Overloaded,
    /// Nobody answers at the address.
    Unreachable,
    /// It took too long.
    Timeout,
    /// The connection broke before the answer had ended.
    Disconnected,
    /// The answer is not in the form of the provider.
    Malformed,
    /// The answer is more than one may be; what was beyond that was not read.
    TooLarge,
    /// There is an answer, and nothing in it.
    Empty,
    /// The conversation is more than the model can read.
    TooLong,
    /// The provider refuses the request as it is (400 and its like).
    Refused,
    /// A recorded model has said all it has.
    OutOfReplies,
    /// A recorded reply was given to another prompt, and such a reply is not to be taken.
    OtherRequest,
    /// The answer is no such object as was asked for, after all repairs.
    Object,
    /// Anything else, in words.
    Other,
}

impl Error {
    /// An error of this kind. The words may hold names and values of files: what nobody sees of them, or what a terminal
    /// would obey, stands as `\u{...}`. What stands behind their last semicolon is the hint.
    pub fn new(kind: ErrorKind, words: impl Into<String>) -> Self {
        Error(Box::new(Inner { kind, place: None, words: shown(words.into()), source: None }))
    }

    /// An error of a model, for models of one's own: nothing is known of it but these words.
    pub fn model(words: impl Into<String>) -> Self {
        Self::of_model(ModelErrorKind::Other, words)
    }

    /// An error of a model before anything was sent.
    pub(crate) fn of_model(reason: ModelErrorKind, words: impl Into<String>) -> Self {
        Self::new(ErrorKind::Model { reason, status: None, tries: 0 }, words)
    }

    /// That it was cancelled.
    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "cancelled")
    }

    /// One that was noted where it was found, and is not to be told again.
    pub(crate) fn told() -> Self {
        Self::new(ErrorKind::Task, "")
    }

    /// Whether it was noted where it was found.
    pub(crate) fn is_told(&self) -> bool {
        self.0.words.is_empty() && self.0.place.is_none()
    }

    /// The same, said of a place: `task.toml:12: ...`.
    #[must_use]
    pub fn at(mut self, place: &str) -> Self {
        if !self.is_told() {
            let place = shown(place.to_owned());
            self.0.place = Some(match self.0.place.take() {
                None => place,
                Some(inner) => format!("{place}: {inner}"),
            });
        }
        self
    }

    /// The same as an error of another kind.
    #[must_use]
    pub(crate) fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// The same with the error that caused it.
    #[must_use]
    pub fn with_source(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// A file that could not be read, or written.
    pub fn io(path: &Path, doing: &str, e: &std::io::Error) -> Self {
        use std::io::ErrorKind as K;
        let words = match e.kind() {
            K::NotFound => "there is no such file; check the name".to_owned(),
            K::PermissionDenied => format!("cannot {doing} it, permission denied; check who may"),
            K::IsADirectory => "that is a folder; name a file in it".to_owned(),
            _ => format!("cannot {doing} it: {e}"),
        };
        let source = match e.raw_os_error() {
            Some(code) => std::io::Error::from_raw_os_error(code),
            None => std::io::Error::new(e.kind(), e.to_string()),
        };
        Self::file(path, words).with_source(source)
    }

    /// What is wrong with a file.
    pub(crate) fn file(path: &Path, words: impl Into<String>) -> Self {
        Self::new(ErrorKind::File, words).at(&path.display().to_string())
    }

    /// What it is about, to be matched.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Where it is: a file, a line of it (`task.toml:12`), an act.
    pub fn place(&self) -> Option<&str> {
        self.0.place.as_deref()
    }

    /// What happened, without its place and its hint.
    pub fn message(&self) -> &str {
        self.0.words.rsplit_once("; ").map_or(&self.0.words, |w| w.0)
    }

    /// What to do next, where there is something to be done.
    pub fn hint(&self) -> Option<&str> {
        self.0.words.rsplit_once("; ").map(|w| w.1)
    }

    /// All of it in one line, as [`fmt::Display`] writes it.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.0.place {
            None => Cow::Borrowed(&self.0.words),
            Some(place) => Cow::Owned(format!("{place}: {}", self.0.words)),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|s| &**s as &(dyn std::error::Error + 'static))
    }
}

impl From<ViewError> for Error {
    fn from(e: ViewError) -> Self {
        Error::new(ErrorKind::History, format!("the request cannot be made: {e}")).with_source(e)
    }
}

impl From<PolicyError> for Error {
    fn from(e: PolicyError) -> Self {
        Error::new(ErrorKind::Setting, e.to_string()).with_source(e)
    }
}

impl From<AppendError> for Error {
    fn from(e: AppendError) -> Self {
        Error::new(ErrorKind::History, e.to_string()).with_source(e)
    }
}

/// Two are equal when they are of one kind and read the same.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        self.kind() == other.kind() && self.text() == other.text()
    }
}

impl Eq for Error {}

/// Words in which what nobody sees, or what a terminal would obey, stands as `\u{...}`.
fn shown(words: String) -> String {
    let plain = |c: char| matches!(c, '\n' | '\t') || !escape::hidden(c);
    if words.chars().all(plain) {
        return words;
    }
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        if plain(c) { out.push(c) } else { escape::push(&mut out, c) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    #[test]
    fn it_reads_as_one_line_and_comes_apart() {
        let e = Error::new(ErrorKind::Task, "no such key: promt; did you mean prompt?").at("task.toml:3").at("batch");
        assert_eq!(e.to_string(), "batch: task.toml:3: no such key: promt; did you mean prompt?");
        assert_eq!((e.place(), e.message()), (Some("batch: task.toml:3"), "no such key: promt"));
        assert_eq!((e.hint(), e.kind()), (Some("did you mean prompt?"), ErrorKind::Task));
        assert_eq!(Error::new(ErrorKind::Tool, "gone").hint(), None);
        assert_eq!(Error::new(ErrorKind::File, "a\u{1b}b").at("x\u{202e}").to_string(), "x\\u{202e}: a\\u{1b}b");
        assert_ne!(Error::new(ErrorKind::Tool, "gone"), Error::new(ErrorKind::Task, "gone"));
        assert_eq!(Error::told().at("here"), Error::told());
    }

    #[test]
    fn what_the_system_said_is_its_source() {
        let e =
            std::fs::read("/no/such.file").map_err(|e| Error::io(Path::new("/no/such.file"), "read", &e)).unwrap_err();
        assert_eq!(e.to_string(), "/no/such.file: there is no such file; check the name");
        let source = e.source().and_then(|s| s.downcast_ref::<std::io::Error>()).map(std::io::Error::kind);
        assert_eq!(source, Some(std::io::ErrorKind::NotFound));
    }
}
