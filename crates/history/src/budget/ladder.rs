//! The ladder: a view that is over budget is shortened step by step before anything is dropped, each step an event (D8).

use super::Budget;
use crate::message::{Block, Message, Role};
use crate::policy::Policy;
use crate::strategy::{Lengths, Scene, Summary, Turns, fold_lines, fold_message, noted};
use crate::view::{Event, Measure, Shown, View, ViewError, Why};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// What is done to a view, from the mildest on. Each step works on what the ones before it left, but for the second
/// fold, which takes the place of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Long results that the model has seen keep their beginning: so many characters.
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

const STEPS: [Step; 6] = [Step::Bound(2000), Step::Bound(400), Step::Clear, Step::Fold, Step::FoldAll, Step::Summarise];

/// Goes down the ladder until the view holds the budget, or there is no step left.
pub(super) fn descend(budget: &Budget<'_>, view: &mut View, max: u64, measure: &dyn Measure) -> Result<(), ViewError> {
    let ladder = Ladder::new(budget, measure);
    let mut before = budget.sum(&view.shown, measure);
    let mut unfolded: Vec<Shown> = Vec::new();
    for step in STEPS {
        let old = view.shown.clone();
        let what = match step {
            Step::Bound(most) => {
                ladder.bound(view, most);
                format!("results that were seen are bounded to {most} characters")
            }
            Step::Clear => {
                ladder.clear(view);
                "older results are cleared".to_owned()
            }
            Step::Fold => {
                unfolded.clone_from(&old);
                ladder.fold(view, ladder.older(), Lengths::folded(budget.policy));
                "older turns are folded".to_owned()
            }
            Step::FoldAll => {
                view.shown = std::mem::take(&mut unfolded);
                ladder.fold(view, ladder.newest(), Lengths::shrunk(budget.policy));
                "all but the newest group is folded".to_owned()
            }
            Step::Summarise => {
                ladder.summarise(view)?;
                "all but the newest group is summarised".to_owned()
            }
        };
        let after = budget.sum(&view.shown, measure);
        if after >= before {
            // A step that saves nothing is not taken.
            view.shown = old;
            continue;
        }
        let same = |(a, b): &(&Shown, &Shown)| Arc::ptr_eq(&a.message, &b.message);
        let kept = old.iter().zip(&view.shown).take_while(same).count();
        view.stable = view.stable.min(kept);
        view.squeezed += old.len().max(view.shown.len()).saturating_sub(kept) as u64;
        view.events.push(Event::info(format!("max_tokens {max}: {what}, {before} to {after} tokens")));
        before = after;
        if after <= max {
            break;
        }
    }
    Ok(())
}

struct Ladder<'b, 'a> {
    budget: &'b Budget<'a>,
    measure: &'b dyn Measure,
    scene: Scene<'a>,
    turns: Turns,
    /// The model has seen what stands before this place.
    spoke: usize,
    /// What waits for results begins here.
    live: usize,
}

impl<'b, 'a> Ladder<'b, 'a> {
    fn new(budget: &'b Budget<'a>, measure: &'b dyn Measure) -> Self {
        let conversation = budget.conversation;
        let scene = budget.scene();
        Ladder {
            budget,
            measure,
            live: scene.live(conversation.len(), 0),
            scene,
            turns: Turns::of(conversation),
            spoke: conversation.messages().rposition(|m| m.role == Role::Assistant).unwrap_or(0),
        }
    }

    /// Where the turns begin that stay whole.
    fn older(&self) -> usize {
        let first_kept = self.turns.turns.len().checked_sub(self.budget.policy.keep_turns);
        let start = first_kept.and_then(|i| self.turns.turns.get(i)).map_or(0, |t| t.start);
        start.min(self.newest())
    }

    /// Where the newest group begins, or what waits for results before it.
    fn newest(&self) -> usize {
        self.budget.conversation.groups().last().map_or(0, |g| g.range.start).min(self.live)
    }

    /// Replaces messages by what `make` makes of them: seen, not pinned, and as they are in the conversation or
    /// bounded by a step before.
    fn each(&self, view: &mut View, make: impl Fn(usize) -> Option<Shown>) {
        for shown in &mut view.shown {
            let Some(at) = shown.place().filter(|at| *at < self.spoke && self.scene.pinned(*at).is_none()) else {
                continue;
            };
            let whole = self.budget.conversation.get(at).is_some_and(|m| Arc::ptr_eq(m, &shown.message));
            if (whole || matches!(shown.why, Why::Bounded { .. }))
                && let Some(made) = make(at)
            {
                *shown = made;
            }
        }
    }

    fn bound(&self, view: &mut View, most: usize) {
        self.each(view, |at| {
            let entry = self.budget.conversation.entries().get(at).filter(|e| e.bytes() > most)?;
            let mut key = DefaultHasher::new();
            ("bound", most).hash(&mut key);
            entry.made(key.finish(), || bounded(entry.message(), at, most).into_iter().collect()).first().cloned()
        });
    }

