//! Stages of a pipeline together: a block of items goes through all of them before the next one does, as columns, so that
//! what is between them is never a collection. All functions only compute. Where one item is not plain in one of them,
//! nothing has happened for its block.

use super::columns::{self, Column, Columns, LANES, Noted, all_of};
use super::found::Found;
use super::known::{CALLED, Known};
use super::leaf::Leaf;
use super::missed_keys::LookedUp;
use super::pure::{MANY, Places, Seen, registers};
use super::state::Vm;
use crate::bytecode::{Arithmetic, Proto};
use crate::fuel::{Cost, PER_ITEM};
use crate::host::Result;
use crate::memory::Memory;
use crate::stages::{BLOCK, Block, Does, Stage, Taken};
use crate::value::Value;
use smallvec::SmallVec;

const _: () = assert!(BLOCK == LANES);

/// Most items that one block becomes: more are not held at once.
const MOST: usize = 1024;

/// What is called of an item.
#[derive(Clone, Copy)]
enum Called<'a> {
    /// A constant keyword, with its mark.
    Key(&'a Value, u8),
    Known(Known),
    Leaf(Leaf<'a>),
}

impl<'a> Called<'a> {
    fn of(f: &'a Value) -> Option<Self> {
        match f {
            Value::Keyword(k) if k.constant_mark() != 0 => Some(Called::Key(f, k.constant_mark())),
            Value::Function(_) => Leaf::of(f, 1).filter(|leaf| leaf.proto.pure).map(Called::Leaf),
            _ => Known::of(f).map(Called::Known),
        }
    }
}

/// How items are folded.
#[derive(Clone, Copy)]
enum Folds<'a> {
    With(Arithmetic),
    Leaf(Leaf<'a>),
}

impl<'a> Folds<'a> {
    fn of(f: &'a Value) -> Option<Self> {
        match f {
            Value::Builtin(b) => Arithmetic::of(b).map(Folds::With),
            _ => Leaf::of(f, 2).filter(|leaf| leaf.proto.pure).map(Folds::Leaf),
        }
    }
}

/// A block on its way.
struct Way<'r, 's, 'a> {
    columns: &'r mut Columns<'s, 'a>,
    noted: &'r mut Noted,
    looked_up: &'r mut LookedUp,
    memory: &'a Memory,
    folds: Option<Folds<'a>>,
    cost: u64,
    made: usize,
}

