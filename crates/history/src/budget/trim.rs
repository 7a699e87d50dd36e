//! Trimming: whole groups from the oldest end, never what is pinned (K-11, K-14, F-12, F-13).

use crate::legality;
use crate::strategy::Scene;
use crate::view::View;

/// A view in units that stay or go as a whole, in order.
pub(super) struct Units {
    /// The unit of each message of the view.
    of: Vec<usize>,
    units: Vec<Unit>,
}

struct Unit {
    size: u64,
    pinned: bool,
}

/// What is to go.
pub(super) struct Dropped {
    groups: usize,
    /// Whether it goes, for each message of the view.
    goes: Vec<bool>,
}

impl Units {
    /// The units of a view: a group of the conversation is one, and so is a message made for several groups. `size`
    /// says how much the message at a place of the view takes.
    pub fn of(scene: &Scene<'_>, view: &View, size: impl Fn(usize) -> u64) -> Self {
        let pairs = scene.conversation.pairs();
        let live = scene.live(scene.conversation.len(), 0);
        let newest = view.shown.iter().map(|s| s.from.end).max();
        let mut out = Units { of: Vec::with_capacity(view.shown.len()), units: Vec::new() };
        // The group that stood last and its unit: a system message inside a group is a unit of its own and does not
        // part the group around it.
        let mut last: Option<(usize, usize)> = None;
        for (i, s) in view.shown.iter().enumerate() {
            let whole = s.place().is_some_and(|at| scene.pinned(at).is_some());
            let pinned = whole || s.from.start >= live || Some(s.from.end) == newest;
            let near = last.map_or(0, |(group, _)| group);
            let group = s.place().filter(|_| !whole).map(|at| pairs.index_near(at, near));
            let known = last.filter(|(of, _)| Some(*of) == group).map(|(_, unit)| unit);
            let at = known.unwrap_or(out.units.len());
            if known.is_none() {
                last = group.map(|g| (g, at)).or(last);
                out.units.push(Unit { size: 0, pinned: false });
            }
            if let Some(unit) = out.units.get_mut(at) {
                unit.size = unit.size.saturating_add(size(i));
                unit.pinned |= pinned;
            }
            out.of.push(at);
        }
        out
    }

    /// The oldest units that are to go so that at least `over` goes.
    ///
    /// # Errors
    /// When that cannot be: the size of all that is pinned.
    pub fn oldest(&self, over: u64) -> Result<Dropped, u64> {
        let mut gone: u64 = 0;
        let mut goes = vec![false; self.units.len()];
        for (unit, goes) in self.units.iter().zip(&mut goes).filter(|(u, _)| !u.pinned) {
            if gone >= over {
                break;
            }
            gone = gone.saturating_add(unit.size);
            *goes = true;
        }
        if gone < over {
            return Err(self.units.iter().filter(|u| u.pinned).fold(0, |sum, u| sum.saturating_add(u.size)));
        }
        let of_unit = |unit: &usize| goes.get(*unit).copied().unwrap_or(false);
        Ok(Dropped { groups: goes.iter().filter(|g| **g).count(), goes: self.of.iter().map(of_unit).collect() })
    }
}

impl Dropped {
    /// Takes it out of the view. Says what went.
    pub fn remove(self, view: &mut View) -> String {
        let goes = |i: usize| self.goes.get(i).copied().unwrap_or(false);
        let before = view.shown.len();
        legality::filter(view, |i, shown| (!goes(i)).then_some(shown));
        let (g, m) = (self.groups, before - view.shown.len());
        view.squeezed += m as u64;
        let s = |n: usize| if n == 1 { "" } else { "s" };
        format!("{g} group{} ({m} message{}) dropped from the oldest end", s(g), s(m))
    }
}
