//! A session of a server, as those are told who observe it.

/// A session that a server has opened for a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObservedSession<'a> {
    /// The id by which it is found again.
    pub id: &'a str,
    /// Whose it is.
    pub client: &'a str,
    /// The task that it is of.
    pub task: Option<&'a str>,
    /// The model that the task asks first, as the task names it.
    pub model: Option<&'a str>,
    /// Whether it is the run of the task. Else clients ask for its turns one by one, and an observer hears nothing of requests to
    /// models and of an end of the run.
    pub is_run: bool,
}
