//! Tools as asynchronous closures.

use crate::catch_panic::catch_panic;
use crate::tools::executor::CallControl;
use crate::tools::toolbox::Tool;
use ptc_lisp::value::Value;
use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::task::{Context, Poll};
use std::time::Duration;

/// How often a call that waits looks whether its answer is still waited for.
const PULSE: Duration = Duration::from_millis(20);

impl Tool {
    /// [`Tool::new`] with a closure that is awaited. Its future is polled by the runtime of this library, whatever runtime
    /// the host has or has not; calls that programs make together run at the same time. When a call is given up (the
    /// turn is cancelled or out of time, the call's own time is over) its future is dropped.
    ///
    /// A future that must be polled by the host's own runtime is spawned there:
    /// `let host = tokio::runtime::Handle::current();` and in the closure `host.spawn(work).await`.
    ///
    /// ```
    /// use ptc_agent::{Tool, Toolbox, arg};
    /// use ptc_lisp::{interface::Tools, types::Type, value::Value};
    ///
    /// let wait = Tool::new_async("wait", async |args| {
    ///     let Value::Int(ms) = arg(&args, "ms") else { return Err("ms must be an integer".to_owned()) };
    ///     tokio::time::sleep(std::time::Duration::from_millis(ms.get().unsigned_abs())).await;
    ///     Ok(Value::str("done"))
    /// });
    /// let mut tools = Toolbox::new().with(wait.describe("Waits").param("ms", Type::Integer));
    /// let args = Value::map([(Value::plain_keyword("ms"), Value::int(1))]);
    /// assert_eq!(tools.call(1, "wait", &args).unwrap().as_str(), Some("done"));
    /// ```
    pub fn new_async<F, Answer>(name: impl Into<String>, body: F) -> Self
    where
        F: Fn(Value) -> Answer + Send + Sync + 'static,
        Answer: Future<Output = Result<Value, String>> + Send + 'static,
    {
        Self::with_control(name, move |args, control| wait_for(|| body(args), control)).stops_when_cancelled()
    }
}

/// The answer of a future that is made and polled in the library's runtime, and dropped when nobody waits for it any more.
fn wait_for<Answer: Future<Output = Result<Value, String>> + Send + 'static>(
    begin: impl FnOnce() -> Answer,
    control: &CallControl,
) -> Result<Value, String> {
    let runtime = crate::runtime::runtime().map_err(|e| e.to_string())?;
    let (done, answered) = sync_channel(1);
    let mut answer = {
        let _within = runtime.enter();
        Box::pin(begin())
    };
    let task = runtime.spawn(async move {
        let poll = |cx: &mut Context<'_>| match catch_panic(AssertUnwindSafe(|| answer.as_mut().poll(cx))) {
            Ok(polled) => polled,
            Err(words) => Poll::Ready(Err(format!("the tool panicked: {words}"))),
        };
        let _ = done.send(poll_fn(poll).await);
    });
    loop {
        match answered.recv_timeout(PULSE) {
            Ok(answer) => return answer,
            Err(RecvTimeoutError::Timeout) if control.given_up() => {
                task.abort();
                return Err(String::new());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err("the tool gave no answer".to_owned()),
        }
    }
}
