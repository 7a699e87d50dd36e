//! The commands of `ptc`, a file or a folder each.

pub mod approve;
pub mod ask;
pub mod check;
pub mod compare;
pub mod config;
pub mod doc;
pub mod docs;
pub mod eval;
pub mod history;
pub mod init;
pub mod kept_session;
pub mod messages;
pub mod repl;
pub mod run;
pub mod run_events;
pub mod run_result;
pub mod run_source;
pub mod sessions;
pub mod shell;
pub mod step;
pub mod telemetry;
pub mod tokens;
pub mod trace;
pub mod watched;
pub mod worker;
