//! PTC: a runtime for agents that write programs. A model writes Clojure on data, PTC runs it in a sandbox, turn by turn,
//! and each prompt is a view of one trace that is never cut.
//!
//! This is the library to depend on. [`Session`] runs programs and keeps what they define; [`Agent`] asks a model, runs
//! what it writes and calls [`Tool`]s, until there is an answer; [`history`] makes views of any conversation.
//!
//! ```
//! use ptc::{Config, Session, TurnContext};
//!
//! let mut session = Session::new(Config::programs());
//! session.run("(def prices [250 120 990])", TurnContext::without_host())?;
//! let turn = session.run("(reduce + prices)", TurnContext::without_host())?;
//! assert_eq!(turn.value.as_deref(), Some("1360"));
//! # Ok::<(), ptc::TurnRefused>(())
//! ```
//!
//! With the feature `agent`, which is on by default:
//!
#![cfg_attr(feature = "agent", doc = "```")]
#![cfg_attr(not(feature = "agent"), doc = "```ignore")]
//! use ptc::{Agent, Config, AsyncOutcome, ReplayModel, Session, Tool, Toolbox, Type, Value, arg};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), ptc::Error> {
//! let price = Tool::new("price", |args| match arg(&args, "item").as_str() {
//!     Some("pen") => Ok(Value::int(250)),
//!     _ => Err("no such item".to_owned()),
//! });
//! let tools = Toolbox::new().with(price.describe("Price in cents").param("item", Type::String));
//! let config = Config { prompt: "What do two pens cost?".into(), tools: tools.specs(), ..Config::default() };
//! let model = ReplayModel::parse("replies", "## Turn 1\n(return (* 2 (tool/price \"pen\")))")?;
//! let AsyncOutcome { end, .. } = Agent::new(Session::new(config), tools).run_async(model, ()).await?;
//! assert_eq!(end.value.as_deref(), Some("500"));
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! | feature | brings |
//! |---|---|
//! | `full` (default) | all of these |
//! | `agent` | [`Agent`], [`Tool`], task files, traces on disk, worker processes, [`chat`] |
//! | `http` | models of providers |
//! | `mcp` | tools of MCP servers |
//! | `sqlite` | inputs from SQLite databases, [`sessions`] that are kept, journals in SQLite |
//! | `schemas` | JSON schemas that answers are checked against |
//! | `vocabularies` | exact token counts for OpenAI's models |
//!
//! `default-features = false` builds a session alone: no client of a provider, no database, no server, no vocabulary.
#![cfg_attr(
    not(feature = "agent"),
    doc = "\n[`sessions`]: https://docs.rs/ptc\n[`Agent`]: https://docs.rs/ptc\n[`Tool`]: https://docs.rs/ptc\n[`chat`]: https://docs.rs/ptc"
)]

pub use ptc_lisp::interface::{Param, ToolSpec, Tools};
pub use ptc_lisp::limits::Limits;
pub use ptc_lisp::types::Type;
pub use ptc_lisp::value::Value;
pub use ptc_turns::policy::{ErrorRetention, Layout, SampleSyntax};
pub use ptc_turns::trace::record::{Call, ModelUsage, Usage};
pub use ptc_turns::trace::{DamagedLine, Loaded, TruncatedLine};
pub use ptc_turns::{
    Act, ActWords, Card, Check, Config, Header, IncrementalView, Input, Journal, Json, Libraries, LibraryError,
    LibraryWords, Mode, Policy, RunEnded, Session, Status, Trace, TurnContext, TurnRecord, TurnRefused, TurnText,
    messages,
};

/// Views of a conversation: messages, strategies, budgets, token counts and the forms of providers. It knows nothing of
/// programs; [`history::Policy`] is how any list of messages is shown, [`Policy`] how a session is.
///
/// ```
/// use ptc::history::{Conversation, Message, Policy, Strategy, ViewContext, view};
///
/// let mut talk = Conversation::new();
/// talk.push(Message::user("What is 1 + 1?"))?;
/// talk.push(Message::assistant("2"))?;
/// let policy = Policy { strategy: Strategy::Auto, ..Policy::default() };
/// assert_eq!(view(&talk, &policy, &ViewContext::default())?.messages().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod history {
    pub use ptc_history::conversation::{AppendError, Conversation};
    pub use ptc_history::policy::{Policy, PolicyError, Strategy, When};
    pub use ptc_history::view::summarizer::{Summarizer, SummaryCache, SummaryRequest};
    pub use ptc_history::view::{CustomStrategy, Event, Level, Selected, StrategyInput, TokenCounter, Tokens};
    pub use ptc_history::{
        Block, Format, FormatError, Message, Part, PartKind, Retention, Role, View, ViewContext, ViewError, view,
    };
    pub use ptc_history::{export, repair, report, tokens, wire};
}

#[cfg(feature = "agent")]
pub use ptc_agent::{
    Acts, Agent, AsyncOutcome, CallControl, CallDecision, Cancel, CountedAs, Environment, Error, ErrorKind, ErrorText,
    FnModel, HostClock, Isolated, KnownAnswer, Model, ModelErrorKind, ModelEvent, Observer, OnCrash, Pending,
    ProviderModel, RecordingModel, ReplayModel, Reply, Request, Retry, RunBudget, RunContext, RunLimitReached,
    RunLimits, RunOutcome, RunStatus, SentRequest, Settings, SubtaskEvent, SubtaskStep, Summaries, SummaryUsage, Task,
    TaskCheck, TokenCalibration, Tool, Toolbox, Totals, TraceFile, Verdict, Worker, arg, chat, model, tools, worker,
};

/// Where journals of sessions live: [`FileStore`](journal_store::FileStore), a database, or a store of one's own.
#[cfg(feature = "agent")]
pub use ptc_agent::journal_store;
#[cfg(feature = "sqlite")]
pub use ptc_agent::sessions;

/// The examples of docs/embedding.md compile and run.
#[cfg(all(doctest, feature = "full"))]
#[doc = include_str!("../../../docs/embedding.md")]
struct Embedding;

/// So does that of docs/howto/strategy.md.
#[cfg(all(doctest, feature = "full"))]
#[doc = include_str!("../../../docs/howto/strategy.md")]
struct StrategyPage;

/// So does that of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Those of docs/engines.md.
#[cfg(all(doctest, feature = "full"))]
#[doc = include_str!("../../../docs/engines.md")]
struct EnginesPage;

/// And the first one of docs/tools.md.
#[cfg(all(doctest, feature = "full"))]
#[doc = include_str!("../../../docs/tools.md")]
struct ToolsPage;
