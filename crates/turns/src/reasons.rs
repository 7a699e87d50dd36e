//! The reason of each message of a session's view: which turn it shows, whole or shortened, and by which rule.

use crate::policy::Policy;
use crate::render;
pub use crate::render::older_output::{OutputShortening, ShorteningResult};
use crate::render::summary::TurnSummary;
pub use crate::render::visibility::WholeReason;
use crate::render::visibility::{Output, Visibility};
use crate::trace::Trace;
use crate::trace::record::TurnRecord;
use std::fmt;
use std::sync::Arc;

/// The reason of a message. Turns are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnReason {
    /// The system message.
    System,
    /// The task, byte for byte (P-21); of a session with acts, the first act's question with it.
    Task,
    /// The reply of a turn, whole.
    Said(u64, WholeReason),
    /// A turn as a summary.
    Summary(u64),
    /// A failed turn as one line, since a later one succeeded.
    Recovered(u64),
    /// The feedback to a turn, whole.
    Told(u64),
    /// The feedback to a turn, shortened.
    ToldShort(u64),
    /// All turns in one message (layout `coalesced`).
    Together,
}

impl fmt::Display for TurnReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnReason::System => f.write_str("system message"),
            TurnReason::Task => f.write_str("the task"),
            TurnReason::Said(n, WholeReason::FullHistory) => write!(f, "turn {n}, full history"),
            TurnReason::Said(n, WholeReason::Failed) => write!(f, "turn {n}, whole: it failed"),
            TurnReason::Said(n, WholeReason::Before(m)) => write!(f, "turn {n}, whole: before failed turn {m}"),
            TurnReason::Said(n, WholeReason::Answer) => write!(f, "turn {n}, whole: an act's answer"),
            TurnReason::Said(n, WholeReason::Last) => write!(f, "turn {n}, whole: the last"),
            TurnReason::Said(n, WholeReason::SummaryNotShorter) => {
                write!(f, "turn {n}, whole: no longer than its summary")
            }
            TurnReason::Said(n, WholeReason::Recent) => write!(f, "turn {n}, whole: among the newest"),
            TurnReason::Summary(n) => write!(f, "turn {n}, summary"),
            TurnReason::Recovered(n) => write!(f, "turn {n} failed, recovered since"),
            TurnReason::Told(n) => write!(f, "feedback to turn {n}"),
            TurnReason::ToldShort(n) => write!(f, "feedback to turn {n}, shortened"),
            TurnReason::Together => f.write_str("all turns in one message"),
        }
    }
}

/// The reason of each message of [`crate::messages`] with the same arguments.
///
/// ```
/// use ptc_turns::{Config, Policy, Session, TurnContext};
/// use ptc_turns::reasons;
///
/// let mut session = Session::new(Config { prompt: "Sum".into(), ..Config::default() });
/// session.reply("```clojure\n(def xs (vec (filter odd? (map (fn [x] (* x x)) (range 20)))))\n```", TurnContext::without_host())?;
/// let why: Vec<String> =
///     reasons::reasons(session.trace(), &Policy::compressed(), None).iter().map(|r| r.to_string()).collect();
/// assert_eq!(why, ["system message", "the task", "turn 1, summary", "feedback to turn 1, shortened"]);
/// # Ok::<(), ptc_turns::TurnRefused>(())
/// ```
pub fn reasons(trace: &Trace, policy: &Policy, before_turn: Option<u64>) -> Vec<TurnReason> {
    Reasons::new(trace, policy).before(before_turn)
}

/// The reasons of all views of a trace under one policy; what they have in common is computed once.
pub struct Reasons<'a> {
    trace: &'a Trace,
    policy: &'a Policy,
    summaries: Vec<TurnSummary>,
}

impl<'a> Reasons<'a> {
    /// Of the views of `trace` under `policy`.
    pub fn new(trace: &'a Trace, policy: &'a Policy) -> Self {
        let println_bytes = trace.header.limits.println_bytes;
        Reasons {
            trace,
            policy,
            summaries: trace.turns().iter().map(|t| TurnSummary::new(t, policy, println_bytes)).collect(),
        }
    }

