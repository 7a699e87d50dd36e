//! Trimming: whole groups are dropped from the oldest end, never pinned messages (K-11, K-14, F-12, F-13).

use crate::strategy::context::StrategyContext;
use crate::view::types::{View, ViewMessage};
use std::sync::Arc;

/// Messages of a view in units that stay or are dropped as a whole, in order.
#[derive(Debug)]
pub(super) struct Units {
    /// The unit of each message.
    of: Vec<usize>,
    units: Vec<Unit>,
}

#[derive(Debug)]
struct Unit {
    size: u64,
    pinned: bool,
}

/// What is pinned besides the messages that the context pins: open calls and the newest message.
#[derive(Clone, Copy)]
pub(super) struct Newest {
    /// Where the open calls begin.
    open_from: usize,
    /// Where the view ends.
    end: usize,
}

impl Newest {
    /// Of a view that ends before place `end` of the conversation.
    pub fn of(context: &StrategyContext<'_>, end: usize) -> Self {
        Newest { open_from: context.open_from(context.conversation.len(), 0), end }
    }

    /// Whether everything that ends before this place is older.
    pub fn is_behind(&self, end: usize) -> bool {
        end <= self.open_from && end < self.end
    }
}

/// The messages to drop.
pub(super) struct Dropped {
    groups: usize,
    /// Whether to drop it, for each message of the view.
    goes: Vec<bool>,
}

impl Units {
    /// The units of these messages: a group of the conversation is one, and so is a message made for several groups.
    /// `size` is the size of a message.
    pub fn of(
        context: &StrategyContext<'_>,
        shown: &[ViewMessage],
        newest: Newest,
        size: impl Fn(&ViewMessage) -> u64,
    ) -> Self {
        let pairs = context.conversation.pairs();
        let mut out = Units { of: Vec::with_capacity(shown.len()), units: Vec::new() };
        // The last group and its unit: a system message inside a group is a unit of its own and does not split the
        // group around it.
        let mut last: Option<(usize, usize)> = None;
        for s in shown {
            let whole = s.place().is_some_and(|at| context.pinned(at).is_some());
            let pinned = whole || s.from.start >= newest.open_from || s.from.end == newest.end;
            let near = last.map_or(0, |(group, _)| group);
            let group = s.place().filter(|_| !whole).map(|at| pairs.index_near(at, near));
            let known = last.filter(|(of, _)| Some(*of) == group).map(|(_, unit)| unit);
            let at = known.unwrap_or(out.units.len());
            if known.is_none() {
                last = group.map(|g| (g, at)).or(last);
                out.units.push(Unit { size: 0, pinned: false });
            }
            if let Some(unit) = out.units.get_mut(at) {
                unit.size = unit.size.saturating_add(size(s));
                unit.pinned |= pinned;
            }
            out.of.push(at);
        }
        out
    }
}

/// The oldest units to drop so that the view is smaller by at least `over`.
///
/// # Errors
/// When the pinned messages alone are too large: their size.
pub(super) fn oldest(all: &[Arc<Units>], over: u64) -> Result<Dropped, u64> {
    let mut gone: u64 = 0;
    let mut dropped = Dropped { groups: 0, goes: Vec::with_capacity(all.iter().map(|u| u.of.len()).sum()) };
    for units in all {
        let mut goes = vec![false; units.units.len()];
        for (unit, goes) in units.units.iter().zip(&mut goes).filter(|(u, _)| !u.pinned) {
            if gone >= over {
                break;
            }
            gone = gone.saturating_add(unit.size);
            dropped.groups = dropped.groups.saturating_add(1);
            *goes = true;
        }
        dropped.goes.extend(units.of.iter().map(|unit| goes.get(*unit).copied().unwrap_or(false)));
    }
    if gone < over {
        let pinned = all.iter().flat_map(|u| &u.units).filter(|u| u.pinned);
        return Err(pinned.fold(0, |sum, u| sum.saturating_add(u.size)));
    }
    Ok(dropped)
}

impl Dropped {
    /// Removes these messages from the view. Returns a description.
    pub fn remove(self, view: &mut View) -> String {
        let goes = |i: usize| self.goes.get(i).copied().unwrap_or(false);
        let before = view.shown.len();
        view.filter(|i, shown| (!goes(i)).then_some(shown));
        let (g, m) = (self.groups, before.saturating_sub(view.shown.len()));
        view.budget_cuts = view.budget_cuts.saturating_add(m as u64);
        let s = |n: usize| if n == 1 { "" } else { "s" };
        format!("{g} group{} ({m} message{}) dropped from the oldest end", s(g), s(m))
    }
}
