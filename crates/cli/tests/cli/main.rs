//! The command line from outside: exact results, exit codes, one line for each mistake.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
// What is of unix alone runs shell scripts, measures memory, ends processes by signals or restricts itself.

mod acp;
mod answers;
#[cfg(unix)]
mod ask;
mod chat;
mod commands;
mod common;
mod compare;
mod config;
#[cfg(all(target_os = "linux", feature = "server"))]
mod connections;
#[cfg(unix)]
mod crash;
mod doc;
#[cfg(unix)]
mod doors;
mod ended;
mod endings;
mod eval;
mod follow_up;
mod front;
mod history;
#[cfg(unix)]
mod hostile_terminal;
mod inputs;
#[cfg(unix)]
mod journal;
mod keeping;
mod libraries;
mod live;
#[cfg(all(unix, feature = "server"))]
mod mcp;
#[cfg(all(unix, feature = "server"))]
mod mcp_messages;
#[cfg(all(unix, feature = "server"))]
mod mcp_users;
#[cfg(unix)]
mod measure;
mod models;
#[cfg(unix)]
mod outside;
mod repl;
#[cfg(unix)]
mod repl_terminal;
#[cfg(unix)]
mod restricted;
mod resume_options;
mod run_limits;
mod sent;
#[cfg(unix)]
mod serve;
#[cfg(all(unix, feature = "server"))]
mod served;
#[cfg(all(unix, feature = "server"))]
mod served_approvals;
#[cfg(all(unix, feature = "server"))]
mod served_ends;
#[cfg(all(target_os = "linux", feature = "server"))]
mod served_memory;
#[cfg(all(unix, feature = "server", feature = "otel"))]
mod served_telemetry;
#[cfg(all(unix, feature = "server"))]
mod served_told;
mod sessions;
mod summaries;
mod tasks;
mod telemetry;
#[cfg(unix)]
mod terminal;
mod tokens;
#[cfg(unix)]
mod worker;