    /// The decisions by which the output of older turns was shortened up to there, and after them the last one that was
    /// not made yet; empty for a view that is not sized in tokens.
    pub fn shortenings(&self, turn: Option<u64>) -> Vec<OutputShortening> {
        let (trace, policy) = (self.trace, self.policy);
        if !(render::compresses(&trace.header, policy) && policy.is_token_sized()) {
            return Vec::new();
        }
        let (turns, ended) = self.turns(turn);
        let policy = &*render::layout(trace, policy, Some(turns.len() as u64));
        let summaries = self.summaries.get(..turns.len()).unwrap_or_default();
        render::older_outputs(&trace.header, policy, turns, summaries, ended).into_decisions()
    }

    /// The turns before this one, and whether the session had ended with them.
    fn turns(&self, turn: Option<u64>) -> (&[Arc<TurnRecord>], bool) {
        let all = self.trace.turns();
        let count =
            turn.map_or(all.len(), |k| usize::try_from(k.saturating_sub(1)).unwrap_or(usize::MAX).min(all.len()));
        (all.get(..count).unwrap_or_default(), count == all.len() && self.trace.over())
    }

    /// As [`reasons`].
    pub fn before(&self, turn: Option<u64>) -> Vec<TurnReason> {
        let (trace, policy) = (self.trace, self.policy);
        let (turns, ended) = self.turns(turn);
        let count = turns.len();
        let policy = &*render::layout(trace, policy, Some(count as u64));
        let mut out = vec![TurnReason::System, TurnReason::Task];
        let last = count as u64;
        if render::coalesces(&trace.header, policy) {
            if count > 0 {
                out.truncate(1);
                out.push(TurnReason::Together);
            }
            if ended {
                out.push(TurnReason::Said(last, WholeReason::Last));
            }
            return out;
        }
        let summaries = self.summaries.get(..count).unwrap_or_default();
        for (record, show) in
            turns.iter().zip(render::turn_visibilities(&trace.header, policy, turns, summaries, ended))
        {
            let n = record.turn;
            let (reply, feedback) = match show {
                Visibility::Summary { .. } => (TurnReason::Summary(n), TurnReason::ToldShort(n)),
                Visibility::Recovered { .. } => (TurnReason::Recovered(n), TurnReason::ToldShort(n)),
                Visibility::NotSummarized(Output::All) => {
                    (TurnReason::Said(n, WholeReason::SummaryNotShorter), TurnReason::Told(n))
                }
                Visibility::NotSummarized(_) => {
                    (TurnReason::Said(n, WholeReason::SummaryNotShorter), TurnReason::ToldShort(n))
                }
                Visibility::Whole(why) => (TurnReason::Said(n, why), TurnReason::Told(n)),
            };
            out.push(reply);
            if !(ended && n == last) {
                out.push(feedback);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Layout;
    use crate::{Config, Session, TurnContext};

    fn trace(programs: &[&str]) -> Trace {
        let mut s = Session::new(Config { prompt: "p".into(), max_turns: 9, ..Config::default() });
        for p in programs {
            s.reply(&format!("```clojure\n{p}\n```"), TurnContext::without_host()).unwrap();
        }
        s.trace().clone()
    }

    #[test]
    fn there_is_one_reason_for_each_message_of_every_view() {
        let t = trace(&["(def a 1)", "(def b 2)", "(oops)", "(println a)", "(return b)"]);
        let auto =
            Policy { history: ptc_history::Policy::with(ptc_history::policy::Strategy::Auto), ..Policy::default() };
        let together = Policy { layout: Layout::Coalesced, ..Policy::legacy_entry_count() };
        for policy in [Policy::full(), Policy::compressed(), Policy::legacy_entry_count(), auto, together] {
            for k in (1..=6).map(Some).chain([None]) {
                assert_eq!(reasons(&t, &policy, k).len(), render::messages(&t, &policy, k).len(), "{policy:?} {k:?}");
            }
        }
    }

    #[test]
    fn errors_and_their_company_say_so() {
        let t = trace(&["(def a 1)", "(def b 2)", "(oops)", "(println a)"]);
        let words: Vec<String> =
            reasons(&t, &Policy::legacy_entry_count(), None).iter().skip(2).step_by(2).map(|r| r.to_string()).collect();
        assert_eq!(
            words,
            ["turn 1, summary", "turn 2, whole: before failed turn 3", "turn 3, whole: it failed", "turn 4, summary"]
        );
        let words: Vec<String> = reasons(&t, &Policy::full(), Some(2)).iter().map(|r| r.to_string()).collect();
        assert_eq!(words, ["system message", "the task", "turn 1, full history", "feedback to turn 1"]);
    }
}
