//! The one error of the agent: a kind to match, the place it is about, words that say what happened and what to do next.

use ptc_history::ViewError;
use ptc_history::conversation::AppendError;
use ptc_history::policy::PolicyError;
use ptc_lisp::escape;
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
#[derive(Clone)]
pub struct Error(Box<Inner>);

/// The line that it reads as, which is what `fn main() -> Result<(), Error>` prints; `{:#?}` has its parts.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { f.debug_tuple("Error").field(&self.0).finish() } else { write!(f, "{self}") }
    }
}

#[derive(Clone, Debug)]
struct Inner {
    kind: ErrorKind,
    /// From the outermost to the innermost.
    places: Vec<String>,
    /// All of them, `OUTER: INNER`.
    place: Option<String>,
    text: ErrorText,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// What an error says: what happened, and what to do next where something can be done.
///
/// A literal may hold both, `"MESSAGE; HINT"`, and [`error_text!`](crate::error_text) makes both from what is known when
/// the program runs. A `String` is a message as a whole: it may hold words of others, and their semicolons part nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorText {
    message: String,
    hint: Option<String>,
}

impl ErrorText {
    /// What happened, and what to do next.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        ErrorText { message: message.into(), hint: Some(hint.into()) }
    }

    /// An error of another crate that ends in this hint.
    pub(crate) fn of(error: impl fmt::Display, hint: Option<&str>) -> Self {
        let text = error.to_string();
        match hint.and_then(|hint| Some((text.strip_suffix(hint)?.strip_suffix("; ")?, hint))) {
            Some((message, hint)) => Self::new(message, hint),
            None => text.into(),
        }
    }

    /// The same with `prefix` directly in front of its message.
    #[must_use]
    pub(crate) fn prefixed(mut self, prefix: &str) -> Self {
        self.message.insert_str(0, prefix);
        self
    }

    /// The same on one line, nothing in it that a terminal would obey.
    #[must_use]
    pub(crate) fn line(self) -> Self {
        let line = |text: &str| escape::line(text).to_string();
        ErrorText { message: line(&self.message), hint: self.hint.as_deref().map(line) }
    }

    /// The same message after these words: `PREFIX: MESSAGE; HINT`.
    #[must_use]
    pub(crate) fn after(mut self, prefix: impl fmt::Display) -> Self {
        self.message = format!("{prefix}: {}", self.message);
        self
    }
}

/// A literal: what follows its last semicolon is the hint.
impl From<&'static str> for ErrorText {
    fn from(text: &'static str) -> Self {
        match text.rsplit_once("; ") {
            Some((message, hint)) => Self::new(message, hint),
            None => ErrorText { message: text.to_owned(), hint: None },
        }
    }
}

impl From<String> for ErrorText {
    fn from(message: String) -> Self {
        ErrorText { message, hint: None }
    }
}

/// The text of an error with its place.
impl From<Error> for ErrorText {
    fn from(e: Error) -> Self {
        Self::from(&e)
    }
}

impl From<&Error> for ErrorText {
    fn from(e: &Error) -> Self {
        match e.place() {
            Some(place) => e.0.text.clone().after(place),
            None => e.0.text.clone(),
        }
    }
}

impl From<ptc_lisp::error::Error> for ErrorText {
    fn from(e: ptc_lisp::error::Error) -> Self {
        ErrorText { message: e.message, hint: e.hint }
    }
}

impl From<ViewError> for ErrorText {
    fn from(e: ViewError) -> Self {
        Self::of(&e, e.hint())
    }
}

impl From<PolicyError> for ErrorText {
    fn from(e: PolicyError) -> Self {
        Self::of(&e, e.hint())
    }
}

