//! Models, tools, tasks and the loop: the floor that may touch files, clock and threads.
//!
//! A task is read from a folder, a model answers, each turn is kept:
//!
//! ```
//! use ptc_agent::{Agent, ReplayModel, Tool, Toolbox, arg};
//! use ptc_lisp::{types::Type, value::Value};
//! use ptc_turns::{Config, Policy, Session};
//!
//! let tools = Toolbox::new().with(
//!     Tool::new("price", |args| Ok(Value::Int(arg(&args, "item").as_str().map_or(0, |s| s.len() as i64 * 100))))
//!         .describe("Price of an item in cents")
//!         .param("item", Type::String)
//!         .returns(Type::Integer),
//! );
//! let config = Config { prompt: "What do a pen and ink cost?".into(), tools: tools.specs(), policy: Policy::compressed(), ..Config::default() };
//! let mut agent = Agent::new(Session::new(config), tools);
//! let mut model = ReplayModel::parse("here", "## Turn 1\n(return (+ (tool/price \"pen\") (tool/price \"ink\")))").unwrap();
//! assert_eq!(agent.run(&mut model, &mut ()).value.as_deref(), Some("600"));
//! ```

// Numbers come from files and from the network: none may panic, and none may wrap.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]

pub mod acts;
pub mod agent;
pub mod answer;
pub mod around;
mod async_tool;
mod calling;
pub mod cancel;
pub mod chat;
pub mod children;
pub mod clock;
pub mod command_tool;
pub mod ended;
pub mod error;
pub mod expected;
pub mod file_memory;
mod finished;
pub mod inputs;
mod journal;
pub mod ledgers;
pub mod mcp;
pub mod model;
pub mod nested;
mod nesting;
pub mod pending;
pub mod provider;
mod quietly;
pub mod read_file;
pub mod record;
mod recording;
pub mod replay_model;
pub mod replay_tools;
mod run_async;
mod runtime;
pub mod schema;
mod secrets;
mod section;
pub mod settings;
pub mod store;
pub mod summaries;
pub mod task;
pub mod toolbox;
mod typed;
mod watch;
pub mod worker;

pub use acts::Acts;
pub use agent::{Agent, StepError};
pub use answer::{Answer, Verdict};
pub use around::Around;
pub use calling::Control;
pub use cancel::Cancel;
pub use chat::Chat;
pub use clock::HostClock;
pub use ended::{EndError, EndKind};
pub use error::{Error, ErrorKind, ModelErrorKind};
pub use finished::{Ending, Finished};
pub use ledgers::Ledgers;
pub use model::{CountedAs, FnModel, Model, Reply, Request, Settings};
pub use pending::{Decision, Pending};
pub use provider::{Environment, ProviderModel};
pub use record::Recorded;
pub use replay_model::ReplayModel;
pub use run_async::Ran;
pub use store::Store;
pub use summaries::{Summaries, SummaryUsage};
pub use task::Task;
pub use task::check::Checked;
pub use toolbox::{OnCrash, Tool, Toolbox, arg};
pub use watch::{Sent, Watch};
pub use worker::{Isolated, Worker};
