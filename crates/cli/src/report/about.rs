//! What a report is told of a session that its trace does not say.

use ptc_agent::model::Price;
use ptc_agent::{Summaries, Task};

/// What is known of a session beside its trace.
#[derive(Clone, Copy, Default)]
pub struct About<'a> {
    /// What ended it from outside: a model that did not answer, Ctrl-C.
    pub problem: Option<&'a str>,
    /// The summaries that a model wrote for it.
    pub summaries: Option<&'a Summaries>,
    /// The price of the model, where the task names one.
    pub price: Option<&'a Price>,
    /// The task, where it is known: the prices of its sub-agents.
    pub task: Option<&'a Task>,
    /// That the page is served while the session runs, and which version of it this is.
    pub live: Option<u64>,
}