impl fmt::Display for ErrorText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hint {
            Some(hint) => write!(f, "{}; {hint}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// The text of an error, a message and a hint, each written as for [`format!`]:
///
/// ```
/// use ptc_agent::{Error, ErrorKind, error_text};
///
/// let name = "a; b";
/// let error = Error::new(ErrorKind::File, error_text!("there is no file {name}"; "check its name"));
/// assert_eq!((error.message(), error.hint()), ("there is no file a; b", Some("check its name")));
/// ```
#[macro_export]
macro_rules! error_text {
    ($($message:expr),+ ; $($hint:expr),+ $(,)?) => {
        $crate::ErrorText::new(format!($($message),+), format!($($hint),+))
    };
}

/// What an [`Error`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A task file, or what it says, is not what it should be.
    Task,
    /// The program gave up with `(fail reason)`.
    Failed,
    /// No turn was left.
    OutOfTurns,
    /// The session has ended.
    Ended,
    /// A request could not be held to `max_tokens` or `max_history_size`, or a session to `session_bytes`.
    Budget,
    /// A turn that is run again makes other calls than were made.
    Replay,
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
    /// A limit of the whole run is used up; the session can go on with a higher one.
    RunLimit,
    /// A worker process cannot be used.
    Worker,
    /// Threads or connections of this process cannot be had, or it is called where it cannot run.
    Runtime,
    /// A call waits for somebody's decision.
    Pending,
    /// The session is not at a point where this could be asked of it.
    Session,
    /// It was cancelled.
    Cancelled,
    /// A command was called with what it does not take.
    Usage,
}

impl ErrorKind {
    /// Its name as the reason why a run did not return, in the JSON of `ptc run` (docs/cli.md): what keeps a run from
    /// beginning is `usage`.
    pub fn run_error(self) -> &'static str {
        match self {
            ErrorKind::Failed => "failed",
            ErrorKind::OutOfTurns => "out_of_turns",
            ErrorKind::Cancelled => "cancelled",
            ErrorKind::Model { .. } => "model",
            ErrorKind::Budget => "budget",
            ErrorKind::History | ErrorKind::Summary => "history",
            ErrorKind::Act => "act",
            ErrorKind::Trace => "store",
            ErrorKind::Pending => "pending",
            ErrorKind::Replay => "replay",
            ErrorKind::Runtime => "runtime",
            ErrorKind::RunLimit => "limit",
            _ => "usage",
        }
    }
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
    /// An error of this kind. The text may hold names and values of files: invisible characters in it, and those that
    /// control a terminal, are shown as `\u{...}`.
    pub fn new(kind: ErrorKind, text: impl Into<ErrorText>) -> Self {
        let ErrorText { message, hint } = text.into();
        let text = ErrorText { message: shown(message), hint: hint.map(shown) };
        Error(Box::new(Inner { kind, places: Vec::new(), place: None, text, source: None }))
    }

    /// An error of a model, for models of one's own: nothing is known of it but this text.
    pub fn model(text: impl Into<ErrorText>) -> Self {
        Self::of_model(ModelErrorKind::Other, text)
    }

    /// An error of a model before anything was sent.
    pub(crate) fn of_model(reason: ModelErrorKind, text: impl Into<ErrorText>) -> Self {
        Self::new(ErrorKind::Model { reason, status: None, tries: 0 }, text)
    }

