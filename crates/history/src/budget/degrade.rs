//! Degradation: a view that is over budget is shortened step by step before anything is dropped, each step an event
//! (D8).

use super::context::Budget;
use super::segment::{self, Segment, Segmenter, Segments};
use crate::conversation::message::{Block, Message, Role};
use crate::memo;
use crate::policy::Policy;
use crate::strategy::clear::noted;
use crate::strategy::context::StrategyContext;
use crate::strategy::fold::{self, Lengths};
use crate::strategy::summary::Summary;
use crate::view::reasons::Reason;
use crate::view::types::{Event, View, ViewError, ViewMessage};
use std::cmp::Ordering;
use std::sync::Arc;

/// The steps, from the mildest on. Each works on the result of the ones before it, except the second fold, which
/// replaces the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum DegradationStep {
    /// Long results that the model has seen keep their beginning: this many characters.
    Bound(usize),
    /// All but the newest results become a note.
    Clear,
    /// Turns older than `keep_turns` become a few lines each.
    Fold,
    /// All but the newest group becomes a line for each call and request.
    FoldAll,
    /// All but the newest group becomes one summary.
    Summarise,
}

const STEPS: [DegradationStep; 6] = [
    DegradationStep::Bound(2000),
    DegradationStep::Bound(400),
    DegradationStep::Clear,
    DegradationStep::Fold,
    DegradationStep::FoldAll,
    DegradationStep::Summarise,
];

impl DegradationStep {
    /// A description of the step.
    fn description(self) -> String {
        match self {
            DegradationStep::Bound(most) => format!("results that were seen are bounded to {most} characters"),
            DegradationStep::Clear => "older results are cleared".to_owned(),
            DegradationStep::Fold => "older turns are folded".to_owned(),
            DegradationStep::FoldAll => "all but the newest group is folded".to_owned(),
            DegradationStep::Summarise => "all but the newest group is summarised".to_owned(),
        }
    }
}

/// Takes step after step until the view is within the budget, or no step is left. Returns the remaining segments.
pub(super) fn degrade(
    segmenter: &Segmenter<'_, '_>,
    view: &mut View,
    mut segments: Segments,
    max: u64,
) -> Result<Segments, ViewError> {
    let ladder = Degradation::new(segmenter);
    let mut before = segmenter.sum(&segments);
    let mut unfolded: Segments = Vec::new();
    let mut taken = false;
    for step in STEPS {
        if step == DegradationStep::Fold {
            unfolded.clone_from(&segments);
        }
        let made = match step {
            DegradationStep::Summarise => ladder.summarise(&segments)?,
            DegradationStep::FoldAll => ladder.each(&unfolded, step),
            _ => ladder.each(&segments, step),
        };
        let after = segmenter.sum(&made);
        if after >= before {
            // A step that saves nothing is skipped.
            continue;
        }
        let kept = segment::common(&segments, &made);
        view.stable_prefix = view.stable_prefix.min(kept);
        view.budget_cuts = view
            .budget_cuts
            .saturating_add(segment::count(&segments).max(segment::count(&made)).saturating_sub(kept) as u64);
        view.events.push(Event::info(format!("max_tokens {max}: {}, {before} to {after} tokens", step.description())));
        (segments, before, taken) = (made, after, true);
        if after <= max {
            break;
        }
    }
    if taken {
        view.shown = segment::joined(&segments);
    }
    Ok(segments)
}

struct Degradation<'c, 'b, 'a> {
    segmenter: &'c Segmenter<'b, 'a>,
    budget: &'b Budget<'a>,
    context: &'c StrategyContext<'a>,
    /// The model has seen all messages before this place.
    spoke: usize,
    /// Open calls begin here.
    open_from: usize,
    /// The oldest message with results that are kept, and how many of its results are not; all before it are cleared.
    keeps: (usize, usize),
}

impl<'c, 'b, 'a> Degradation<'c, 'b, 'a> {
    fn new(segmenter: &'c Segmenter<'b, 'a>) -> Self {
        let (budget, context) = (segmenter.budget, &segmenter.context);
        let conversation = budget.conversation;
        Degradation {
            segmenter,
            budget,
            context,
            open_from: context.open_from(conversation.len(), 0),
            spoke: conversation.index().model.last().copied().unwrap_or(0),
            keeps: oldest_kept(budget),
        }
    }