impl<'a> Way<'_, '_, 'a> {
    /// What is called gives for each of `n` items.
    fn call(&mut self, called: Called<'a>, items: Column<'a>, n: usize) -> Option<Column<'a>> {
        self.cost += PER_ITEM.0 * n as u64;
        match called {
            Called::Key(key, mark) => self.noted.field(self.columns, items, n, (key, mark)),
            Called::Known(known) => {
                self.cost += CALLED.0 * n as u64;
                self.columns.gather(n, |made, lane| known.plain(made.at(items, lane)))
            }
            Called::Leaf(leaf) => {
                let proto: &Proto = leaf.proto;
                self.cost += (2 + proto.cost.0) * n as u64;
                if proto.straight && n >= MANY {
                    let of = (leaf.closure, proto);
                    return columns::run(of, self.memory, (self.columns, items), n, self.noted);
                }
                let seen = Seen::new(leaf, self.memory);
                let (mut slots, mut places, mut more) = (registers([]), Places::default(), 0);
                let looked_up = &mut *self.looked_up;
                let all = self.columns.gather(n, |made, lane| {
                    slots[0] = made.at(items, lane);
                    let (v, cost) = seen.run(&mut slots, &mut places, looked_up)?;
                    more += cost;
                    Some(v)
                });
                self.cost += more;
                all
            }
        }
    }

    /// Those of `n` items that have their bit.
    fn chosen(&mut self, items: Column<'a>, n: usize, bits: u32) -> Option<(Column<'a>, usize)> {
        if bits == all_of(n) {
            return Some((items, n));
        }
        let (mut left, n) = (bits, bits.count_ones() as usize);
        if let Column::One(_) = items {
            return Some((items, n));
        }
        let chosen = self.columns.gather(n, |made, _| {
            let lane = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            Some(made.at(items, lane))
        })?;
        Some((chosen, n))
    }

    fn through(
        &mut self,
        stages: &[(Does, Called<'a>)],
        (items, n): (Column<'a>, usize),
        taken: &mut Taken<'_>,
    ) -> Option<()> {
        if n == 0 {
            return Some(());
        }
        let Some(((does, called), rest)) = stages.split_first() else { return self.take((items, n), taken) };
        let given = self.call(*called, items, n)?;
        let next = match does {
            Does::Map => (given, n),
            Does::Filter => self.chosen(items, n, self.columns.true_of(given, n))?,
            Does::Remove => self.chosen(items, n, !self.columns.true_of(given, n) & all_of(n))?,
            Does::Keep => self.chosen(given, n, self.columns.some_of(given, n))?,
            Does::Mapcat => return self.flat(rest, (given, n), taken),
        };
        self.through(rest, next, taken)
    }

    /// The items of `n` collections.
    fn flat(
        &mut self,
        stages: &[(Does, Called<'a>)],
        (colls, n): (Column<'a>, usize),
        taken: &mut Taken<'_>,
    ) -> Option<()> {
        let (mut all, mut filled) = ([Found::Nil; LANES], 0);
        for lane in 0..n {
            let items = match self.columns.made().at(colls, lane) {
                Found::Nil => continue,
                Found::Lent(Value::Vector(v)) => v.as_slice()?,
                Found::Lent(Value::Slice(s)) => s.as_slice()?,
                _ => return None,
            };
            self.made += items.len();
            if self.made > MOST {
                return None;
            }
            self.cost += PER_ITEM.0 * (items.len() as u64 / 4 + 1);
            for x in items {
                all[filled % LANES] = Found::of(x);
                filled += 1;
                if filled == LANES {
                    self.some(stages, (&all, filled), taken)?;
                    filled = 0;
                }
            }
        }
        self.some(stages, (&all, filled), taken)
    }

    /// Sends some on, and uses the columns that they took again.
    fn some(
        &mut self,
        stages: &[(Does, Called<'a>)],
        (all, n): (&[Found<'a>; LANES], usize),
        taken: &mut Taken<'_>,
    ) -> Option<()> {
        let mark = self.columns.mark();
        let items = self.columns.gather(n, |_, lane| all.get(lane).copied())?;
        self.through(stages, (items, n), taken)?;
        self.columns.back_to(mark);
        Some(())
    }

    fn take(&mut self, (items, n): (Column<'a>, usize), taken: &mut Taken<'_>) -> Option<()> {
        match taken {
            Taken::All(out) => self.columns.push_to(items, n, out),
            Taken::Count(count) => **count += n as u64,
            Taken::Fold(_, acc) => {
                self.cost += PER_ITEM.0 * n as u64;
                return self.fold((items, n), acc);
            }
        }
        Some(())
    }

    fn fold(&mut self, (items, n): (Column<'a>, usize), acc: &mut Option<Value>) -> Option<()> {
        let mut from = 0;
        let mut so_far = match acc.take() {
            Some(so_far) => so_far,
            None => {
                from = 1;
                self.columns.made().at(items, 0).into_value()
            }
        };
        match self.folds? {
            Folds::With(arithmetic) => {
                if from == 0 && arithmetic == Arithmetic::Add {
                    from = self.columns.add_to(&mut so_far, items, n);
                }
                for lane in from..n {
                    let x = self.columns.made().at(items, lane).into_value();
                    so_far = arithmetic.plain(&so_far, &x)?;
                }
            }
            Folds::Leaf(leaf) => {
                self.cost += (2 + leaf.proto.cost.0) * n as u64;
                let seen = Seen::new(leaf, self.memory);
                for lane in from..n {
                    let x = self.columns.made().at(items, lane);
                    so_far = seen.folded(&so_far, x, self.looked_up, &mut self.cost)?;
                }
            }
        }
        *acc = Some(so_far);
        Some(())
    }
}

impl Vm<'_, '_> {
    /// Whether a stage with this function can be carried out with others.
    pub(super) fn stage_fuses(&self, f: &Value) -> bool {
        Called::of(f).is_some() && self.may_compute()
    }

    /// Whether what stages make can be folded by this function at once.
    pub(super) fn fold_fuses(&self, f: &Value) -> bool {
        Folds::of(f).is_some()
    }

    /// Sends a block through stages; `false` where one item is not plain, and nothing has happened then.
    pub(super) fn run_stages(&mut self, stages: &[Stage], block: Block<'_>, taken: &mut Taken<'_>) -> Result<bool> {
        if !self.may_compute() {
            return Ok(false);
        }
        let called: Option<SmallVec<[_; 4]>> = stages.iter().map(|s| Some((s.does, Called::of(&s.f)?))).collect();
        let Some(called) = called else { return Ok(false) };
        let mut room = self.columns.take().unwrap_or_else(columns::room);
        let mut noted = Noted::default();
        let (before, function) = match taken {
            Taken::All(out) => ((out.len() as u64, None), None),
            Taken::Count(n) => ((**n, None), None),
            Taken::Fold(f, acc) => ((0, acc.clone()), Some((*f).clone())),
        };
        let mut all = Columns::new(&mut room);
        let (items, n) = match block {
            Block::Items(items) => (all.items(items), items.len().min(LANES)),
            Block::Ints(ints) => (all.ints(ints), ints.len().min(LANES)),
        };
        let mut way = Way {
            columns: &mut all,
            noted: &mut noted,
            looked_up: &mut self.looked_up,
            memory: &*self.memory,
            folds: function.as_ref().and_then(Folds::of),
            cost: 0,
            made: 0,
        };
        let whole = way.through(&called, (items, n), taken).is_some();
        let cost = way.cost + noted.more;
        drop(all);
        self.columns = Some(room);
        if !whole {
            match taken {
                Taken::All(out) => out.truncate(usize::try_from(before.0).unwrap_or(usize::MAX)),
                Taken::Count(n) => **n = before.0,
                Taken::Fold(_, acc) => **acc = before.1,
            }
            return Ok(false);
        }
        noted.marks.iter().for_each(|mark| self.looked_up.found(*mark));
        self.charge_cost(Cost(cost))?;
        Ok(true)
    }

    /// Whether a call of what only computes may be made here.
    fn may_compute(&self) -> bool {
        self.native < self.turn.limits.builtin_depth && self.frames.len() < self.turn.limits.call_depth as usize
    }
}
