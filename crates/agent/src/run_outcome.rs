//! The outcome of a run.

use crate::error::{Error, ErrorKind};
use crate::model::summaries::SummaryUsage;
use crate::tools::pending::Pending;
use crate::totals::Totals;
use ptc_turns::trace::record::Usage;
use ptc_turns::{Json, RunEnded, TurnRecord};
use std::sync::Arc;

/// Most bytes of what a trace says of the reason, and of the hint.
const MOST_BYTES: usize = 4000;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunStatus {
    /// By `return`.
    Returned,
    /// By `fail`.
    Failed,
    /// The model or the disk ended it.
    Error,
    /// It was cancelled ([`Agent::with_cancel`](crate::Agent::with_cancel)): the turn that ran is not kept, and the
    /// session can be continued.
    Cancelled,
    /// Calls wait for a decision ([`RunOutcome::pending`], [`Agent::decide`](crate::Agent::decide)); then the session can
    /// be continued.
    Pending,
    /// No turn was left.
    OutOfTurns,
    /// A limit of the whole run was used up ([`RunLimits`](crate::RunLimits)): the session can be continued with a higher
    /// one.
    Limit,
}

impl RunStatus {
    /// Its name as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            RunStatus::Returned => "returned",
            RunStatus::Failed => "failed",
            RunStatus::Error => "error",
            RunStatus::Cancelled => "cancelled",
            RunStatus::Pending => "pending",
            RunStatus::OutOfTurns => "out_of_turns",
            RunStatus::Limit => "limit",
        }
    }
}

/// The outcome of a run.
///
/// ```
/// use ptc_agent::{Agent, ErrorKind, ReplayModel, RunStatus, Toolbox};
/// use ptc_turns::{Config, Session};
///
/// let run = |replies: &str| {
///     let mut model = ReplayModel::parse("replies", replies)?;
///     let config = Config { max_turns: 2, ..Config::default() };
///     Ok::<_, ptc_agent::Error>(Agent::new(Session::new(config), Toolbox::new()).run(&mut model, &mut ()))
/// };
/// let end = run("## Turn 1\n(return {:n 3})")?;
/// assert_eq!((end.status, end.value.as_deref()), (RunStatus::Returned, Some("{:n 3}")));
/// assert_eq!(end.json.as_ref().map(|j| j.text()), Some("{\"n\":3}"));
/// let end = run("## Turn 1\n1\n## Turn 2\n2")?;
/// assert_eq!((end.status, end.turns), (RunStatus::OutOfTurns, 2));
/// assert_eq!(end.error.map(|e| e.kind()), Some(ErrorKind::OutOfTurns));
/// # Ok::<(), ptc_agent::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunOutcome {
    /// How it ended.
    pub status: RunStatus,
    /// The returned value, or the reason of `fail`, as readable text.
    pub value: Option<String>,
    /// The same as JSON, where JSON can say it.
    pub json: Option<Json>,
    /// What a session that ended well answered, as text: the reply of a text act, a returned string as it stands, and of
    /// anything else its readable text.
    pub text: Option<String>,
    /// Turns of the session.
    pub turns: u64,
    /// What all its turns used; memory is the largest.
    pub usage: Usage,
    /// What the whole session used in all its runs, with its subtasks.
    pub totals: Totals,
    /// Why it did not return: `None` where it did, the program's own reason where it gave up. Its
    /// [kind](crate::ErrorKind) is to be matched; of a model it has the status and how often it was asked.
    pub error: Option<Error>,
    /// What summaries by a model cost, where the policy wants such.
    pub summaries: Option<SummaryUsage>,
    /// What it waits for, when it is pending; when it was cancelled or ended by its time, what it will wait for once it
    /// goes on, in subtasks too.
    pub pending: Option<Pending>,
}

impl RunOutcome {
    /// How it ended, for its trace, where no turn of it tells that. Nothing of a run that could not begin here.
    pub(crate) fn ended_without_turn(&self, now: i64) -> Option<RunEnded> {
        let error = self.error.as_ref().filter(|e| e.kind() != ErrorKind::Runtime)?;
        if !matches!(self.status, RunStatus::Error | RunStatus::Cancelled | RunStatus::Limit) {
            return None;
        }
        let short = |text: &str| ptc_lisp::error::cut(text.to_owned(), MOST_BYTES);
        let place = error.place().map_or_else(String::new, |place| format!("{place}: "));
        Some(RunEnded {
            run_ended: self.status.as_str().to_owned(),
            kind: error.kind().run_error().to_owned(),
            message: short(&format!("{place}{}", error.message())),
            hint: error.hint().map(short),
            time: now,
        })
    }
}

/// What all turns used together.
pub(crate) fn total(turns: &[Arc<TurnRecord>]) -> Usage {
    let mut sum = Usage::default();
    let add = |a: &mut Option<u64>, b: Option<u64>| {
        if let Some(b) = b {
            *a = Some(a.unwrap_or(0).saturating_add(b));
        }
    };
    for u in turns.iter().map(|t| &t.usage) {
        sum.fuel = sum.fuel.saturating_add(u.fuel);
        sum.memory_bytes = sum.memory_bytes.max(u.memory_bytes);
        sum.cpu_ms = sum.cpu_ms.saturating_add(u.cpu_ms);
        sum.wall_ms = sum.wall_ms.saturating_add(u.wall_ms);
        add(&mut sum.input_tokens, u.input_tokens);
        add(&mut sum.output_tokens, u.output_tokens);
        add(&mut sum.cached_tokens, u.cached_tokens);
        add(&mut sum.cache_write_tokens, u.cache_write_tokens);
        add(&mut sum.retries, u.retries);
        sum.provider = u.provider.clone().or(sum.provider);
        sum.model = u.model.clone().or(sum.model);
    }
    sum
}
