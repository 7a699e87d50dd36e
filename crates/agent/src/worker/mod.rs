//! Process isolation: turns run in a process of their own, which can be ended from outside without harm to the host.
//!
//! The worker holds what programs can touch: the interpreter and a session's memory. The host keeps the trace, the view
//! and the tools. Between them go lines of JSON, each of bounded length, over the worker's standard input and output. A
//! worker that dies, hangs, floods or talks nonsense costs its turn, which ends with kind `internal`; the next one
//! gets a new worker, whose memory comes from a replay of the trace.
//!
//! Before it reads anything the worker restricts itself ([`restrict_process`]): it keeps no descriptor but those two and
//! standard error, and on Linux the kernel refuses it files, sockets, processes and threads (Landlock, seccomp) and kills
//! it when the host ends. Which of that holds on a system, [`Worker::restrictions`] says.
//!
//! ```no_run
//! use ptc_agent::{Isolated, Worker};
//! use ptc_turns::{Config, TurnContext};
//! use std::process::Command;
//!
//! // Any program whose main calls `ptc_agent::worker::serve()`.
//! let mut command = Command::new("/usr/local/bin/my-host");
//! command.arg("worker");
//! let mut session = Isolated::new(Config::programs(), Worker::new(command));
//! let turn = session.run("(+ 1 2)", TurnContext::without_host())?;
//! assert_eq!(turn.value.as_deref(), Some("3"));
//! # Ok::<(), ptc_turns::TurnRefused>(())
//! ```

mod exit;
mod isolated;
mod limits;
mod process;
mod protocol;
mod restrict;
mod serve;
mod supervisor;

pub use isolated::Isolated;
pub use restrict::{Restrictions, restrict_process};
pub use serve::{serve, serve_on};
pub use supervisor::Worker;
