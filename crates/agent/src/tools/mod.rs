//! Tools that programs call: Rust closures, commands, recorded answers, tools of MCP servers; and calls that wait for a
//! decision.

mod async_tool;
pub(crate) mod command;
pub(crate) mod executor;
pub(crate) mod interpreter;
pub(crate) mod journal;
pub mod mcp;
pub(crate) mod pending;
pub(crate) mod replay;
pub(crate) mod toolbox;
mod typed;

pub use command::CommandTool;
pub use executor::CallControl;
pub use pending::{CallDecision, Decided, Pending, PendingCall, PendingReason, decide, decide_by, pending};
pub use replay::Recording;
pub use toolbox::{OnCrash, Tool, Toolbox, arg};
