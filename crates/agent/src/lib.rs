//! Models, tools, tasks and the loop: the layer that may touch files, the clock, the network and processes.
//!
//! A task is read from a folder, a model answers, each turn is kept:
//!
//! ```
//! use ptc_agent::{Agent, ReplayModel, Tool, Toolbox, arg};
//! use ptc_lisp::{types::Type, value::Value};
//! use ptc_turns::{Config, Policy, Session};
//!
//! let tools = Toolbox::new().with(
//!     Tool::new("price", |args| Ok(Value::int(arg(&args, "item").as_str().map_or(0, |s| s.len() as i64 * 100))))
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
// What is public is what this file and the public modules re-export.
#![deny(unreachable_pub)]
// What only some features use stays in every build, so that only what pulls other crates depends on them.
#![cfg_attr(
    not(all(feature = "http", feature = "mcp", feature = "sqlite", feature = "schemas")),
    allow(dead_code, unused_imports)
)]

mod agent;
mod cancel;
mod catch_panic;
pub mod chat;
mod clock;
mod error;
pub mod files;
mod host_paths;
mod in_store;
pub mod journal_store;
mod json_depth;
mod json_repair;
pub mod model;
mod observed_session;
mod observer;
mod option_row;
mod process_group;
#[cfg(feature = "sqlite")]
mod recorded_outcome;
mod run_async;
mod run_budget;
mod run_context;
mod run_outcome;
mod runtime;
mod schema;
mod schema_check;
mod secrets;
#[cfg(feature = "sqlite")]
pub mod sessions;
mod subtask;
pub mod task;
mod toml_override;
mod toml_section;
pub mod tools;
mod totals;
pub mod trace_file;
mod turn_stop;
pub mod user_config;
pub mod worker;

pub use agent::Agent;
pub use cancel::Cancel;
pub use chat::Chat;
pub use clock::HostClock;
pub use error::{Error, ErrorKind, ErrorText, ModelErrorKind};
pub use model::{
    CountedAs, Environment, FnModel, Model, ModelEvent, ProviderModel, RecordingModel, ReplayModel, Reply, Request,
    Retry, Settings, Summaries, SummaryUsage, TokenCalibration,
};
pub use observed_session::ObservedSession;
pub use observer::{AskedModel, BegunSubtask, Observer, SentRequest, SubtaskEvent, SubtaskObservers, SubtaskStep};
pub use run_async::AsyncOutcome;
pub use run_budget::{RunBudget, RunLimitReached, RunLimits};
pub use run_context::RunContext;
pub use run_outcome::{RunOutcome, RunStatus};
pub use task::{Acts, KnownAnswer, Task, TaskCheck, Verdict};
pub use tools::{CallControl, CallDecision, OnCrash, Pending, Tool, Toolbox, arg};
pub use totals::Totals;
pub use trace_file::TraceFile;
pub use user_config::UserConfig;
pub use worker::{Isolated, Worker};

/// What a host that runs sessions by itself needs: time, seeds and digests, panics as words, and the end of what it started.
pub mod host {
    pub use crate::agent::turn_context;
    pub use crate::catch_panic::catch_panic;
    pub use crate::clock::{now_ms, sha256, turn_seed};
    pub use crate::host_paths::hide_paths;
    pub use crate::process_group::end_all as end_child_processes;
}