    /// The result of a step for each segment; cached for a segment that lies before all messages that the step leaves
    /// alone.
    fn each(&self, segments: &Segments, step: DegradationStep) -> Segments {
        let end = match step {
            DegradationStep::Bound(_) => self.spoke,
            DegradationStep::Clear => self.spoke.min(self.keeps.0),
            DegradationStep::Fold => self.older(),
            DegradationStep::FoldAll | DegradationStep::Summarise => self.newest(),
        };
        let key = memo::key(step);
        let one = |segment: &Arc<Segment>| {
            let make = || self.take(segment, step).map(|shown| self.segmenter.segment(shown));
            let made = if segment.end <= end { (*segment.memo.get_or(key, make)).clone() } else { make() };
            made.unwrap_or_else(|| Arc::clone(segment))
        };
        segments.iter().map(one).collect()
    }

    /// The result of a step for a segment; `None` where it changes nothing.
    fn take(&self, segment: &Segment, step: DegradationStep) -> Option<Vec<ViewMessage>> {
        let policy = self.budget.policy;
        match step {
            DegradationStep::Bound(most) => self.replace(segment, |at| self.bound(at, most)),
            DegradationStep::Clear => self.replace(segment, |at| self.clear(at)),
            DegradationStep::Fold => self.fold(segment, self.older(), Lengths::folded(policy)),
            DegradationStep::FoldAll => self.fold(segment, self.newest(), Lengths::shrunk(policy)),
            DegradationStep::Summarise => None,
        }
    }

    /// Where the turns that stay whole begin.
    fn older(&self) -> usize {
        let first_kept = self.segmenter.turns.turns.len().checked_sub(self.budget.policy.keep_turns);
        let start = first_kept.and_then(|i| self.segmenter.turns.turns.get(i)).map_or(0, |t| t.start);
        start.min(self.newest())
    }

    /// Where the newest group begins, or the open calls before it.
    fn newest(&self) -> usize {
        self.budget.conversation.groups().last().map_or(0, |g| g.range.start).min(self.open_from)
    }

    /// The turn that holds this place, counted from 1; 0 is before the first.
    fn turn(&self, at: usize) -> usize {
        self.segmenter.turns.turns.partition_point(|t| t.start <= at)
    }

    /// Replaces messages by what `make` returns for them: seen, not pinned, and unchanged or bounded by an earlier
    /// step.
    fn replace(&self, segment: &Segment, make: impl Fn(usize) -> Option<ViewMessage>) -> Option<Vec<ViewMessage>> {
        let mut out: Option<Vec<ViewMessage>> = None;
        for (i, shown) in segment.shown.iter().enumerate() {
            let Some(at) = shown.place().filter(|at| *at < self.spoke && self.context.pinned(*at).is_none()) else {
                continue;
            };
            if (shown.is_whole() || matches!(shown.reason, Reason::Bounded { .. }))
                && let Some(made) = make(at)
                && let Some(place) = out.get_or_insert_with(|| segment.shown.clone()).get_mut(i)
            {
                *place = made;
            }
        }
        out
    }

    fn bound(&self, at: usize, most: usize) -> Option<ViewMessage> {
        let entry = self.budget.conversation.entries().get(at).filter(|e| e.bytes() > most)?;
        (*entry.memo().get_or(memo::key(("bound", most)), || bounded(entry.message(), at, most))).clone()
    }

    fn clear(&self, at: usize) -> Option<ViewMessage> {
        let (oldest, some) = self.keeps;
        let clear = match at.cmp(&oldest) {
            Ordering::Less => self.budget.conversation.get(at)?.answers().count(),
            Ordering::Equal => some,
            Ordering::Greater => 0,
        };
        if clear > 0 { noted(self.context, at, clear, self.turn(at)) } else { None }
    }

    /// Folds each turn before `end`: those of its messages that are still shown; folds of the strategy stay.
    fn fold(&self, segment: &Segment, end: usize, lengths: Lengths) -> Option<Vec<ViewMessage>> {
        let folds = |s: &ViewMessage| {
            let made = matches!(
                s.reason,
                Reason::Summary { .. }
                    | Reason::Folded { .. }
                    | Reason::FoldedTurns { .. }
                    | Reason::Recap
                    | Reason::Made { .. }
                    | Reason::Placeholder
            );
            s.place().filter(|at| *at < end && !made && self.context.pinned(*at).is_none())
        };
        let items = segment.shown.iter().enumerate();
        let items: Vec<(usize, usize, &ViewMessage)> =
            items.filter_map(|(i, s)| folds(s).map(|at| (self.turn(at), i, s))).collect();
        // The replacement of a message: a fold, or nothing where its turn's fold stands before it.
        let mut instead: Vec<Option<Option<ViewMessage>>> = vec![None; segment.shown.len()];
        let mut folded = false;
        for turn in items.chunk_by(|(a, ..), (b, ..)| a == b) {
            let of: Vec<&ViewMessage> = turn.iter().map(|(.., s)| *s).collect();
            let number = turn.first().map_or(0, |(number, ..)| *number);
            let Some(fold) = self.folded(number, &of, lengths) else { continue };
            let whole: u64 = of.iter().map(|s| self.segmenter.count(s)).sum();
            if self.segmenter.count(&fold) >= whole {
                continue;
            }
            folded = true;
            for (nth, (_, i, _)) in turn.iter().enumerate() {
                if let Some(place) = instead.get_mut(*i) {
                    *place = Some((nth == 0).then(|| fold.clone()));
                }
            }
        }
        let all = || segment.shown.iter().zip(instead);
        folded.then(|| all().filter_map(|(s, instead)| instead.unwrap_or_else(|| Some(s.clone()))).collect())
    }

