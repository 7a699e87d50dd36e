//! Trimming: whole groups from the oldest end, never what is pinned (K-11, K-14, F-12, F-13).

use crate::legality;
use crate::strategy::Scene;
use crate::view::{Shown, View};

/// A view in units that stay or go as a whole, in order.
pub(super) struct Units(Vec<Unit>);

struct Unit {
    /// Places in the view.
    shown: Vec<usize>,
    size: u64,
    pinned: bool,
}

/// What is to go.
pub(super) struct Dropped {
    groups: usize,
    shown: Vec<usize>,
}

impl Units {
    /// The units of a view: a group of the conversation is one, and so is a message made for several groups.
    pub fn of(scene: &Scene<'_>, view: &View, size: impl Fn(&Shown) -> u64) -> Self {
        let conversation = scene.conversation;
        let live = scene.live(conversation.len(), 0);
        let newest = view.shown.iter().map(|s| s.from.end).max();
        let mut units: Vec<Unit> = Vec::new();
        // The unit of the group that stood last: a system message inside a group is a unit of its own and does not part
        // the group around it.
        let mut last: Option<(usize, usize)> = None;
        for (i, s) in view.shown.iter().enumerate() {
            let whole = s.place().is_some_and(|at| scene.pinned(at).is_some());
            let pinned = whole || s.from.start >= live || Some(s.from.end) == newest;
            let group = s.place().filter(|_| !whole).map(|at| conversation.pairs().index_of(at));
            let known = last.filter(|(of, _)| Some(*of) == group).and_then(|(_, unit)| units.get_mut(unit));
            match known {
                Some(unit) => {
                    unit.shown.push(i);
                    unit.size = unit.size.saturating_add(size(s));
                    unit.pinned |= pinned;
                }
                None => {
                    last = group.map(|g| (g, units.len())).or(last);
                    units.push(Unit { shown: vec![i], size: size(s), pinned });
                }
            }
        }
        Units(units)
    }

    /// The oldest units that are to go so that at least `over` goes.
    ///
    /// # Errors
    /// When that cannot be: the size of all that is pinned.
    pub fn oldest(self, over: u64) -> Result<Dropped, u64> {
        let mut gone: u64 = 0;
        let mut dropped = Dropped { groups: 0, shown: Vec::new() };
        for unit in self.0.iter().filter(|u| !u.pinned) {
            if gone >= over {
                break;
            }
            gone = gone.saturating_add(unit.size);
            dropped.groups += 1;
            dropped.shown.extend(&unit.shown);
        }
        if gone < over {
            return Err(self.0.iter().filter(|u| u.pinned).fold(0, |sum, u| sum.saturating_add(u.size)));
        }
        Ok(dropped)
    }
}

impl Dropped {
    /// Takes it out of the view. Says what went.
    pub fn remove(mut self, view: &mut View) -> String {
        self.shown.sort_unstable();
        legality::filter(view, |i, shown| self.shown.binary_search(&i).is_err().then_some(shown));
        view.squeezed += self.shown.len() as u64;
        let (g, m) = (self.groups, self.shown.len());
        let s = |n: usize| if n == 1 { "" } else { "s" };
        format!("{g} group{} ({m} message{}) dropped from the oldest end", s(g), s(m))
    }
}
