//! Sessions of agents in PostgreSQL: a store of journals that several machines share.
//!
//! ```no_run
//! use ptc_agent::{Agent, ReplayModel, Toolbox};
//! use ptc_postgres::PostgresStore;
//! use ptc_turns::Config;
//!
//! let store = PostgresStore::connect("host=db.example.com user=ptc password=secret dbname=sessions")?;
//! let config = Config { prompt: "What is x + 1?".into(), ..Config::default() };
//! let mut agent = Agent::in_store(&store, "sums", config, Toolbox::new())?; // begun, or gone on with
//! let mut model = ReplayModel::parse("replies", "## Turn 1\n(return 2)")?;
//! assert_eq!(agent.run(&mut model, &mut ()).value.as_deref(), Some("2"));
//! # Ok::<(), ptc_agent::Error>(())
//! ```
//!
//! Two tables, in the schema `ptc`: `session(name, writer)` and `line(session, n, text)` with the primary key `(session, n)`.
//! A writer has a connection of its own, which holds an advisory lock of its session. The server gives that up with the
//! connection: at once when a process dies, and within 20 seconds when its machine does.

#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]
#![deny(unreachable_pub)]

mod connection;
mod store;
mod writer;

pub use store::PostgresStore;
