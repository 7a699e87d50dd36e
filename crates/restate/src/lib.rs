//! Sessions of agents in Restate: an entry of its journal is a line of the session.
//!
//! A handler of a virtual object runs a session whose name is the object's key: [`with_journal`] gives it the journal of the
//! session. Each line is an entry of the invocation's journal in Restate, acknowledged when Restate has it; when the handler
//! ends, the lines are in the state of the object. So there is one writer, as handlers of one key run one after another; and when
//! the process dies, Restate calls another one, which reads the lines and goes on.
//!
//! ```no_run
//! use ptc_agent::{Agent, ReplayModel, Toolbox};
//! use restate_sdk::prelude::*;
//!
//! struct Sums;
//!
//! #[object(lazy_state = true, inactivity_timeout = "1h", abort_timeout = "1h")]
//! impl Sums {
//!     #[handler]
//!     async fn run(&self, ctx: ObjectContext<'_>, prompt: String) -> HandlerResult<String> {
//!         ptc_restate::with_journal(&ctx, move |journal, cancel| {
//!             let config = ptc_turns::Config { prompt: prompt.clone(), ..Default::default() };
//!             let agent = Agent::with_journal(journal, "the session", config, Toolbox::new())?;
//!             let mut model = ReplayModel::parse("replies", "## Turn 1\n(return 2)")?;
//!             let end = agent.with_cancel(cancel).run(&mut model, &mut ());
//!             end.value.ok_or_else(|| TerminalError::new("no answer").into())
//!         })
//!         .await
//!     }
//!
//!     #[handler]
//!     async fn lines(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<Vec<String>>> {
//!         Ok(Json(ptc_restate::lines(&ctx).await?))
//!     }
//! }
//!
//! # async fn serve() -> std::io::Result<()> {
//! ptc_restate::serve(Endpoint::builder().bind(Sums).build(), "127.0.0.1:9080".parse().unwrap()).await
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]
#![deny(unreachable_pub)]

mod drive;
mod server;
mod state;

pub use drive::with_journal;
pub use server::serve;
pub use state::lines;
