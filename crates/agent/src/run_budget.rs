//! Limits of a whole run, its subtasks included, and what it has used of them.

use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use crate::model::Price;
use crate::totals::{Totals, usage_of};
use ptc_turns::Trace;
use ptc_turns::trace::record::ModelUsage;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Which limit ended a run: the source of an error of kind [`ErrorKind::RunLimit`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{limit} is used up")]
#[non_exhaustive]
pub struct RunLimitReached {
    /// Its name, as in `[limits]`: `max_cost`.
    pub limit: &'static str,
    /// How much all runs of the session have used of it, in its unit.
    pub used: f64,
}

impl RunLimitReached {
    /// The limit that this error is about.
    pub fn of(error: &Error) -> Option<Self> {
        std::error::Error::source(error)?.downcast_ref::<RunLimitReached>().copied()
    }
}

/// Limits of a whole run: rows of `[limits]`. Those that are absent limit nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RunLimits {
    /// Tokens of all requests and replies.
    pub max_tokens_total: Option<u64>,
    /// What all tokens cost, in the currency of the task's prices. Tokens without a known price count nothing.
    pub max_cost: Option<f64>,
    /// Seconds that all runs of the session take. When they are over, a request or a call that is in flight is given up.
    pub max_seconds: Option<f64>,
    /// Tool calls.
    pub max_tool_calls_total: Option<u64>,
}

impl RunLimits {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == RunLimits::default()
    }
}

/// How many milliseconds have gone by since a run began.
type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What a run may use and has used. Clones share it; that of a subtask stands inside its caller's, and what it uses
/// counts there too.
#[derive(Clone)]
pub struct RunBudget(Arc<Level>);

struct Level {
    limits: RunLimits,
    outer: Option<RunBudget>,
    used: Mutex<Used>,
    clock: Clock,
}

#[derive(Clone, Copy)]
struct Used {
    /// What the session used itself.
    own: Totals,
    /// What its subtasks used.
    below: Totals,
    /// Milliseconds of earlier runs, as the trace has them.
    before_ms: u64,
}

impl Used {
    /// Nothing, which costs nothing.
    fn nothing() -> Mutex<Self> {
        let free = Totals { cost: Some(0.0), ..Totals::default() };
        Mutex::new(Used { own: free, below: free, before_ms: 0 })
    }
}

impl Used {
    fn totals(&self) -> Totals {
        let mut all = self.own;
        all.add(&self.below);
        all
    }
}

impl Default for RunBudget {
    /// One without limits.
    fn default() -> Self {
        Self::with_clock(RunLimits::default(), Arc::new(|| 0))
    }
}

impl std::fmt::Debug for RunBudget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunBudget").field("limits", &self.0.limits).field("totals", &self.totals()).finish()
    }
}

