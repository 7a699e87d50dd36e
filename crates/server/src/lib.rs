//! Sessions of programs that are served to others: begun, run, waited for, forked, listed and removed for several clients
//! with limits, each in a worker process of its own and kept as a trace.
//!
//! [`Sessions`] knows no protocol; with the feature `mcp` the module `mcp` is the same as an MCP server.

// Numbers come from clients: none may panic, and none may wrap.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]
#![deny(unreachable_pub)]

#[cfg(any(feature = "http", feature = "mcp"))]
pub mod access;
mod answer;
mod approvals;
mod client;
#[cfg(any(feature = "http", feature = "mcp"))]
mod connections;
mod event;
mod events;
#[cfg(any(feature = "http", feature = "mcp"))]
mod held_body;
#[cfg(feature = "http")]
pub mod http;
mod inner;
mod job;
#[cfg(feature = "mcp")]
pub mod mcp;
mod observing;
mod opened;
mod options;
#[cfg(any(feature = "http", feature = "mcp"))]
mod peers;
// Requests and streams are counted where they come over HTTP.
#[cfg_attr(not(feature = "http"), allow(dead_code))]
mod rates;
mod refused;
mod session_counts;
mod sessions;
mod table;
mod turn_queue;
mod turns;
mod workers;
#[cfg(any(feature = "http", feature = "mcp"))]
mod write_timeout;

pub use answer::{Answer, AnswerState, Definition, definitions};
pub use approvals::WaitingCall;
pub use client::Client;
pub use event::Event;
pub use events::Events;
pub use observing::{SessionObserver, SessionObservers};
pub use options::ServerOptions;
pub use ptc_agent::ObservedSession;
pub use refused::{Refused, RefusedKind};
pub use sessions::{Begin, ServedTask, Serving, Sessions};