    /// Turn `number` as lines, made from these messages of it.
    fn folded(&self, number: usize, of: &[&ViewMessage], lengths: Lengths) -> Option<ViewMessage> {
        let places: Vec<usize> = of.iter().filter_map(|s| s.place()).collect();
        let (first, last) = (*places.first()?, *places.last()?);
        let conversation = self.budget.conversation;
        let role = self.context.summary_role();
        let key = memo::key(("ladder", &places, number, lengths, role));
        let make = || {
            let messages = places.iter().filter_map(|at| conversation.get(*at).map(|m| &**m));
            let message = fold::message(role, fold::lines(messages, number, lengths));
            let reason = Reason::Folded { turn: number };
            message.map(|m| ViewMessage::made(m, first..last.saturating_add(1), reason))
        };
        (*conversation.entries().get(last)?.memo().get_or(key, make)).clone()
    }

    fn summarise(&self, segments: &Segments) -> Result<Segments, ViewError> {
        let end = self.newest();
        // By rule: a request that must fit cannot wait for another one.
        let policy = Policy { model_summaries: false, ..self.budget.policy.clone() };
        let context = StrategyContext::new(self.budget.conversation, &policy, self.budget.view_context);
        let Some(summary) = Summary::new(&context).of(0..end, &[])? else { return Ok(segments.clone()) };
        let goes = |s: &ViewMessage| s.from.end <= end && s.place().is_none_or(|at| self.context.pinned(at).is_none());
        let mut summary = Some(summary);
        let mut shown: Vec<ViewMessage> = Vec::new();
        for s in segments.iter().flat_map(|p| &p.shown) {
            // It takes the place of the first message that it stands for.
            if goes(s) {
                shown.extend(summary.take());
            } else {
                shown.push(s.clone());
            }
        }
        Ok(vec![self.segmenter.segment(shown)])
    }
}

/// The oldest message with results among the newest `keep_tool_results`, and how many of its results are older.
fn oldest_kept(budget: &Budget<'_>) -> (usize, usize) {
    let mut left = budget.policy.keep_tool_results;
    for (at, message) in budget.conversation.messages().enumerate().rev() {
        let results = message.answers().count();
        if results > left {
            return (at, results.saturating_sub(left));
        }
        left = left.saturating_sub(results);
    }
    (0, 0)
}

/// The message with its long results and long user texts cut to `most` characters, each with a note on where the whole
/// is; `None` where nothing is longer.
fn bounded(message: &Message, at: usize, most: usize) -> Option<ViewMessage> {
    let mut out = message.clone();
    let mut reasons: Vec<Reason> = Vec::new();
    for block in &mut out.content {
        let text = match block {
            Block::ToolResult { content, .. } => Some(content),
            Block::Text { text, .. } if message.role == Role::User => Some(text),
            _ => None,
        };
        reasons.push(text.and_then(|text| shorten(text, at, most)).unwrap_or(Reason::Recent));
    }
    let reason = reasons.iter().find(|w| matches!(w, Reason::Bounded { .. })).copied()?;
    Some(
        ViewMessage { blocks: reasons.into(), ..ViewMessage::made(out, at..at.saturating_add(1), reason) }
            .with_its_tools(),
    )
}

fn shorten(text: &mut String, at: usize, most: usize) -> Option<Reason> {
    // Bytes are never fewer than characters.
    if text.len() <= most {
        return None;
    }
    let chars = text.chars().count();
    if chars <= most {
        return None;
    }
    let note = format!("\n[… of {chars} characters; message {at}]");
    let keep = most.saturating_sub(note.chars().count());
    let end = text.char_indices().nth(keep).map_or(text.len(), |(i, _)| i);
    text.truncate(end);
    text.push_str(&note);
    Some(Reason::Bounded { chars })
}
