//! What policies would have cost on recorded conversations, side by side.

mod last_request;
#[cfg(test)]
mod tests;

use crate::conversation::Conversation;
use crate::message::Role;
use crate::policy::{Policy, Prices};
use crate::view::{Level, Measure, ViewError, With, view};
use last_request::LastRequest;
use serde::Serialize;

/// Sums over all requests of all conversations under one policy. A request is what is sent before a message of the
/// model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// Prompt tokens saved over all requests, in percent of full history.
    pub cumulative: f64,
    /// Tokens of the last request of each conversation saved, in percent.
    #[serde(rename = "final")]
    pub last: f64,
    /// Share of the prompt tokens that stand at the start of the request before, in percent.
    pub cached: f64,
    /// Cost at the prices, in percent of full history.
    pub cost: f64,
    /// Requests.
    pub requests: u64,
    /// Prompt tokens sent.
    pub tokens: u64,
    /// Prompt tokens that full history would have sent.
    pub tokens_full: u64,
    /// Requests that do not begin with the whole request before: the cache was broken.
    pub breaks: u64,
    /// How often a boundary moved.
    pub moves: u64,
    /// Calls shown without their result or results without their call, where the conversation has both.
    pub pairs_split: u64,
    /// Requests that lack a system message of the conversation.
    pub system_dropped: u64,
    /// Requests over `max_tokens`.
    pub over_budget: u64,
    /// Requests that could not be made, and the first reason.
    pub failed: u64,
    /// The first reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Warnings.
    pub warnings: u64,
}

#[derive(Default)]
struct Sums {
    sent: u64,
    cached: u64,
    last: u64,
    full: u64,
    full_cached: u64,
    full_last: u64,
}

/// What `policy` would have cost on these conversations, counted by the measure in `with`.
///
/// # Errors
/// [`ViewError`] when the policy itself is wrong, or `with` holds no measure; requests that cannot be made are counted
/// in the row.
pub fn row(conversations: &[Conversation], policy: &Policy, prices: Prices, with: &With<'_>) -> Result<Row, ViewError> {
    policy.check()?;
    let measure = with.measure.ok_or_else(|| ViewError::Missing("a report counts tokens: hand in a measure".into()))?;
    let mut row = Row::default();
    let mut sums = Sums::default();
    for whole in conversations {
        one(whole, policy, measure, with, &mut row, &mut sums);
    }
    row.tokens = sums.sent;
    row.tokens_full = sums.full;
    let percent = |part: f64, of: f64| if of == 0.0 { 0.0 } else { 100.0 * part / of };
    let cost = |all: u64, cached: u64| all.saturating_sub(cached) as f64 * prices.input + cached as f64 * prices.cached;
    row.cumulative = percent(sums.full as f64 - sums.sent as f64, sums.full as f64);
    row.last = percent(sums.full_last as f64 - sums.last as f64, sums.full_last as f64);
    row.cached = percent(sums.cached as f64, sums.sent as f64);
    row.cost = percent(cost(sums.sent, sums.cached), cost(sums.full, sums.full_cached));
    Ok(row)
}

fn one(whole: &Conversation, policy: &Policy, measure: &dyn Measure, with: &With<'_>, row: &mut Row, sums: &mut Sums) {
    let mut so_far = Conversation::new();
    let mut last = LastRequest::default();
    let (mut full_before, mut full_last, mut sent_last) = (0, 0, 0);
    let mut moves = 0;
    for entry in whole.entries() {
        if entry.message().role == Role::Assistant {
            row.requests = row.requests.saturating_add(1);
            let messages = so_far.tokens(measure.id(), |m| measure.message(m));
            let full = messages.saturating_add(measure.around());
            sums.full = sums.full.saturating_add(full);
            sums.full_cached = sums.full_cached.saturating_add(full_before);
            (full_before, full_last) = (messages, full);
            match view(&so_far, policy, with) {
                Ok(view) => {
                    let warnings = view.events.iter().filter(|e| e.level == Level::Warn).count();
                    row.warnings = row.warnings.saturating_add(warnings as u64);
                    moves = view.moves;
                    let request = last.next(view.shown, &so_far, measure);
                    sums.sent = sums.sent.saturating_add(request.sent);
                    sums.cached = sums.cached.saturating_add(request.cached);
                    sent_last = request.sent;
                    row.breaks = row.breaks.saturating_add(u64::from(request.broke));
                    row.pairs_split = row.pairs_split.saturating_add(request.split);
                    row.system_dropped = row.system_dropped.saturating_add(u64::from(!request.keeps_system));
                    let over = policy.max_tokens.is_some_and(|max| request.sent > max);
                    row.over_budget = row.over_budget.saturating_add(u64::from(over));
                }
                Err(e) => {
                    row.failed = row.failed.saturating_add(1);
                    row.failure.get_or_insert_with(|| e.to_string());
                }
            }
        }
        so_far.append(entry);
    }
    row.moves = row.moves.saturating_add(moves);
    sums.last = sums.last.saturating_add(sent_last);
    sums.full_last = sums.full_last.saturating_add(full_last);
}
