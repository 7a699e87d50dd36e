//! What policies would have cost on recorded conversations, compared.

mod last_request;
pub mod why;

use crate::conversation::Conversation;
use crate::conversation::message::Role;
use crate::pipeline::view;
use crate::policy::{Policy, Prices};
use crate::strategy;
use crate::view::{Level, TokenCounter, View, ViewContext, ViewError};
use last_request::{LastRequest, RequestFigures};
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

/// What `policy` would have cost on these conversations, by the counter in `view_context`.
///
/// # Errors
/// [`ViewError`] when the policy itself is invalid, or there is no counter; requests that cannot be made are counted in
/// the row.
pub fn row(
    conversations: &[Conversation],
    policy: &Policy,
    prices: Prices,
    view_context: &ViewContext<'_>,
) -> Result<Row, ViewError> {
    let counter =
        view_context.counter.ok_or_else(|| ViewError::Missing("a report counts tokens: hand in a measure".into()))?;
    let counted: Vec<Counted<'_>> = conversations.iter().map(|conversation| (conversation, counter)).collect();
    row_of(&counted, Some(policy), prices, view_context)
}

/// A conversation, and what counts its tokens.
pub type Counted<'a> = (&'a Conversation, &'a dyn TokenCounter);

/// What `policy` would have cost on these conversations, each by a counter of its own. Without a policy it is the row of
/// full history: every message as it was recorded, also those that no provider accepts.
///
/// # Errors
/// [`ViewError`] when the policy itself is invalid; requests that cannot be made are counted in the row.
pub fn row_of(
    conversations: &[Counted<'_>],
    policy: Option<&Policy>,
    prices: Prices,
    view_context: &ViewContext<'_>,
) -> Result<Row, ViewError> {
    policy.map_or(Ok(()), Policy::check)?;
    let mut row = Row::default();
    let mut sums = Sums::default();
    for (whole, counter) in conversations {
        let view_context = ViewContext { counter: Some(*counter), ..*view_context };
        one(whole, policy, *counter, &view_context, &mut row, &mut sums);
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

/// Goes through a conversation, request by request. Where nothing moves for long it looks ahead: two views between
/// which the boundary did not move extend each other, and so do all between them (B-16, B-17), so these need not be
/// made.
fn one(
    whole: &Conversation,
    policy: Option<&Policy>,
    counter: &dyn TokenCounter,
    view_context: &ViewContext<'_>,
    row: &mut Row,
    sums: &mut Sums,
) {
    let model = whole.entries().iter().enumerate().filter(|(_, e)| e.message().role == Role::Assistant);
    let requests: Vec<usize> = model.map(|(at, _)| at).collect();
    let everything = Policy::default();
    let view = |talk: &Conversation| match policy {
        Some(policy) => view(talk, policy, view_context),
        None => Ok(strategy::whole(talk, &everything, view_context)),
    };
    let policy = policy.unwrap_or(&everything);
    let mut replay = Replay::new(whole, counter, policy.max_tokens, row, sums);
    // A budget cuts each request by itself, a model may be asked for each, and of a strategy of the host's own it is not
    // known when its boundary moves.
    let looks_ahead = policy.max_tokens.is_none()
        && policy.max_history_size.is_none()
        && view_context.summarizer.is_none()
        && view_context.strategy.is_none();
    let mut talk = Conversation::new();
    let mut rest = requests.as_slice();
    while let Some(next) = rest.first() {
        let ahead = if looks_ahead { replay.ahead().min(rest.len().saturating_sub(1)) } else { 0 };
        let at = *rest.get(ahead).unwrap_or(next);
        let more = whole.entries().get(talk.len()..at).unwrap_or_default();
        more.iter().for_each(|entry| talk.append(entry));
        // This many requests extend each other, as this view shows; then comes one that does not, or that is the next.
        let (mut calm, mut shows, mut other) = (0, None, None);
        match view(&talk) {
            Ok(view) if ahead > 0 && replay.extends(&view) => (calm, shows) = (ahead.saturating_add(1), Some(view)),
            seen => {
                let mut first = (ahead, seen);
                while calm < first.0 {
                    let middle = calm.saturating_add(first.0.saturating_sub(calm) / 2);
                    let until = whole.up_to(rest.get(middle).copied().unwrap_or(at));
                    match view(&until) {
                        Ok(view) if replay.extends(&view) => (calm, shows) = (middle.saturating_add(1), Some(view)),
                        seen => (first, talk) = ((middle, seen), until),
                    }
                }
                other = Some(first.1);
            }
        }
        let (passed, behind) = rest.split_at(calm.min(rest.len()));
        if let Some(view) = shows {
            replay.pass(passed, view);
        }
        rest = behind;
        if let (Some(seen), Some((at, behind))) = (other, rest.split_first()) {
            replay.take(*at, seen);
            rest = behind;
        }
    }
    replay.end();
}

/// Requests that must extend each other before some are skipped.
const MIN_CALM_REQUESTS: usize = 64;

/// The requests of a conversation so far.
struct Replay<'a> {
    last: LastRequest<'a>,
    overhead: u64,
    max_tokens: Option<u64>,
    row: &'a mut Row,
    sums: &'a mut Sums,
    /// Of the view before.
    moves: u64,
    warnings: u64,
    /// Requests in a row that extended the one before.
    calm: usize,
    /// Tokens of the last request as it was sent, of full history in its place, and of that without the frame.
    sent: u64,
    full: u64,
    messages: u64,
}

fn warnings(view: &View) -> u64 {
    view.events.iter().filter(|e| e.level == Level::Warn).count() as u64
}

impl<'a> Replay<'a> {
    fn new(
        whole: &'a Conversation,
        counter: &'a dyn TokenCounter,
        max_tokens: Option<u64>,
        row: &'a mut Row,
        sums: &'a mut Sums,
    ) -> Self {
        let (last, overhead) = (LastRequest::new(whole, counter), counter.overhead());
        Replay { last, overhead, max_tokens, row, sums, moves: 0, warnings: 0, calm: 0, sent: 0, full: 0, messages: 0 }
    }

    /// How many requests after the next one are checked with it: the more, the longer nothing moved.
    fn ahead(&self) -> usize {
        if self.calm < MIN_CALM_REQUESTS { 0 } else { self.calm / 2 }
    }

    /// Whether a later view begins with the whole request before, and goes on with messages as they came.
    fn extends(&self, view: &View) -> bool {
        let more = view.shown.get(self.last.len()..).unwrap_or_default();
        view.boundary_moves == self.moves
            && view.budget_cuts == 0
            && warnings(view) == self.warnings
            && self.last.common(&view.shown) == self.last.len()
            && more.iter().all(|s| s.place().is_some())
            && more.is_sorted_by_key(|s| s.from.end)
    }

    /// Adds the requests before these messages, all of which begin this view.
    fn pass(&mut self, requests: &[usize], view: View) {
        let mut more = view.shown.into_iter().skip(self.last.len()).peekable();
        for at in requests {
            self.add_messages(*at);
            let request = self.last.extend(std::iter::from_fn(|| more.next_if(|s| s.from.end <= *at)));
            self.add(&request);
            self.calm = self.calm.saturating_add(1);
        }
    }

    /// Adds the request before message `at`.
    fn take(&mut self, at: usize, seen: Result<View, ViewError>) {
        self.add_messages(at);
        match seen {
            Ok(view) => {
                let before = (self.moves, self.warnings);
                (self.moves, self.warnings) = (view.boundary_moves, warnings(&view));
                let moved = view.budget_cuts > 0 || before != (self.moves, self.warnings);
                let request = self.last.next(view.shown);
                self.calm = if moved || request.broke { 0 } else { self.calm.saturating_add(1) };
                self.add(&request);
            }
            Err(e) => {
                self.calm = 0;
                self.row.failed = self.row.failed.saturating_add(1);
                self.row.failure.get_or_insert_with(|| e.to_string());
            }
        }
    }

    /// What full history would have sent before message `at`.
    fn add_messages(&mut self, at: usize) {
        self.row.requests = self.row.requests.saturating_add(1);
        self.sums.full_cached = self.sums.full_cached.saturating_add(self.messages);
        self.messages = self.last.add_messages(at);
        self.full = self.messages.saturating_add(self.overhead);
        self.sums.full = self.sums.full.saturating_add(self.full);
    }

    fn add(&mut self, request: &RequestFigures) {
        let (row, sums) = (&mut *self.row, &mut *self.sums);
        sums.sent = sums.sent.saturating_add(request.sent);
        sums.cached = sums.cached.saturating_add(request.cached);
        self.sent = request.sent;
        row.breaks = row.breaks.saturating_add(u64::from(request.broke));
        row.pairs_split = row.pairs_split.saturating_add(request.split);
        row.system_dropped = row.system_dropped.saturating_add(u64::from(!request.keeps_system));
        let over = self.max_tokens.is_some_and(|max| request.sent > max);
        row.over_budget = row.over_budget.saturating_add(u64::from(over));
        row.warnings = row.warnings.saturating_add(self.warnings);
    }

    fn end(self) {
        self.row.moves = self.row.moves.saturating_add(self.moves);
        self.sums.last = self.sums.last.saturating_add(self.sent);
        self.sums.full_last = self.sums.full_last.saturating_add(self.full);
    }
}
