//! The session of the tests as a service of Restate.

use crate::kills::{Kills, When};
use crate::{bench, session};
use ptc_agent::journal_store::{JournalStore, JournalWriter};
use ptc_agent::{Agent, Error, ErrorKind, FnModel, Request};
use restate_sdk::prelude::*;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

/// Sessions, by their names.
struct Sessions {
    diaries: PathBuf,
    takes: Duration,
    /// Ends the process at a line.
    kill: Option<(u64, When)>,
}

#[object(
    lazy_state = true,
    inactivity_timeout = "1h",
    abort_timeout = "1h",
    invocation_retry_policy(initial_interval = "50ms", max_interval = "250ms")
)]
impl Sessions {
    /// Runs the session to its end.
    #[handler]
    async fn run(&self, ctx: ObjectContext<'_>) -> HandlerResult<String> {
        let name = ctx.key().to_owned();
        let diary = self.diaries.join(&name);
        let (takes, kill) = (self.takes, self.kill);
        ptc_restate::with_journal(&ctx, move |journal, cancel| {
            let acknowledged = PathBuf::from(format!("{}.acknowledged", diary.display()));
            let (at, when) = kill.unwrap_or((u64::MAX, When::Before));
            let store = Kills { of: Box::new(Once(Mutex::new(Some(journal)))), at, when, acknowledged };
            let tools = session::tools(&diary, takes);
            let config = session::config(&tools);
            let mut agent = Agent::with_journal(store.open(&name)?, &name, config, tools)?.with_cancel(cancel);
            session::decide(&mut agent, &diary)?;
            let end = agent.run(&mut FnModel(|r: Request<'_>| Ok(session::reply(&r, &diary))), &mut ());
            match (end.value, end.error) {
                (Some(value), _) => Ok(value),
                (None, Some(e)) => Err(e.into()),
                (None, None) => Err("no answer".into()),
            }
        })
        .await
    }

    /// Runs so many turns with one call each; how many microseconds each took, with spaces between.
    #[handler]
    async fn bench(&self, ctx: ObjectContext<'_>, turns: u64) -> HandlerResult<String> {
        let name = ctx.key().to_owned();
        ptc_restate::with_journal(&ctx, move |journal, cancel| {
            let agent = Agent::with_journal(journal, &name, bench::config(turns), bench::tools())?;
            let times = bench::turns_of(&mut agent.with_cancel(cancel), turns)?;
            Ok(times.iter().map(|t| t.as_micros().to_string()).collect::<Vec<_>>().join(" "))
        })
        .await
    }

    /// The session's trace.
    #[handler]
    async fn lines(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<Vec<String>>> {
        Ok(Json(ptc_restate::lines(&ctx).await?))
    }
}

/// A writer that is there as a store that opens it once.
#[derive(Debug)]
struct Once(Mutex<Option<Box<dyn JournalWriter>>>);

impl JournalStore for Once {
    fn open(&self, session: &str) -> Result<Box<dyn JournalWriter>, Error> {
        let writer = self.0.lock().unwrap().take();
        writer.ok_or_else(|| ptc_agent::journal_store::taken_over(session))
    }
    fn read(&self, _: &str) -> Result<Vec<String>, Error> {
        Err(no())
    }
    fn sessions(&self) -> Result<Vec<String>, Error> {
        Err(no())
    }
    fn fork(&self, _: &str, _: &str, _: usize) -> Result<(), Error> {
        Err(no())
    }
    fn remove(&self, _: &str) -> Result<(), Error> {
        Err(no())
    }
}

fn no() -> Error {
    Error::new(ErrorKind::Session, "Restate has the session")
}

/// Serves the sessions.
///
/// # Errors
/// When nothing can listen there.
pub fn serve(at: SocketAddr, diaries: PathBuf, takes: Duration, kill: Option<(u64, When)>) -> std::io::Result<()> {
    let sessions = Sessions { diaries, takes, kill };
    let endpoint = Endpoint::builder().bind(sessions).build();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(ptc_restate::serve(endpoint, at))
}
