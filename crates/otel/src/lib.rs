//! Runs of agents as OpenTelemetry spans and metrics, by the conventions for generative AI, sent by OTLP over HTTP.
//!
//! A run is a span `invoke_agent`; inside it are its turns, in each turn what was asked of the model (`chat`) and the tool
//! calls of its program (`execute_tool`); a sub-agent is a span `invoke_agent` inside the call that began it. Prompts,
//! programs and values are sent only where [`TelemetryOptions::content`] asks for them.
//!
//! ```no_run
//! use ptc_agent::{RunContext, Task};
//! use ptc_otel::{AgentSpans, Telemetry, TelemetryOptions};
//! use ptc_turns::Session;
//! use std::path::Path;
//!
//! # fn main() -> Result<(), ptc_agent::Error> {
//! let task = Task::load(Path::new("shop"))?;
//! let telemetry = Telemetry::start(TelemetryOptions::default())?;
//! let mut spans = telemetry.run(&task.name, task.model.as_deref(), None);
//! let around = RunContext { observers: Some(spans.subtasks()), ..RunContext::default() };
//! let mut agent = task.agent(Session::new(task.config()?), &around)?;
//! let mut model = task.model(agent.session().trace(), &around.environment)?;
//! agent.run(&mut model, &mut spans);
//! if let Some(warning) = telemetry.finish() {
//!     eprintln!("{warning}");
//! }
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]
#![deny(unreachable_pub)]

mod client;
mod content;
mod metrics;
mod names;
mod queue;
mod run_state;
mod spans;
mod telemetry;

pub use spans::AgentSpans;
pub use telemetry::{SessionSpans, Telemetry, TelemetryOptions};