    /// The same with this hint, after the one that it has.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        let hint = shown(hint.into());
        self.0.text.hint = Some(match self.0.text.hint.take() {
            None => hint,
            Some(first) => format!("{first}; {hint}"),
        });
        self
    }

    /// What this build cannot do: it was made without this feature.
    #[allow(dead_code)] // With all features nothing is missing.
    pub(crate) fn without_feature(kind: ErrorKind, what: &str, feature: &str) -> Self {
        let hint = format!("build ptc-agent, or ptc, with the feature {feature}");
        Self::new(kind, ErrorText::new(format!("{what}: this program was built without the feature {feature}"), hint))
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
        self.0.text.message.is_empty() && self.0.place.is_none()
    }

    /// The same, said of a place: `task.toml:12: ...`.
    #[must_use]
    pub fn at(mut self, place: &str) -> Self {
        if !self.is_told() {
            self.0.places.insert(0, shown(place.to_owned()));
            self.0.place = Some(self.0.places.join(": "));
        }
        self
    }

    /// The same with these words before its message, behind its place.
    #[must_use]
    pub(crate) fn after(mut self, prefix: &str) -> Self {
        self.0.text = self.0.text.after(prefix);
        self
    }

    /// The same as an error of another kind.
    #[must_use]
    pub(crate) fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// The same as an error of this kind, whose source is this one; itself, if it is of that kind.
    #[must_use]
    pub(crate) fn into_kind(self, kind: ErrorKind) -> Self {
        if std::mem::discriminant(&self.kind()) == std::mem::discriminant(&kind) {
            return self;
        }
        let mut outer = self.clone().of_kind(kind);
        outer.0.source = Some(Arc::new(self));
        outer
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
        let text = match e.kind() {
            K::NotFound => "there is no such file; check the name".into(),
            K::PermissionDenied => error_text!("cannot {doing} it, permission denied"; "check who may"),
            K::IsADirectory => "that is a folder; name a file in it".into(),
            _ => ErrorText::from(format!("cannot {doing} it: {e}")),
        };
        let source = match e.raw_os_error() {
            Some(code) => std::io::Error::from_raw_os_error(code),
            None => std::io::Error::new(e.kind(), e.to_string()),
        };
        Self::file(path, text).with_source(source)
    }

    /// What is wrong with a file.
    pub(crate) fn file(path: &Path, text: impl Into<ErrorText>) -> Self {
        Self::new(ErrorKind::File, text).at(&path.display().to_string())
    }

    /// What it is about, to be matched.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Where it is: a file, a line of it (`task.toml:12`), an act.
    pub fn place(&self) -> Option<&str> {
        self.0.place.as_deref()
    }

    /// The parts of [`Error::place`], the outermost first: an act, and the file that it could not read.
    pub fn places(&self) -> &[String] {
        &self.0.places
    }

    /// What happened, without its place and its hint.
    pub fn message(&self) -> &str {
        &self.0.text.message
    }

    /// What to do next, where there is something to be done.
    pub fn hint(&self) -> Option<&str> {
        self.0.text.hint.as_deref()
    }

    /// All of it in one line, as [`fmt::Display`] writes it: `PLACE: MESSAGE; HINT`.
    pub fn text(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.place {
            None => self.0.text.fmt(f),
            Some(place) => write!(f, "{place}: {}", self.0.text),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|s| &**s as &(dyn std::error::Error + 'static))
    }
}

impl From<ViewError> for Error {
    fn from(e: ViewError) -> Self {
        let kind = match e {
            ViewError::SystemOverBudget { .. }
            | ViewError::PinnedOverBudget { .. }
            | ViewError::PinnedOverSize { .. } => ErrorKind::Budget,
            _ => ErrorKind::History,
        };
        Error::new(kind, ErrorText::of(&e, e.hint()).after("the request cannot be made")).with_source(e)
    }
}

impl From<PolicyError> for Error {
    fn from(e: PolicyError) -> Self {
        Error::new(ErrorKind::Setting, ErrorText::of(&e, e.hint())).with_source(e)
    }
}

impl From<AppendError> for Error {
    fn from(e: AppendError) -> Self {
        Error::new(ErrorKind::History, ErrorText::of(&e, e.hint())).with_source(e)
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
    fn what_main_prints_is_the_line_that_it_reads_as() {
        let error = Error::new(ErrorKind::File, error_text!("there is no such file"; "check its name")).at("a.csv");
        assert_eq!(format!("{error:?}"), "a.csv: there is no such file; check its name");
        assert_eq!(format!("{:?}", Err::<(), _>(error.clone())), format!("Err({error})"));
        let parts = format!("{error:#?}");
        assert!(parts.lines().count() > 5 && parts.contains("kind: File"), "{parts}");
    }

    #[test]
    fn it_reads_as_one_line_and_comes_apart() {
        let e = Error::new(ErrorKind::Task, "no such key: promt; did you mean prompt?").at("task.toml:3").at("batch");
        assert_eq!(e.to_string(), "batch: task.toml:3: no such key: promt; did you mean prompt?");
        assert_eq!((e.place(), e.message()), (Some("batch: task.toml:3"), "no such key: promt"));
        assert_eq!((e.hint(), e.kind()), (Some("did you mean prompt?"), ErrorKind::Task));
        assert_eq!(Error::new(ErrorKind::Tool, "gone").hint(), None);
        // What others wrote parts nothing, and a hint is added behind the one that is there.
        let theirs = "they said: a; b".to_owned();
        let e = Error::new(ErrorKind::Model { reason: ModelErrorKind::Other, status: None, tries: 1 }, theirs.clone());
        assert_eq!((e.message(), e.hint()), ("they said: a; b", None));
        let e = Error::new(ErrorKind::Tool, error_text!("{theirs}"; "ask {}", "again")).with_hint("or not");
        assert_eq!((e.message(), e.hint()), ("they said: a; b", Some("ask again; or not")));
        let outer = Error::new(ErrorKind::Act, ErrorText::from(&e.clone().at("here")).after("act x")).at("t");
        assert_eq!(outer.to_string(), "t: act x: here: they said: a; b; ask again; or not");
        assert_eq!(outer.hint(), e.hint());
        let kinds = [ErrorKind::Trace, ErrorKind::File].map(|kind| e.clone().into_kind(kind));
        assert!(kinds.iter().all(|k| k.source().and_then(|s| s.downcast_ref::<Error>()) == Some(&e)));
        assert!(e.clone().into_kind(ErrorKind::Tool).source().is_none());
        assert_eq!(Error::new(ErrorKind::File, "a\u{1b}b").at("x\u{202e}").to_string(), "x\\u{202e}: a\\u{1b}b");
        assert_ne!(Error::new(ErrorKind::Tool, "gone"), Error::new(ErrorKind::Task, "gone"));
        assert_eq!(Error::told().at("here"), Error::told());
    }

    /// What files and options say stays in the message, however many semicolons it has.
    #[test]
    fn words_of_others_are_never_parted() {
        let parts = |e: Error| (e.message().to_owned(), e.hint().map(str::to_owned));
        let mut policy = ptc_history::Policy::default();
        let e = policy.set("strategy", &"a; b".into()).unwrap_err();
        let (message, hint) = parts(e.into());
        assert!(message.ends_with("got \"a; b\"") && hint.is_none(), "{message} / {hint:?}");
        let e = policy.set("strategy", &"aut; o".into()).map_err(Error::from).unwrap_err();
        assert!(e.message().ends_with("got \"aut; o\""), "{e:?}");
        let e = policy.set("a; b", &1.into()).map_err(Error::from).unwrap_err();
        assert_eq!(e.message(), "unknown history option a; b");
        assert!(e.hint().unwrap().starts_with("options are strategy, when, "));
        let e = ViewError::Missing("they said: a; b".into());
        assert_eq!(parts(e.into()), ("the request cannot be made: they said: a; b".to_owned(), None));
        let e = ViewError::PinnedOverSize { max_history_size: 2, pinned: 3 };
        let words = "the request cannot be made: max_history_size is 2, and 3 messages may not be dropped";
        assert_eq!(parts(e.into()), (words.to_owned(), Some("raise it".to_owned())));
        let e = AppendError::IdUsed("a; b".into());
        assert_eq!(Error::from(e).hint(), Some("give each call an id of its own"));
        let e = "[a; b]".parse::<ptc_lisp::types::Type>().unwrap_err();
        let text = ErrorText::of(&e, Some(e.hint()));
        assert!(text.message.contains("a; b]") && text.hint.unwrap().starts_with("types are string"), "{e}");
    }

    /// Each hint that another crate names is the end of its words.
    #[test]
    fn hints_of_other_crates_end_their_words() {
        use ptc_turns::TurnRefused;
        let views = [
            ViewError::SystemOverBudget { max_tokens: 1, system: 2 },
            ViewError::PinnedOverBudget { max_tokens: 1, pinned: 2 },
            ViewError::PinnedOverSize { max_history_size: 1, pinned: 2 },
        ];
        let appends = [
            AppendError::Empty,
            AppendError::IdUsed("x".into()),
            AppendError::Misplaced { role: ptc_history::Role::User, block: "call", mend: "give it to the model" },
        ];
        let refused = [TurnRefused::Full { session_bytes: 1 }, TurnRefused::ActDue { next: "x".into() }];
        let policies = [("strategy", "slidng_window"), ("zzz", ""), ("history_retention", "")]
            .map(|(key, value)| ptc_history::Policy::default().set(key, &value.into()).unwrap_err());
        let all = views.iter().map(|e| (e.to_string(), e.hint()));
        let all = all.chain(appends.iter().map(|e| (e.to_string(), e.hint())));
        let all = all.chain(refused.iter().map(|e| (e.to_string(), e.hint())));
        let all = all.chain(policies.iter().map(|e| (e.to_string(), e.hint())));
        for (text, hint) in all {
            let hint = hint.unwrap_or_else(|| panic!("{text} has no hint"));
            assert!(text.ends_with(&format!("; {hint}")), "{text} / {hint}");
            assert_eq!(ErrorText::of(&text, Some(hint)).hint.as_deref(), Some(hint), "{text}");
        }
    }

    #[test]
    fn places_come_apart() {
        let e = Error::new(ErrorKind::Task, "gone").at("a: b.toml:3").at("act x");
        assert_eq!((e.place(), e.places()), (Some("act x: a: b.toml:3"), &["act x".into(), "a: b.toml:3".into()][..]));
        assert_eq!(ErrorKind::Runtime.run_error(), "runtime");
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
