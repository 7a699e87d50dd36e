//! Budgets: tokens of the whole request, then messages; a view that is returned keeps both, or there is an error (K-10
//! to K-15).

mod context;
mod degrade;
mod segment;
mod trim;

use crate::conversation::answered::Answered;
use crate::conversation::message::Role;
use crate::memo::{self, CHUNK_LEN};
use crate::policy::When;
use crate::strategy;
use crate::view::counter::TokenCounter;
use crate::view::types::{Event, Tokens, View, ViewError, ViewMessage};
use segment::Segmenter;
use std::sync::Arc;
use trim::{Newest, Units};

pub(crate) use context::Budget;

/// The sizes of requests as messages came.
#[derive(Clone, Copy, Debug, Default)]
struct PeakTokens {
    answered: Answered,
    now: u64,
    most: u64,
}

impl Budget<'_> {
    /// The view of the strategy; the whole conversation where the strategy applies only over budget and the whole
    /// always fitted (K-15). Once it has been applied it always is: an input that its retention shortens must not bring
    /// back older messages.
    pub fn strategy(&self) -> Result<View, ViewError> {
        if let (When::OverBudget, Some((max, counter))) = (self.policy.when(), self.tokens)
            && self.peak(counter) <= max
        {
            return Ok(strategy::whole(self.conversation, self.policy, self.view_context));
        }
        let mut view = strategy::render(self.conversation, self.policy, self.view_context)?;
        if self.policy.when() == When::OverBudget && strategy::name(self.policy, self.view_context).is_some() {
            // Beginning to apply it is a move too.
            view.boundary_moves = view.boundary_moves.saturating_add(1);
        }
        Ok(view)
    }

    /// Makes the view keep both budgets: first tokens, then messages (D9). Returns the tokens before and after, by the
    /// host's counter.
    pub fn enforce(&self, view: &mut View) -> Result<Option<Tokens>, ViewError> {
        let mut after = None;
        if let Some((max, counter)) = self.tokens {
            after = Some(self.enforce_tokens(view, max, counter)?);
        }
        if let Some(size) = self.policy.max_history_size.filter(|size| view.shown.len() > *size) {
            self.enforce_size(view, size)?;
            after = None;
        }
        let Some(counter) = self.view_context.counter else { return Ok(None) };
        let after = after.unwrap_or_else(|| self.sum(&view.shown, counter));
        Ok(Some(Tokens { before: self.whole(self.original, counter), after }))
    }

    /// Returns the tokens of the remaining view.
    fn enforce_tokens(&self, view: &mut View, max: u64, counter: &dyn TokenCounter) -> Result<u64, ViewError> {
        let segmenter = Segmenter { budget: self, counter, context: self.context(), turns: self.conversation.turns() };
        let mut segments = segmenter.segments(&view.shown);
        let before = segmenter.sum(&segments);
        if before <= max {
            return Ok(before);
        }
        let systems = &self.conversation.index().systems;
        let system = |s: &&ViewMessage| {
            s.place().is_some_and(|at| systems.binary_search(&at).is_ok()) && s.message.role == Role::System
        };
        let system: Vec<u64> = view.shown.iter().filter(system).map(|s| self.count(s, counter)).collect();
        let of_system = system.iter().fold(counter.overhead(), |sum, n| sum.saturating_add(*n));
        if !system.is_empty() && of_system > max {
            return Err(ViewError::SystemOverBudget { max_tokens: max, system: of_system });
        }
        if self.policy.ladder {
            segments = degrade::degrade(&segmenter, view, segments, max)?;
        }
        let now = segmenter.sum(&segments);
        let Some(over) = now.checked_sub(max).filter(|over| *over > 0) else { return Ok(now) };
        let dropped = trim::oldest(&segmenter.units(&segments), over).map_err(|pinned| {
            let pinned = pinned.saturating_add(counter.overhead());
            ViewError::PinnedOverBudget { max_tokens: max, pinned }
        })?;
        let what = dropped.remove(view);
        let after = self.sum(&view.shown, counter);
        view.events.push(Event::info(format!("max_tokens {max}: {what}, {now} to {after} tokens")));
        Ok(after)
    }

    /// K-10, K-11: everything that is sent counts, and whole groups are dropped from the old end, so there may be fewer
    /// left.
    fn enforce_size(&self, view: &mut View, size: usize) -> Result<(), ViewError> {
        let over = view.shown.len().saturating_sub(size);
        let context = self.context();
        let newest = Newest::of(&context, view.shown.iter().map(|s| s.from.end).max().unwrap_or(0));
        let units = Arc::new(Units::of(&context, &view.shown, newest, |_| 1));
        let dropped = trim::oldest(&[units], over as u64).map_err(|pinned| ViewError::PinnedOverSize {
            max_history_size: size,
            pinned: usize::try_from(pinned).unwrap_or(usize::MAX),
        })?;
        let what = dropped.remove(view);
        view.events.push(Event::info(format!("max_history_size {size}: {what}, {} are sent", view.shown.len())));
        Ok(())
    }

    /// The most tokens that the request had at any length of the conversation, with inputs whole until they were
    /// answered.
    fn peak(&self, counter: &dyn TokenCounter) -> u64 {
        if std::ptr::eq(self.original, self.conversation) {
            return self.whole(self.conversation, counter);
        }
        let (whole, kept) = (self.original.entries(), self.conversation.entries());
        let key = memo::key((counter.id(), counter.overhead()));
        // The cached state at an answered entry covers all messages before it as they are kept; those after it may
        // still change.
        let mut ends = self.conversation.ends(self.original.index().answered().before());
        let known = ends.find_map(|(end, last)| Some((end, *last.memo().get::<PeakTokens>(key)?)));
        let known = known.filter(|_| self.policy.enable_token_caching);
        let (from, mut so_far) = known.unwrap_or((0, PeakTokens { now: counter.overhead(), ..PeakTokens::default() }));
        for (at, entry) in whole.iter().enumerate().skip(from) {
            let before = so_far.answered.before();
            so_far.answered.push(at, entry.message());
            for i in before..so_far.answered.before() {
                let (Some(whole), Some(kept)) = (whole.get(i), kept.get(i)) else { continue };
                so_far.now = so_far.now.saturating_sub(self.count_entry(whole, counter));
                so_far.now = so_far.now.saturating_add(self.count_entry(kept, counter));
            }
            so_far.now = so_far.now.saturating_add(self.count_entry(entry, counter));
            so_far.most = so_far.most.max(so_far.now);
            if at.saturating_add(1).is_multiple_of(CHUNK_LEN)
                && self.policy.enable_token_caching
                && let Some(kept) = kept.get(at).filter(|_| at < self.original.index().answered().before())
            {
                kept.memo().set(key, Arc::new(so_far));
            }
        }
        so_far.most
    }
}
