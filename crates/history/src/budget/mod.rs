//! Budgets: tokens of the whole request, then messages; a view that is handed out holds both, or there is none (K-10 to K-15).

mod context;
mod ladder;
mod piece;
mod trim;

use crate::conversation::answered::Answered;
use crate::memo::STRETCH;
use crate::message::Role;
use crate::policy::{Policy, Strategy, When};
use crate::strategy;
use crate::view::context::Measure;
use crate::view::types::{Event, Shown, Tokens, View, ViewError};
use piece::Cutter;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use trim::{Newest, Units};

pub(crate) use context::{Budget, count};

/// What requests took while messages came.
#[derive(Clone, Copy, Debug, Default)]
struct Peak {
    answered: Answered,
    now: u64,
    most: u64,
}

impl Budget<'_> {
    /// What the strategy shows; all where it is to work only over budget and the whole always fitted (K-15). Once it
    /// works it goes on: an input that its retention shortens must not bring back what was compressed before.
    pub fn strategy(&self) -> Result<View, ViewError> {
        if let (When::OverBudget, Some((max, measure))) = (self.policy.when(), self.tokens)
            && self.peak(measure) <= max
        {
            let all = Policy { strategy: Strategy::None, ..self.policy.clone() };
            return strategy::render(self.conversation, &all, self.with);
        }
        let mut view = strategy::render(self.conversation, self.policy, self.with)?;
        if self.policy.when() == When::OverBudget && self.policy.strategy != Strategy::None {
            // That it began to work is a move too.
            view.moves = view.moves.saturating_add(1);
        }
        Ok(view)
    }

    /// Makes the view hold both budgets: first tokens, then messages (D9). Gives the tokens before and after, by the
    /// measure the host handed in.
    pub fn hold(&self, view: &mut View) -> Result<Option<Tokens>, ViewError> {
        let mut after = None;
        if let Some((max, measure)) = self.tokens {
            after = Some(self.hold_tokens(view, max, measure)?);
        }
        if let Some(size) = self.policy.max_history_size.filter(|size| view.shown.len() > *size) {
            self.hold_size(view, size)?;
            after = None;
        }
        let Some(measure) = self.with.measure else { return Ok(None) };
        let after = after.unwrap_or_else(|| self.sum(&view.shown, measure));
        Ok(Some(Tokens { before: self.whole(self.original, measure), after }))
    }

    /// Gives the tokens of the view that is left.
    fn hold_tokens(&self, view: &mut View, max: u64, measure: &dyn Measure) -> Result<u64, ViewError> {
        let cutter = Cutter { budget: self, measure, scene: self.scene(), turns: self.conversation.turns() };
        let mut pieces = cutter.pieces(&view.shown);
        let before = cutter.sum(&pieces);
        if before <= max {
            return Ok(before);
        }
        let systems = &self.conversation.index().systems;
        let system = |s: &&Shown| {
            s.place().is_some_and(|at| systems.binary_search(&at).is_ok()) && s.message.role == Role::System
        };
        let system: Vec<u64> = view.shown.iter().filter(system).map(|s| self.count(s, measure)).collect();
        let of_system = system.iter().fold(measure.around(), |sum, n| sum.saturating_add(*n));
        if !system.is_empty() && of_system > max {
            return Err(ViewError::SystemOverBudget { max_tokens: max, system: of_system });
        }
        if self.policy.ladder {
            pieces = ladder::descend(&cutter, view, pieces, max)?;
        }
        let now = cutter.sum(&pieces);
        let Some(over) = now.checked_sub(max).filter(|over| *over > 0) else { return Ok(now) };
        let dropped = trim::oldest(&cutter.units(&pieces), over).map_err(|pinned| {
            let pinned = pinned.saturating_add(measure.around());
            ViewError::PinnedOverBudget { max_tokens: max, pinned }
        })?;
        let what = dropped.remove(view);
        let after = self.sum(&view.shown, measure);
        view.events.push(Event::info(format!("max_tokens {max}: {what}, {now} to {after} tokens")));
        Ok(after)
    }

    /// K-10, K-11: everything that is sent counts, and whole groups go from the old end, so there may be fewer left.
    fn hold_size(&self, view: &mut View, size: usize) -> Result<(), ViewError> {
        let over = view.shown.len().saturating_sub(size);
        let scene = self.scene();
        let newest = Newest::of(&scene, view.shown.iter().map(|s| s.from.end).max().unwrap_or(0));
        let units = Arc::new(Units::of(&scene, &view.shown, newest, |_| 1));
        let dropped = trim::oldest(&[units], over as u64).map_err(|pinned| ViewError::PinnedOverSize {
            max_history_size: size,
            pinned: usize::try_from(pinned).unwrap_or(usize::MAX),
        })?;
        let what = dropped.remove(view);
        view.events.push(Event::info(format!("max_history_size {size}: {what}, {} are sent", view.shown.len())));
        Ok(())
    }

    /// The most that the request took at any length of the conversation, its inputs whole until they were answered.
    fn peak(&self, measure: &dyn Measure) -> u64 {
        if std::ptr::eq(self.original, self.conversation) {
            return self.whole(self.conversation, measure);
        }
        let (whole, kept) = (self.original.entries(), self.conversation.entries());
        let mut key = DefaultHasher::new();
        (measure.id(), measure.around()).hash(&mut key);
        let key = key.finish();
        // Entries that were answered stand for all before them as it is kept; those behind may yet be shown otherwise.
        let mut ends = self.conversation.ends(self.original.index().answered.before());
        let known = ends.find_map(|(end, last)| Some((end, *last.memo().get::<Peak>(key)?)));
        let known = known.filter(|_| self.policy.enable_token_caching);
        let (from, mut so_far) = known.unwrap_or((0, Peak { now: measure.around(), ..Peak::default() }));
        for (at, entry) in whole.iter().enumerate().skip(from) {
            let before = so_far.answered.before();
            so_far.answered.push(at, entry.message());
            for i in before..so_far.answered.before() {
                let (Some(whole), Some(kept)) = (whole.get(i), kept.get(i)) else { continue };
                so_far.now = so_far.now.saturating_sub(self.count_entry(whole, measure));
                so_far.now = so_far.now.saturating_add(self.count_entry(kept, measure));
            }
            so_far.now = so_far.now.saturating_add(self.count_entry(entry, measure));
            so_far.most = so_far.most.max(so_far.now);
            if at.saturating_add(1).is_multiple_of(STRETCH)
                && self.policy.enable_token_caching
                && let Some(kept) = kept.get(at).filter(|_| at < self.original.index().answered.before())
            {
                kept.memo().set(key, Arc::new(so_far));
            }
        }
        so_far.most
    }
}
