//! `auto`: recent turns whole, older ones folded, the boundary moved when that saves more than it costs.
//!
//! The view has three parts: the messages before the first turn; folded turns, a line for each call, answer and
//! request; and the newest turns, whole. With `shrink_after = N` there is one more between the latter two: recently
//! folded turns, a few lines each. A turn only ever moves from a later part to an earlier one, and only when the
//! boundary moves, so between moves each view extends the one before it byte for byte. No model is needed, and lines
//! carry the number of their turn, by which the whole turn is read.

mod index;
mod plan;

pub use crate::view::step::Step;
pub use plan::{Plan, plan};

use super::context::StrategyContext;
use super::fold::{self, Lengths};
use crate::conversation::message::Message;
use crate::conversation::turns::Turns;
use crate::memo;
use crate::policy::ShrinkAfter;
use crate::view::reasons::Reason;
use crate::view::types::{View, ViewMessage};
use plan::PlanState;
use std::ops::Range;

pub(super) fn draft(context: &StrategyContext<'_>) -> View {
    let turns = context.conversation.turns();
    // Turns with open calls are not folded (F-12).
    let open_from = context.open_from(context.conversation.len(), 0);
    let over = turns.turns.partition_point(|t| t.start < open_from);
    let plan = planned(context, turns, over);
    let mut shown: Vec<ViewMessage> = Vec::with_capacity(context.conversation.len());
    push_opening(context, turns.opening.clone(), plan.folded() > 0, &mut shown);
    for (i, step) in plan.steps.iter().enumerate() {
        let form = match context.policy.shrink_after {
            ShrinkAfter::AtOnce => Form::Index(index::lengths(context.policy)),
            ShrinkAfter::Moves(_) if i < plan.shrunk => Form::Lines(Lengths::shrunk(context.policy)),
            ShrinkAfter::Moves(_) => Form::Lines(Lengths::folded(context.policy)),
        };
        folded(context, turns, step.turns.clone(), form, &mut shown);
    }
    let stable_prefix = shown.len();
    let folded = plan.folded();
    let rest = turns.turns.get(folded).map_or(context.conversation.len(), |t| t.start);
    shown.extend(
        (rest..context.conversation.len()).map(|at| context.show(at, context.pinned(at).unwrap_or(Reason::Recent))),
    );
    let boundary_moves = plan.boundary_moves;
    let steps = plan.steps.into_iter().chain(plan.next).collect();
    View { shown, boundary_moves, stable_prefix, steps, ..View::default() }
}

/// How folded turns are written.
#[derive(Clone, Copy, Hash)]
enum Form {
    /// A few lines each, or a line for each call and request.
    Lines(Lengths),
    /// A line for each call, answer and request, calls of one kind in one line.
    Index(Lengths),
}

/// The messages before the first turn. Once turns are folded, those that are not pinned are folded too: the task under
/// `pin_task = false` (D5). An existing summary stays as it is.
fn push_opening(context: &StrategyContext<'_>, opening: Range<usize>, folds: bool, out: &mut Vec<ViewMessage>) {
    let mut run = Run::new(context, opening.start);
    for at in opening.clone() {
        let message = context.conversation.get(at);
        let stays = context.pinned(at).is_some() || message.is_some_and(|m| m.summary_of().is_some());
        if folds && !stays {
            let shown = context.unpinned(at..at.saturating_add(1));
            let lines = fold::lines(shown.iter().map(|m| &**m), 0, Lengths::folded(context.policy));
            run.lines.extend(lines.into_iter().map(|l| (l, Reason::Folded { turn: 0 })));
            continue;
        }
        run.end(at, out);
        out.push(context.show(at, context.pinned(at).unwrap_or(Reason::Recent)));
        run = Run::new(context, at.saturating_add(1));
    }
    // Nothing is made for messages that are shown unchanged.
    if folds {
        run.end(opening.end, out);
    }
}

fn bytes(context: &StrategyContext<'_>, range: Range<usize>) -> usize {
    context.conversation.entries().get(range).unwrap_or_default().iter().map(|e| e.bytes()).sum()
}

/// The plan for the first `over` turns. Decisions before a cut between turns are final, and cached there.
fn planned(context: &StrategyContext<'_>, turns: &Turns, over: usize) -> Plan {
    let p = context.policy;
    let prices = (p.prices.input.to_bits(), p.prices.cached.to_bits());
    let key = memo::key((p.keep_turns, p.batch_turns, p.shrink_after, Lengths::folded(p), prices));
    let size = |turn: usize| turns.turns.get(turn).map_or(0, |t| bytes(context, t.clone()));
    // The length of a conversation is not limited.
    let unlimited = |_| None;
    let mut so_far = PlanState::default();
    let mut plan = Plan::default();
    for (turn, start) in turns.cuts().take_while(|(turn, _)| *turn <= over) {
        let Some(end) = start.checked_sub(1).and_then(|at| context.conversation.entries().get(at)) else { break };
        let known = end.memo().get_or(key, || {
            let (mut now, mut moved) = (so_far, Plan::default());
            now.go_on(p, turn, size, unlimited, &mut moved);
            let steps: Vec<Step> = moved.steps.into_iter().chain(moved.next).collect();
            (now, steps)
        });
        let (then, moved) = &*known;
        moved.iter().for_each(|step| plan.push(Some(step.clone())));
        so_far = *then;
    }
    so_far.go_on(p, over, size, unlimited, &mut plan);
    Plan { shrunk: so_far.shrunk, boundary_moves: so_far.boundary_moves, ..plan }
}

