//! What policies would have cost on recorded conversations, side by side.

use crate::conversation::Conversation;
use crate::group::Groups;
use crate::message::{Message, Role};
use crate::policy::{Policy, Prices};
use crate::view::{Measure, Shown, View, ViewError, With, view};
use serde::Serialize;
use std::sync::Arc;

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
    let mut before: Option<View> = None;
    let (mut full_last, mut last) = (0, 0);
    let mut full_before = 0;
    let mut moves = 0;
    let counted =
        |c: &Conversation| c.entries().iter().map(|e| e.tokens(measure.id(), |m| measure.message(m))).sum::<u64>();
    for entry in whole.entries() {
        if entry.message().role == Role::Assistant {
            row.requests = row.requests.saturating_add(1);
            let full = counted(&so_far).saturating_add(measure.around());
            sums.full = sums.full.saturating_add(full);
            sums.full_cached = sums.full_cached.saturating_add(full_before);
            (full_before, full_last) = (full.saturating_sub(measure.around()), full);
            match view(&so_far, policy, with) {
                Ok(view) => {
                    let sent = view
                        .shown
                        .iter()
                        .map(|s| measure.message(&s.message))
                        .sum::<u64>()
                        .saturating_add(measure.around());
                    let cached = before.as_ref().map_or(0, |b| prefix(&b.shown, &view.shown, measure));
                    sums.sent = sums.sent.saturating_add(sent);
                    sums.cached = sums.cached.saturating_add(cached.min(sent));
                    last = sent;
                    row.breaks = row.breaks.saturating_add(u64::from(before.as_ref().is_some_and(|b| view.breaks(b))));
                    row.pairs_split = row.pairs_split.saturating_add(split(&so_far, &view));
                    row.system_dropped = row.system_dropped.saturating_add(u64::from(!keeps_system(&so_far, &view)));
                    row.over_budget =
                        row.over_budget.saturating_add(u64::from(policy.max_tokens.is_some_and(|max| sent > max)));
                    row.warnings = row.warnings.saturating_add(
                        view.events.iter().filter(|e| e.level == crate::view::Level::Warn).count() as u64,
                    );
                    moves = view.moves;
                    before = Some(view);
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
    sums.last = sums.last.saturating_add(last);
    sums.full_last = sums.full_last.saturating_add(full_last);
}

/// Tokens at the start that two requests have in common.
fn prefix(before: &[Shown], now: &[Shown], measure: &dyn Measure) -> u64 {
    let mut tokens = 0_u64;
    for (a, b) in before.iter().zip(now) {
        if Arc::ptr_eq(&a.message, &b.message) || a.message == b.message {
            tokens = tokens.saturating_add(measure.message(&b.message));
            continue;
        }
        if a.message.role == b.message.role {
            let (x, y) = (a.message.text(), b.message.text());
            let common = x.chars().zip(y.chars()).take_while(|(c, d)| c == d).map(|(c, _)| c.len_utf8()).sum::<usize>();
            if let Some(start) = y.get(..common).filter(|s| !s.is_empty()) {
                tokens = tokens.saturating_add(measure.message(&Message::new(a.message.role, start)));
            }
        }
        break;
    }
    tokens
}

/// Halves of pairs in a view whose conversation has both halves.
fn split(conversation: &Conversation, view: &View) -> u64 {
    let open = |groups: &Groups| groups.open().count() as u64;
    let shown = Groups::of(view.shown.iter().map(|s| &*s.message));
    let had = conversation.pairs();
    (open(&shown).saturating_sub(open(had)))
        .saturating_add((shown.orphans() as u64).saturating_sub(had.orphans() as u64))
}

fn keeps_system(conversation: &Conversation, view: &View) -> bool {
    let system = |m: &&Arc<Message>| m.role == Role::System;
    let all: Vec<&Arc<Message>> = conversation.messages().filter(system).collect();
    let shown: Vec<&Arc<Message>> = view.shown.iter().map(|s| &s.message).filter(system).collect();
    all == shown
}
