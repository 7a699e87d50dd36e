//! Applies a strategy of the host's own: checks its selection, and puts back messages that may not be dropped.

use super::context::StrategyContext;
use crate::conversation::groups::GroupKind;
use crate::conversation::message::Block;
use crate::view::reasons::Reason;
use crate::view::strategy::{CustomStrategy, Selected, StrategyInput};
use crate::view::types::{Event, View, ViewError, ViewMessage, list};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) fn draft(context: &StrategyContext<'_>, strategy: &dyn CustomStrategy) -> Result<View, ViewError> {
    let (conversation, name) = (context.conversation, strategy.name());
    let len = conversation.len();
    let open_from = context.open_from(len, 0);
    // The newest message is shown, and where it has results, so are the calls that they answer.
    let newest = conversation.groups().last().filter(|g| g.kind == GroupKind::Exchange).map(|g| g.range.start);
    let last_exchange = newest.map(|from| from.min(open_from)).or((open_from < len).then_some(open_from));
    let pinned_from = last_exchange.unwrap_or(len.saturating_sub(1));
    let input = StrategyInput {
        conversation,
        policy: context.policy,
        counter: context.view_context.counter,
        now: context.view_context.now,
        open_from,
        pinned: context.pinned_in(0..len),
        pinned_from,
    };
    let selected = select(strategy, &input).map_err(|problem| ViewError::Strategy { name, problem })?;
    check(&selected, len).map_err(|problem| ViewError::Strategy { name, problem })?;
    let mut out = Output { context, input: &input, shown: Vec::with_capacity(selected.len()), put_back: Vec::new() };
    let (mut next, mut stable_prefix) = (0, 0);
    for one in selected {
        match one {
            Selected::Message(at) => {
                // Whatever is left out before it may move; what is shown up to here need not.
                let gap = at > next;
                out.put_back(next..at);
                if gap {
                    stable_prefix = out.shown.len();
                }
                let reason = context.pinned(at).unwrap_or(out.reason(at, Reason::Selected { by: name }));
                out.shown.push(context.show(at, reason));
                next = at.saturating_add(1);
            }
            Selected::Instead { of, mut message } => {
                out.put_back(next..of.start);
                // Pinned messages come before what stands for the others, open calls and the newest message behind it.
                let older = of.end.min(pinned_from).max(of.start);
                out.put_back(of.start..older);
                next = of.end;
                let mut at = out.shown.len();
                if next > pinned_from {
                    let pinned = |s: &ViewMessage| s.is_whole() && s.from.start >= pinned_from;
                    at = out.shown.iter().position(pinned).unwrap_or(at);
                    // Its calls and results are those of messages that are shown beside it.
                    if last_exchange.is_some() {
                        message.content.retain(|b| !matches!(b, Block::ToolUse { .. } | Block::ToolResult { .. }));
                    }
                }
                out.shown.insert(at, ViewMessage::made(message, of, Reason::Made { by: name }));
                stable_prefix = at.saturating_add(1);
                out.put_back(older..next);
            }
        }
    }
    if next < len {
        out.put_back(next..len);
        stable_prefix = out.shown.len();
    }
    let whole = out.shown.iter().filter(|s| s.is_whole()).count();
    let mut events = Vec::new();
    if !out.put_back.is_empty() {
        events.push(Event::debug(format!(
            "strategy {name}: messages that are always shown were put back (messages {})",
            list(&out.put_back)
        )));
    }
    Ok(View {
        // With each further message that is not shown unchanged the boundary has moved.
        boundary_moves: len.saturating_sub(whole) as u64,
        stable_prefix: stable_prefix.min(out.shown.len()),
        shown: out.shown,
        events,
        ..View::default()
    })
}

/// What the strategy selects; a panic in it is an error like any other of it.
fn select(strategy: &dyn CustomStrategy, input: &StrategyInput<'_>) -> Result<Vec<Selected>, String> {
    // Nothing that it was lent can be changed through it: conversations and policies are only read.
    catch_unwind(AssertUnwindSafe(|| strategy.select(input))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(text.map_or_else(|| "it panicked".to_owned(), |text| format!("it panicked: {text}")))
    })
}

/// Whether the places exist and are in order, each at most once.
fn check(selected: &[Selected], len: usize) -> Result<(), String> {
    let mut next = 0;
    for one in selected {
        let of = match one {
            Selected::Message(at) => *at..at.saturating_add(1),
            Selected::Instead { of, .. } => of.clone(),
        };
        if matches!(one, Selected::Instead { .. }) && of.is_empty() {
            return Err(format!("a message stands for none ({}..{}); say which it stands for", of.start, of.end));
        }
        if of.start >= len || of.end > len {
            let last = of.start.max(of.end.saturating_sub(1));
            return Err(format!("there is no message {last}; the conversation has {len}, counted from 0"));
        }
        if of.start < next {
            return Err(format!(
                "message {} comes after message {}; each may be selected once, in the order of the conversation",
                of.start,
                next.saturating_sub(1)
            ));
        }
        next = of.end;
    }
    Ok(())
}

struct Output<'a, 'b> {
    context: &'a StrategyContext<'b>,
    input: &'a StrategyInput<'a>,
    shown: Vec<ViewMessage>,
    put_back: Vec<usize>,
}

impl Output<'_, '_> {
    /// The reason of an unchanged message that no pin explains.
    fn reason(&self, at: usize, otherwise: Reason) -> Reason {
        if at >= self.input.open_from { Reason::Open } else { otherwise }
    }

    /// Adds the messages of this range that are always shown.
    fn put_back(&mut self, range: std::ops::Range<usize>) {
        for at in range.filter(|at| self.input.is_pinned(*at)) {
            let reason = self.context.pinned(at).unwrap_or(self.reason(at, Reason::Recent));
            self.shown.push(self.context.show(at, reason));
            self.put_back.push(at);
        }
    }
}
