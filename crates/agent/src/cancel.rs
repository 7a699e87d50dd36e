//! A flag that anyone may raise to end what is running.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something outside has ended.
type Outer = Arc<dyn Fn() -> bool + Send + Sync>;

/// A flag that anyone may raise to end the running turn, or the request that waits for a model. Clones share it.
///
/// ```
/// use ptc_agent::{Agent, Cancel, FnModel, Reply, Request, RunStatus, Toolbox};
/// use ptc_turns::{Config, Session};
///
/// let cancel = Cancel::default();
/// let mut agent = Agent::new(Session::new(Config::default()), Toolbox::new()).with_cancel(cancel.clone());
/// // Raised by a signal, another thread, a deadline; here by the model itself.
/// let mut model = FnModel(|_: Request<'_>| {
///     cancel.cancel();
///     Ok(Reply::text("(loop [] (recur))"))
/// });
/// let end = agent.run(&mut model, &mut ());
/// assert_eq!((end.status, end.turns), (RunStatus::Cancelled, 0));
/// ```
#[derive(Clone, Default)]
pub struct Cancel {
    raised: Arc<AtomicBool>,
    outer: Option<Outer>,
}

impl Cancel {
    /// A flag that counts as raised as well once `outer` says so; raising it raises nothing outside.
    pub fn within(outer: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Cancel { raised: Arc::default(), outer: Some(Arc::new(outer)) }
    }

    /// The same flag, which counts as raised as well once `over` says so.
    pub(crate) fn or(&self, over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let own = self.clone();
        Cancel::within(move || own.cancelled() || over())
    }

    /// Raises it.
    pub fn cancel(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether it was raised.
    pub fn cancelled(&self) -> bool {
        self.raised.load(Ordering::Relaxed) || self.outer.as_ref().is_some_and(|o| o())
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cancel").field("cancelled", &self.cancelled()).finish()
    }
}