    fn clear(&self, view: &mut View) {
        let results = |m: &Message| m.answers().count();
        let all: usize = self.budget.conversation.messages().map(|m| results(m)).sum();
        let mut older = all.saturating_sub(self.budget.policy.keep_tool_results);
        // How many results of each message are among the older ones.
        let mut clear: HashMap<usize, usize> = HashMap::new();
        for (at, message) in self.budget.conversation.messages().enumerate() {
            let here = results(message).min(older);
            if here > 0 {
                clear.insert(at, here);
            }
            older -= here;
        }
        self.each(view, |at| {
            let turn = self.turns.turns.partition_point(|t| t.start <= at);
            noted(&self.scene, at, *clear.get(&at)?, turn)
        });
    }

    /// Folds each turn before `end`: what is left of it as messages of their own, that is; what the strategy folded
    /// already stays.
    fn fold(&self, view: &mut View, end: usize, lengths: Lengths) {
        let mut places: HashMap<usize, Vec<usize>> = HashMap::new();
        let turn = |at: usize| self.turns.turns.partition_point(|t| t.start <= at);
        let folds = |s: &Shown| {
            let made = matches!(s.why, Why::Summary { .. } | Why::Folded { .. } | Why::Recap | Why::Placeholder);
            s.place().filter(|at| *at < end && !made && self.scene.pinned(*at).is_none())
        };
        for (i, at) in view.shown.iter().enumerate().filter_map(|(i, s)| Some((i, folds(s)?))) {
            places.entry(turn(at)).or_default().push(i);
        }
        let mut made: HashMap<usize, Shown> = HashMap::new();
        let mut gone: Vec<bool> = vec![false; view.shown.len()];
        for (turn, items) in places {
            let of: Vec<&Shown> = items.iter().filter_map(|i| view.shown.get(*i)).collect();
            let Some(fold) = self.folded(turn, &of, lengths) else { continue };
            let whole: u64 = of.iter().map(|s| self.budget.count(s, self.measure)).sum();
            if self.budget.count(&fold, self.measure) >= whole {
                continue;
            }
            for (nth, i) in items.into_iter().enumerate() {
                if nth == 0 {
                    made.insert(i, fold.clone());
                } else if let Some(gone) = gone.get_mut(i) {
                    *gone = true;
                }
            }
        }
        let old = std::mem::take(&mut view.shown);
        let kept = old.into_iter().zip(gone).enumerate().filter(|(_, (_, gone))| !gone);
        view.shown = kept.map(|(i, (s, _))| made.remove(&i).unwrap_or(s)).collect();
    }

    /// Turn `number` as lines, made of these messages of it.
    fn folded(&self, number: usize, of: &[&Shown], lengths: Lengths) -> Option<Shown> {
        let places: Vec<usize> = of.iter().filter_map(|s| s.place()).collect();
        let (first, last) = (*places.first()?, *places.last()?);
        let conversation = self.budget.conversation;
        let role = self.scene.summary_role();
        let mut key = DefaultHasher::new();
        ("ladder", &places, number, lengths, role).hash(&mut key);
        let make = || {
            let messages = places.iter().filter_map(|at| conversation.get(*at).map(|m| &**m));
            let message = fold_message(role, fold_lines(messages, number, lengths));
            let why = Why::Folded { turn: number };
            message.map(|m| Shown::made(m, first..last + 1, why)).into_iter().collect()
        };
        conversation.entries().get(last)?.made(key.finish(), make).first().cloned()
    }

    fn summarise(&self, view: &mut View) -> Result<(), ViewError> {
        let end = self.newest();
        // By rule: what has to fit into a request cannot wait for another one.
        let policy = Policy { model_summaries: false, ..self.budget.policy.clone() };
        let scene = Scene::new(self.budget.conversation, &policy, self.budget.with);
        let Some(summary) = Summary::new(&scene).of(0..end, &[])? else { return Ok(()) };
        let goes = |s: &Shown| s.from.end <= end && s.place().is_none_or(|at| self.scene.pinned(at).is_none());
        let Some(first) = view.shown.iter().position(goes) else { return Ok(()) };
        let mut shown: Vec<Shown> = Vec::new();
        for (i, s) in std::mem::take(&mut view.shown).into_iter().enumerate() {
            if i == first {
                shown.push(summary.clone());
            }
            if !goes(&s) {
                shown.push(s);
            }
        }
        view.shown = shown;
        Ok(())
    }
}

/// The message with its long results and what the user said at length cut to `most` characters, the place of the whole
/// behind them; `None` where nothing is longer.
fn bounded(message: &Message, at: usize, most: usize) -> Option<Shown> {
    let mut out = message.clone();
    let mut whys: Vec<Why> = Vec::new();
    for block in &mut out.content {
        let text = match block {
            Block::ToolResult { content, .. } => Some(content),
            Block::Text { text, .. } if message.role == Role::User => Some(text),
            _ => None,
        };
        whys.push(text.and_then(|text| shorten(text, at, most)).unwrap_or(Why::Recent));
    }
    let why = whys.iter().find(|w| matches!(w, Why::Bounded { .. })).copied()?;
    Some(Shown { blocks: whys.into(), ..Shown::made(out, at..at + 1, why) }.with_its_tools())
}

fn shorten(text: &mut String, at: usize, most: usize) -> Option<Why> {
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
    Some(Why::Bounded { chars })
}
