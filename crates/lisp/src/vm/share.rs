//! How much of a sequence whose end cannot be known is made at the end of a turn, when nobody asked for it: what a share of
//! the turn's fuel is enough for. The rest stays to be made by a later turn that asks for it, in that turn's limits.
//!
//! An item that does not come within the share is given up: all that was made since the last savepoint is as it was
//! before, atoms included, so that a later turn makes it from the start.

use super::savepoint::{Point, SHARE_OF_FUEL, Share};
use super::state::Vm;
use crate::error::ErrorKind;
use crate::host::{Interrupt, InterruptKind, Result};
use crate::value::{Lazy, Value};

/// Which part of a share is spent between two savepoints.
const SAVEPOINTS: u64 = 16;
/// Which part of a share the item may take that is being made when it is over.
const LAST_ITEM: u64 = 4;

impl Vm<'_, '_> {
    fn point(&mut self) -> Point {
        Point { memory: self.memory.savepoint(), random: self.random, done: self.done(), depths: self.depths() }
    }

    /// How much has been done that cannot be undone.
    fn done(&self) -> [usize; 4] {
        [self.printed.len(), self.tool_calls.len(), self.notes.len(), self.defined.len()]
    }

    /// How deep the machine is in what it does.
    fn depths(&self) -> [usize; 4] {
        [self.frames.len(), self.top, self.native as usize, self.collecting.len()]
    }

    /// Makes what follows from a cell whose end cannot be known, as far as the share goes.
    pub(super) fn make_within_share(&mut self, from: Lazy, start: u64) -> Result<()> {
        // What was allocated before is no part of the share.
        let left = self.left().saturating_sub(self.allocated());
        let most = self.share_left.min(left / 2);
        if most == 0 {
            return Ok(());
        }
        let (hard, between) = (most + most / LAST_ITEM, most / SAVEPOINTS);
        let withheld = left.saturating_sub(hard);
        let hard = left - withheld;
        self.set_left(hard);
        let to = self.point();
        self.share = Some(Share { to, next: hard.saturating_sub(between), between, over: hard.saturating_sub(most) });
        let made = self.make_cells(Value::Lazy(from), false, start);
        let share = self.share.take();
        let rest = self.left().min(hard);
        self.share_left = self.share_left.saturating_sub(hard - rest);
        self.set_left(withheld + rest);
        match (made, share) {
            (Err(stop), Some(share)) if self.may_give_up(&stop, &share.to) => {
                self.give_up(share.to);
                Ok(())
            }
            // What was printed or called cannot be taken back, and making the item again would do it twice.
            (Err(stop), Some(_)) if withheld > 0 && is_limit(&stop, &[ErrorKind::Fuel]) => Err(self.share_is_over()),
            (made, _) => made,
        }
    }

    #[cold]
    fn share_is_over(&self) -> Interrupt {
        let share = self.turn.limits.fuel / SHARE_OF_FUEL;
        let message = format!(
            "an item of a defined sequence took more than the {share} units of fuel that the end of a turn has for it"
        );
        Interrupt::error(ErrorKind::Fuel, message)
            .hint("it prints or calls a tool, so it is not made twice: make it within the turn, as in (def xs (doall (take 10 ...)))")
    }

    /// Whether another item is to be begun; makes a savepoint where one is due.
    pub(super) fn share_lasts(&mut self) -> bool {
        let left = self.left();
        let due = match &self.share {
            Some(share) if left <= share.over => return false,
            Some(share) => left <= share.next,
            None => false,
        };
        if due {
            // The scope of the one before ends first: scopes nest.
            let between = self.share.take().map(|s| (s.between, s.over));
            let to = self.point();
            self.share = between.map(|(between, over)| Share { to, next: left.saturating_sub(between), between, over });
        }
        true
    }

    /// Whether what stopped an item can be taken back: a limit, before which nothing was done that others have seen.
    fn may_give_up(&self, stop: &Interrupt, to: &Point) -> bool {
        is_limit(stop, &[ErrorKind::Fuel, ErrorKind::Depth, ErrorKind::Memory]) && self.done() == to.done
    }

    fn give_up(&mut self, to: Point) {
        self.memory.go_back(to.memory);
        self.random = to.random;
        let [frames, top, native, collecting] = to.depths;
        self.frames.truncate(frames);
        self.top = top;
        self.native = u32::try_from(native).unwrap_or(self.native);
        self.collecting.truncate(collecting);
        self.defer = None;
        self.deferred = None;
        self.waiting = 0;
        self.thrown_at = None;
        self.thrown_calls.clear();
    }
}

fn is_limit(stop: &Interrupt, kinds: &[ErrorKind]) -> bool {
    matches!(stop.kind(), InterruptKind::Limit(e) if kinds.contains(&e.kind))
}
