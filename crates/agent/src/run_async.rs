//! Runs that are awaited: the work on a thread of its own, ended when nobody awaits it any more.

use crate::agent::Agent;
use crate::cancel::Cancel;
use crate::catch_panic::catch_panic;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::model::Model;
use crate::observer::Observer;
use crate::run_outcome::RunOutcome;
use std::panic::AssertUnwindSafe;
use tokio::sync::oneshot;

/// An agent whose run has ended, with all that it was given.
#[non_exhaustive]
pub struct AsyncOutcome<M, W = ()> {
    /// How it ended.
    pub end: RunOutcome,
    /// The agent, whose session can be continued.
    pub agent: Agent,
    /// The model.
    pub model: M,
    /// Who watched.
    pub watch: W,
}

/// Raises its flag when it is dropped before the run has ended.
struct CancelOnDrop(Option<Cancel>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(cancel) = &self.0 {
            cancel.cancel();
        }
    }
}

impl Agent {
    /// [`Agent::run`] to be awaited, in any runtime: programs, tools and the model work on a thread of their own, which is
    /// started when the future is first polled. The future is `Send` and blocks nothing.
    ///
    /// Dropping it raises the agent's [`Cancel`] (all clones of it, see [`Agent::with_cancel`]): the request to the model
    /// is dropped, calls of tools are given up, the turn is not kept. What was kept before stands in the trace file, and
    /// the session can be continued from there. To stop a run and have the agent back, raise the flag and await on.
    ///
    /// ```
    /// use ptc_agent::{Agent, AsyncOutcome, ReplayModel, Tool, Toolbox, arg};
    /// use ptc_lisp::{types::Type, value::Value};
    /// use ptc_turns::{Config, Session};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), ptc_agent::Error> {
    /// let price = Tool::new_async("price", async |args| match arg(&args, "item").as_str() {
    ///     Some("pen") => Ok(Value::int(250)),
    ///     _ => Err("no such item".to_owned()),
    /// });
    /// let tools = Toolbox::new().with(price.param("item", Type::String));
    /// let config = Config { prompt: "What does a pen cost?".into(), tools: tools.specs(), ..Config::default() };
    /// let model = ReplayModel::parse("replies", "## Turn 1\n(return (tool/price \"pen\"))")?;
    /// let AsyncOutcome { end, agent, .. } = Agent::new(Session::new(config), tools).run_async(model, ()).await?;
    /// assert_eq!((end.value.as_deref(), agent.session().trace().turns().len()), (Some("250"), 1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When no thread can be had for it, or `model` or `watch` panicked; how the session ended is in [`AsyncOutcome::end`].
    pub async fn run_async<M, W>(self, model: M, watch: W) -> Result<AsyncOutcome<M, W>, Error>
    where
        M: Model + 'static,
        W: Observer + Send + 'static,
    {
        let cancel = self.cancel_flag();
        on_thread("ptc-run", cancel, Lost { what: "run", hint: "go on from its trace" }, move || {
            let (mut agent, mut model, mut watch) = (self, model, watch);
            let end = agent.run(&mut model, &mut watch);
            AsyncOutcome { end, agent, model, watch }
        })
        .await
    }
}

/// What is said of work on another thread that panicked.
#[derive(Clone, Copy)]
pub(crate) struct Lost {
    /// The work, as a noun.
    pub(crate) what: &'static str,
    /// What to do then.
    pub(crate) hint: &'static str,
}

/// Does `work` on a thread of its own, from when it is first polled. Dropping it before the work has ended raises
/// `cancel`.
///
/// # Errors
/// When no thread can be had for it, or it panicked.
pub(crate) async fn on_thread<T: Send + 'static>(
    name: &str,
    cancel: Cancel,
    lost: Lost,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let Lost { what, hint } = lost;
    let (done, ran) = oneshot::channel();
    let mut guard = CancelOnDrop(Some(cancel));
    let run = move || {
        let _ = done.send(catch_panic(AssertUnwindSafe(work)));
    };
    std::thread::Builder::new().name(name.to_owned()).spawn(run).map_err(|e| {
        Error::new(ErrorKind::Runtime, error_text!("a thread for the {what} cannot be started: {e}"; "try again"))
            .with_source(e)
    })?;
    let ran = ran.await;
    guard.0 = None;
    ran.map_err(|_| Error::new(ErrorKind::Runtime, error_text!("the {what} was lost"; "{hint}")))?
        .map_err(|words| Error::new(ErrorKind::Runtime, error_text!("the {what} panicked: {words}"; "{hint}")))
}