impl RunBudget {
    /// One that begins now.
    pub fn new(limits: RunLimits) -> Self {
        let start = Instant::now();
        Self::with_clock(limits, Arc::new(move || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)))
    }

    /// The same with another clock, which says how many milliseconds have gone by since the run began.
    pub fn with_clock(limits: RunLimits, clock: Arc<dyn Fn() -> u64 + Send + Sync>) -> Self {
        RunBudget(Arc::new(Level { limits, outer: None, used: Used::nothing(), clock }))
    }

    /// That of a subtask: what it uses counts for this one as well.
    #[must_use]
    pub fn inside(&self, limits: RunLimits) -> Self {
        let RunBudget(inner) = Self::new(limits);
        let clock = inner.clock.clone();
        RunBudget(Arc::new(Level { limits, outer: Some(self.clone()), used: Used::nothing(), clock }))
    }

    /// Counts what the trace of a session says was used before, and what its subtasks did. For those outside it was
    /// counted when they began.
    #[must_use]
    pub fn after(self, trace: &Trace, price: Option<&Price>, below: Totals) -> Self {
        {
            let mut used = self.used();
            used.own = Totals::of_trace(trace, price);
            used.below = below;
            used.before_ms = taken_ms(trace);
        }
        self
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.0.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was used in all.
    pub fn totals(&self) -> Totals {
        self.used().totals()
    }

    /// What was used in all, where this trace is that of the session.
    pub(crate) fn totals_of(&self, trace: &Trace, price: Option<&Price>) -> Totals {
        let below = self.used().below;
        let mut all = Totals::of_trace(trace, price);
        // What no trace has: replies that came to nothing, with what they cost and how long they were waited for.
        let own = self.used().own;
        if own.input_tokens >= all.input_tokens && own.output_tokens >= all.output_tokens && own.tokens() > all.tokens()
        {
            all = Totals { turns: all.turns, tool_ms: all.tool_ms, tool_calls: all.tool_calls, ..own };
        }
        all.add(&below);
        all
    }

    fn seconds(&self, used: &Used) -> f64 {
        seconds((self.0.clock)().saturating_add(used.before_ms))
    }

    /// Says when the time of the run is over, here or outside; `None` where no time is limited. It may be asked while
    /// others count what they use.
    pub(crate) fn time_is_over(&self) -> Option<impl Fn() -> bool + Clone + Send + Sync + use<>> {
        let limited = |level: &RunBudget| {
            let most = level.0.limits.max_seconds?;
            let before_ms = level.used().before_ms;
            Some((level.0.clock.clone(), before_ms, most))
        };
        let all: Vec<_> = self.levels().filter_map(limited).collect();
        let over = |(clock, before_ms, most): &(Clock, u64, f64)| seconds(clock().saturating_add(*before_ms)) >= *most;
        (!all.is_empty()).then_some(move || all.iter().any(over))
    }

    /// The limit that ended what was in flight, with what became of that.
    pub(crate) fn reached_in_flight(&self, what: &str) -> Option<Error> {
        let reached = self.check().err()?;
        let limit = RunLimitReached::of(&reached);
        let text = ErrorText::new(format!("{}: {what}", reached.message()), reached.hint().unwrap_or_default());
        let error = Error::new(ErrorKind::RunLimit, text);
        Some(match limit {
            Some(limit) => error.with_source(limit),
            None => error,
        })
    }

    /// Whether the cost is limited, here or outside.
    pub(crate) fn limits_cost(&self) -> bool {
        self.levels().any(|level| level.0.limits.max_cost.is_some())
    }

    /// Counts a reply, for all levels.
    pub(crate) fn replied(&self, usage: &ModelUsage, price: Option<&Price>) {
        let mut one = Totals { cost: price.map(|_| 0.0), ..Totals::default() };
        one.add_tokens(&usage_of(usage), price);
        self.count(&one);
    }

    /// Counts time that tools were waited for, for all levels.
    pub(crate) fn waited(&self, tool_ms: u64) {
        self.count(&Totals { tool_ms, cost: Some(0.0), ..Totals::default() });
    }

    fn count(&self, one: &Totals) {
        self.used().own.add_reported(one);
        let mut outer = self.0.outer.as_ref();
        while let Some(level) = outer {
            level.used().below.add_reported(one);
            outer = level.0.outer.as_ref();
        }
    }

    /// The levels, from this one outwards.
    fn levels(&self) -> impl Iterator<Item = &RunBudget> {
        std::iter::successors(Some(self), |level| level.0.outer.as_ref())
    }

    /// Whether nothing is used up, here and outside.
    ///
    /// # Errors
    /// Of kind [`ErrorKind::RunLimit`], with the limit and what was used.
    pub fn check(&self) -> Result<(), Error> {
        self.levels().try_for_each(|level| {
            let used = *level.used();
            level.check_own(&used, 0)
        })
    }

    /// The same before so many tool calls, which are counted if they may be made.
    ///
    /// # Errors
    /// As [`RunBudget::check`].
    pub(crate) fn take_calls(&self, calls: u64) -> Result<(), Error> {
        let levels: Vec<&RunBudget> = self.levels().collect();
        // Nobody else takes calls between the check and the count. All lock from the outermost inwards.
        let mut held: Vec<MutexGuard<'_, Used>> = levels.iter().rev().map(|level| level.used()).collect();
        held.reverse();
        levels.iter().zip(&held).try_for_each(|(level, used)| level.check_own(used, calls))?;
        let one = Totals { tool_calls: calls, cost: Some(0.0), ..Totals::default() };
        for (i, used) in held.iter_mut().enumerate() {
            let sum = if i == 0 { &mut used.own } else { &mut used.below };
            sum.add(&one);
        }
        Ok(())
    }

    fn check_own(&self, now: &Used, calls: u64) -> Result<(), Error> {
        let (limits, used) = (&self.0.limits, now.totals());
        let whose = if self.0.outer.is_some() { "the subtask" } else { "the run" };
        let reached = |name: &'static str, limit: String, amount: f64, told: String| {
            let words = error_text!("{whose} has used {told}, and {name} is {limit}"; "go on with a higher {name}");
            Err(Error::new(ErrorKind::RunLimit, words).with_source(RunLimitReached { limit: name, used: amount }))
        };
        if let Some(most) = limits.max_tokens_total.filter(|most| calls == 0 && used.tokens() >= *most) {
            return reached(
                "max_tokens_total",
                most.to_string(),
                used.tokens() as f64,
                format!("{} tokens", used.tokens()),
            );
        }
        let cost = used.known_cost();
        if let Some(most) = limits.max_cost.filter(|most| calls == 0 && cost >= *most) {
            return reached("max_cost", most.to_string(), cost, format!("{cost:.6} in cost"));
        }
        if let Some(most) = limits.max_seconds {
            let seconds = self.seconds(now);
            if seconds >= most {
                return reached("max_seconds", most.to_string(), seconds, format!("{seconds:.1} seconds"));
            }
        }
        let after = used.tool_calls.saturating_add(calls);
        if let Some(most) = limits.max_tool_calls_total.filter(|most| calls > 0 && after > *most) {
            let told = format!("{} tool calls", used.tool_calls);
            return reached("max_tool_calls_total", most.to_string(), used.tool_calls as f64, told);
        }
        Ok(())
    }

    /// What the model is told of the limits of which three quarters are used; `None` of a run without such.
    pub(crate) fn notice(&self) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        for level in self.levels() {
            let now = *level.used();
            let (limits, used, cost) = (&level.0.limits, now.totals(), now.totals().known_cost());
            let near = |used: f64, most: f64| used >= most * 0.75;
            if let Some(most) = limits.max_tokens_total.filter(|m| near(used.tokens() as f64, *m as f64)) {
                parts.push(format!("{}/{most} tokens", used.tokens()));
            }
            if let Some(most) = limits.max_cost.filter(|m| near(cost, *m)) {
                parts.push(format!("{cost:.4}/{most} cost"));
            }
            let seconds = || level.seconds(&now);
            if let Some(most) = limits.max_seconds.filter(|m| near(seconds(), *m)) {
                parts.push(format!("{:.0}/{most} seconds", seconds()));
            }
            if let Some(most) = limits.max_tool_calls_total.filter(|m| near(used.tool_calls as f64, *m as f64)) {
                parts.push(format!("{}/{most} tool calls", used.tool_calls));
            }
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Milliseconds that earlier runs of a session took, as its trace has them: turns and requests, calls for inputs of acts,
/// and what a turn has done that has begun and not ended.
fn taken_ms(trace: &Trace) -> u64 {
    let journal = trace.journal();
    // A turn that is run again does not wait for calls once more whose answers are kept.
    let turns = trace.turns().iter().map(|t| {
        let ran = t.usage.wall_ms.max(Totals::tool_ms(&t.tool_calls));
        ran.saturating_add(t.usage.model_ms.unwrap_or(0))
    });
    let inputs = trace.acts().iter().flat_map(|a| &a.tool_calls).chain(trace.ahead().map(|c| &c.tool_call));
    let reply = journal.reply().and_then(|(reply, _)| reply.usage.as_ref()?.model_ms).unwrap_or(0);
    turns.chain([Totals::tool_ms(inputs), reply, journal.waited_ms()]).fold(0, u64::saturating_add)
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn usage(input: u64, output: u64) -> ModelUsage {
        ModelUsage {
            provider: "p".into(),
            model: "m".into(),
            input_tokens: Some(input),
            output_tokens: Some(output),
            model_ms: Some(100),
            ..ModelUsage::default()
        }
    }

    #[test]
    fn what_is_used_inside_counts_outside() {
        let outer = RunBudget::new(RunLimits { max_tokens_total: Some(1000), ..RunLimits::default() });
        let inner = outer.inside(RunLimits { max_tool_calls_total: Some(3), ..RunLimits::default() });
        inner.replied(&usage(700, 50), None);
        assert_eq!((outer.totals().tokens(), outer.totals().model_ms, outer.totals().cost), (750, 100, None));
        assert_eq!((outer.notice().as_deref(), inner.check().is_ok()), (Some("750/1000 tokens"), true));
        inner.take_calls(2).unwrap();
        let refused = inner.take_calls(2).unwrap_err();
        assert_eq!(
            refused.text(),
            "the subtask has used 2 tool calls, and max_tool_calls_total is 3; go on with a higher max_tool_calls_total"
        );
        assert_eq!((inner.totals().tool_calls, outer.totals().tool_calls), (2, 2));
        inner.take_calls(1).unwrap();
        outer.replied(&usage(250, 0), None);
        assert_eq!(
            inner.check().unwrap_err().text(),
            "the run has used 1000 tokens, and max_tokens_total is 1000; go on with a higher max_tokens_total"
        );
        assert_eq!(inner.notice().as_deref(), Some("3/3 tool calls, 1000/1000 tokens"));
        assert!(RunBudget::default().check().is_ok() && RunBudget::default().notice().is_none());
    }

    #[test]
    fn cost_and_time_are_limited_by_price_and_clock() {
        let now = Arc::new(AtomicU64::new(0));
        let clock = now.clone();
        let limits = RunLimits { max_cost: Some(0.002), max_seconds: Some(10.0), ..RunLimits::default() };
        let budget = RunBudget::with_clock(limits, Arc::new(move || clock.load(Ordering::Relaxed)));
        let price = Price { input: 1.0, output: 2.0, cached: None, cache_write: None };
        let budget = budget.after(&Trace::new(ptc_turns::Header::new("s", "p", 5)), Some(&price), Totals::default());
        budget.replied(&usage(500, 500), Some(&price));
        assert_eq!((budget.totals().cost, budget.notice().as_deref()), (Some(0.0015), Some("0.0015/0.002 cost")));
        now.store(9_000, Ordering::Relaxed);
        assert_eq!(budget.notice().as_deref(), Some("0.0015/0.002 cost, 9/10 seconds"));
        assert!(budget.check().is_ok());
        now.store(10_000, Ordering::Relaxed);
        assert!(
            budget.check().unwrap_err().text().starts_with("the run has used 10.0 seconds, and max_seconds is 10;")
        );
        budget.replied(&usage(500, 500), Some(&price));
        assert!(
            budget.check().unwrap_err().text().starts_with("the run has used 0.003000 in cost, and max_cost is 0.002;")
        );
    }

    /// A reply whose turn has not ended, and calls that are not made again, took their time in an earlier run.
    #[test]
    fn time_of_a_turn_that_has_begun_counts_when_it_goes_on() {
        let lines = [
            r#"{"before_turn":1,"reply":"(tool/f)","usage":{"provider":"p","model":"m","model_ms":4000},"time":0,"seed":"1"}"#,
            r#"{"before_turn":1,"asked":[{"id":1,"name":"f","args":{},"key":"k-1"},{"id":2,"name":"f","args":{},"key":"k-2"}],"time":1}"#,
            r#"{"before_turn":1,"answered":{"id":1,"result":1,"ms":2500},"time":2}"#,
            r#"{"before_turn":1,"answered":{"id":2,"result":1,"ms":3000},"time":3}"#,
        ];
        let mut trace = Trace::new(ptc_turns::Header::new("s", "p", 5));
        lines.iter().for_each(|l| drop(trace.note(serde_json::from_str(l).unwrap()).unwrap()));
        let begun = |trace: &Trace| {
            let limits = RunLimits { max_seconds: Some(7.0), ..RunLimits::default() };
            let budget = RunBudget::with_clock(limits, Arc::new(|| 0)).after(trace, None, Totals::default());
            (RunLimitReached::of(&budget.check().unwrap_err()).unwrap().used, budget.totals().tool_ms)
        };
        assert_eq!(begun(&trace), (7.0, 3000));
        // The turn that was run again waited for nothing, and its record has what its calls took.
        let mut record = ptc_turns::TurnRecord::empty(1);
        record.tool_calls = trace.journal().answered().collect();
        record.tool_calls.iter_mut().for_each(|c| (c.ms, c.together) = (3000, Some(1)));
        (record.usage.wall_ms, record.usage.model_ms) = (5, Some(4000));
        trace.push(record);
        assert_eq!(begun(&trace), (7.0, 3000));
    }

    /// What has no price, or no tokens that were reported, does not switch the limit off.
    #[test]
    fn the_known_part_of_a_cost_is_limited() {
        let price = Price { input: 1.0, output: 2.0, cached: None, cache_write: None };
        let silent = ModelUsage { input_tokens: None, ..usage(0, 100) };
        for (first, of) in [(usage(5, 5), None), (silent, Some(&price))] {
            let budget = RunBudget::new(RunLimits { max_cost: Some(0.002), ..RunLimits::default() });
            let inner = budget.inside(RunLimits::default());
            inner.replied(&first, of);
            assert!(budget.check().is_ok() && budget.totals().cost.is_none());
            budget.replied(&usage(500, 500), Some(&price));
            let near = if of.is_some() { "0.0017/0.002 cost" } else { "0.0015/0.002 cost" };
            assert_eq!(budget.notice().as_deref(), Some(near));
            inner.replied(&usage(500, 500), Some(&price));
            let words = budget.check().unwrap_err().text();
            assert!(words.contains("in cost, and max_cost is 0.002;") && budget.totals().cost.is_none(), "{words}");
            assert_eq!(RunLimitReached::of(&budget.check().unwrap_err()).map(|r| r.limit), Some("max_cost"));
            // The same where a trace is what is known of the subtasks.
            let trace = Trace::new(ptc_turns::Header::new("s", "p", 5));
            let again = RunBudget::new(RunLimits { max_cost: Some(0.002), ..RunLimits::default() });
            assert!(again.after(&trace, Some(&price), budget.totals()).check().is_err());
        }
    }

    /// A reply that no trace has counts with its tokens, its cost and its time.
    #[test]
    fn replies_that_came_to_nothing_are_in_the_totals() {
        let price = Price { input: 1.0, output: 2.0, cached: None, cache_write: None };
        let trace = Trace::new(ptc_turns::Header::new("s", "p", 5));
        let budget = RunBudget::default().after(&trace, Some(&price), Totals::default());
        budget.replied(&usage(500, 500), Some(&price));
        let all = budget.totals_of(&trace, Some(&price));
        assert_eq!((all.tokens(), all.cost, all.model_ms, all.turns), (1000, Some(0.0015), 100, 0));
    }

    /// Calls of two subtasks at once: those that are left are given once.
    #[test]
    fn calls_are_checked_and_counted_in_one_step() {
        // Time goes by between a look at what was used and the count, so that another call gets in if it can.
        let slow = Arc::new(|| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            0
        });
        let limits = RunLimits { max_tool_calls_total: Some(10), max_seconds: Some(1000.0), ..RunLimits::default() };
        let outer = RunBudget::with_clock(limits, slow);
        outer.take_calls(8).unwrap();
        let all: Vec<_> = (0..6).map(|_| outer.inside(RunLimits::default())).collect();
        let given = std::thread::scope(|s| {
            let threads: Vec<_> = all.iter().map(|inner| s.spawn(|| inner.take_calls(1).is_ok())).collect();
            threads.into_iter().map(|t| t.join().unwrap()).filter(|given| *given).count()
        });
        assert_eq!((given, outer.totals().tool_calls), (2, 10));
        assert_eq!(all.iter().map(|inner| inner.totals().tool_calls).sum::<u64>(), 2);
    }
}