/// The messages of a batch of turns: made once, for a batch never changes again except to shrink. A turn whose lines
/// are not shorter than itself stays whole, and so do turns whose lines are not shorter together.
fn folded(context: &StrategyContext<'_>, turns: &Turns, batch: Range<usize>, form: Form, out: &mut Vec<ViewMessage>) {
    let whole = turns.turns.get(batch.clone()).unwrap_or_default();
    let (Some(first), Some(last)) = (whole.first(), whole.last()) else { return };
    let Some(end) = last.end.checked_sub(1).and_then(|at| context.conversation.entries().get(at)) else { return };
    let key = memo::key((first.start, form, context.summary_role().as_str(), context.pinning()));
    let made = end.memo().get_or(key, || {
        let mut made = Vec::new();
        let mut run = Run::new(context, first.start);
        for (i, turn) in whole.iter().enumerate() {
            let number = batch.start.saturating_add(i).saturating_add(1);
            // Kept messages stay in place (F-13), the lines for the rest of their turn come after them.
            if !context.pinned_in(turn.clone()).is_empty() {
                run.end(turn.start, &mut made);
                run = Run::new(context, turn.start);
            }
            match form {
                Form::Lines(lengths) => {
                    let messages = context.unpinned(turn.clone());
                    let lines = fold::lines(messages.iter().map(|m| &**m), number, lengths);
                    let lines = lines.into_iter().map(|l| (l, Reason::Folded { turn: number }));
                    let mut alone = Run { lines: lines.collect(), ..Run::new(context, turn.start) };
                    if alone.is_shorter(turn.end) {
                        run.lines.append(&mut alone.lines);
                        continue;
                    }
                }
                Form::Index(lengths) => {
                    let messages = context.unpinned(turn.clone());
                    let items = index::items(messages.iter().map(|m| &**m), lengths);
                    let mut alone = Run { turns: vec![(number, items)], ..Run::new(context, turn.start) };
                    if alone.is_shorter(turn.end) {
                        run.turns.append(&mut alone.turns);
                        continue;
                    }
                }
            }
            run.end(turn.start, &mut made);
            made.extend(turn.clone().map(|at| context.keep_whole(at)));
            run = Run::new(context, turn.end);
        }
        run.end(last.end, &mut made);
        made
    });
    out.extend(made.iter().cloned());
}

/// Consecutive messages that become one message of lines.
struct Run<'a, 'b> {
    context: &'a StrategyContext<'b>,
    from: usize,
    /// Its lines, with what each is.
    lines: Vec<(String, Reason)>,
    /// What its lines are made of, where lines of several turns may become one.
    turns: Vec<(usize, Vec<index::IndexItem>)>,
}

impl<'a, 'b> Run<'a, 'b> {
    fn new(context: &'a StrategyContext<'b>, from: usize) -> Self {
        Run { context, from, lines: Vec::new(), turns: Vec::new() }
    }

    /// The message, and what each of its lines is.
    fn message(&self) -> Option<(Message, Vec<Reason>)> {
        let reason = |l: &index::IndexLine| match (l.first, l.last) {
            (turn, last) if turn == last => Reason::Folded { turn },
            (first, last) => Reason::FoldedTurns { first, last },
        };
        let index =
            index::lines(&self.turns).into_iter().map(|l| (reason(&l), l.text)).map(|(reason, text)| (text, reason));
        let (texts, reasons): (Vec<String>, Vec<Reason>) = self.lines.iter().cloned().chain(index).unzip();
        fold::message(self.context.summary_role(), texts).map(|message| (message, reasons))
    }

    /// Whether it is shorter than the messages up to `end`. No lines at all are shorter.
    fn is_shorter(&self, end: usize) -> bool {
        self.message().is_none_or(|(message, _)| self.context.is_shorter(&message, self.from..end))
    }

    /// Adds the pinned messages, then the lines; or all messages unchanged where that is not longer.
    fn end(self, end: usize, out: &mut Vec<ViewMessage>) {
        let (context, range) = (self.context, self.from..end);
        let Some((message, reasons)) = self.message() else {
            out.extend(context.pinned_in(range).iter().map(|(at, reason)| context.show(*at, *reason)));
            return;
        };
        if !context.is_shorter(&message, range.clone()) {
            out.extend(range.map(|at| context.keep_whole(at)));
            return;
        }
        let kept = context.pinned_in(range.clone());
        out.extend(kept.iter().map(|(at, reason)| context.show(*at, *reason)));
        let of = range.len().saturating_sub(kept.len());
        // The lines come after the pinned messages of their first turn, so they stand for the others.
        let from = range.clone().find(|at| context.pinned(*at).is_none()).unwrap_or(range.start);
        out.push(ViewMessage {
            blocks: reasons.into(),
            ..ViewMessage::made(message, from..range.end, Reason::Summary { of })
        });
    }
}
