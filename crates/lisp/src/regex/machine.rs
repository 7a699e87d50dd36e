//! Matches patterns that the linear engine cannot: by backtracking, on a stack of its own. Every step is charged, and so
//! is what the stack and the memories of failed places take.
//!
//! What is tried, and what groups hold when a part has failed, is as in Java: of a look around and of a group of which
//! only the first way counts, all that could be undone is forgotten when it has matched, so that groups set in it stay
//! set even where that part is given up later.

use super::places::{decode, ends_line, holds, step_back};
use crate::host::{Host, Result};
use crate::value::node::Bytes;
use crate::value::program::{Fold, Kind, Look, Loop, One, Op, Program};

/// A place that is not there.
const NONE: u32 = u32::MAX;
/// Steps between two payments.
const PACE: u32 = 512;
/// Steps for an item of work.
const STEPS_PER_ITEM: u32 = 8;

/// What is to be done when what was tried has failed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// Go on with this operation at this place.
    Choice { op: u32, at: u32 },
    /// A run of characters: give up the last one, down to the place `low`.
    Shorter { op: u32, low: u32, at: u32 },
    /// A lazy run: take one more character.
    Longer { op: u32, at: u32, taken: u32 },
    /// Set a local back.
    Local { local: u32, value: u32 },
    /// Set a group back.
    Group { group: u32, begin: u32, end: u32 },
    /// A round of a loop: go on after the loop.
    Round { of: u32, at: u32 },
    /// A round of a loop of whose body the first way counts; `outer` is the barrier before.
    Curly { of: u32, at: u32, outer: u32 },
    /// A look around.
    Look { of: u32, at: u32, outer: u32 },
    /// A place that a look behind has begun at, and how many further ones there are.
    Behind { of: u32, at: u32, left: u32 },
    /// A group of which the first way counts.
    Atomic { at: u32, outer: u32 },
}

/// Places where a further round of a loop has failed: a bit each.
#[derive(Clone, Default)]
pub(super) struct Memo {
    pub(super) words: Vec<u64>,
    pub(super) used: Vec<u32>,
}

/// Where a match must end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Anywhere.
    Anywhere,
    /// At the end of the text.
    End,
}

/// What searching with a program works on.
#[derive(Clone)]
pub struct Machine {
    stack: Vec<Frame>,
    locals: Vec<u32>,
    /// Where each group begins and ends.
    groups: Vec<(u32, u32)>,
    pub(super) memos: Vec<Memo>,
    /// The innermost barrier on the stack: of what is inside it, only the first way counts.
    barrier: u32,
    steps: u32,
    until: Until,
    /// Where the last match has ended.
    last: u32,
    pub(super) bytes: Bytes,
}

impl Program {
    #[inline]
    fn takes(&self, one: One, c: char) -> bool {
        match one {
            One::Char(d) => c == d,
            One::Set(set) => self.sets.get(set as usize).is_some_and(|s| s.has(c)),
        }
    }

    fn a_loop(&self, at: u32) -> Option<&Loop> {
        self.loops.get(at as usize)
    }

    fn look(&self, at: u32) -> Option<&Look> {
        self.looks.get(at as usize)
    }
}

impl Machine {
    /// For searches with this program.
    pub fn new(h: &mut dyn Host, program: &Program) -> Result<Self> {
        let (locals, groups) = (program.locals as usize, program.names.len());
        let bytes = locals * 4 + groups * 8 + program.memos as usize * size_of::<Memo>() + size_of::<Machine>();
        h.charge((locals + groups) as u64 / 8)?;
        h.reserve(bytes as u64)?;
        Ok(Machine {
            stack: Vec::new(),
            locals: vec![0; locals],
            groups: vec![(NONE, NONE); groups],
            memos: vec![Memo::default(); program.memos as usize],
            barrier: NONE,
            steps: 0,
            until: Until::Anywhere,
            last: 0,
            bytes: Bytes::held(bytes),
        })
    }

    /// How many values a clone counts for.
    pub fn weight(&self) -> u64 {
        self.bytes.get() as u64 / 16
    }

    /// The groups of the match that was found last, the whole match first.
    pub fn groups(&self) -> impl Iterator<Item = Option<(usize, usize)>> {
        self.groups.iter().map(|(from, to)| (*from != NONE).then_some((*from as usize, *to as usize)))
    }

    /// What setting all up for a search costs.
    fn begin(&mut self, h: &mut dyn Host) -> Result<()> {
        let places = (self.locals.len() + self.groups.len()) as u64;
        if places < 32 { Ok(()) } else { h.charge(places / 32) }
    }

    /// Finds the first match that begins at `from` or later; `last` is where the one before has ended.
    pub fn search(
        &mut self,
        h: &mut dyn Host,
        program: &Program,
        text: &str,
        from: usize,
        last: usize,
    ) -> Result<bool> {
        self.begin(h)?;
        let Some(mut at) = self.prepare(text, from, last, Until::Anywhere) else { return Ok(false) };
        let found = loop {
            match self.matches(h, program, text, at) {
                Ok(false) => {}
                done => break done,
            }
            match decode(text, at) {
                Some((_, next)) => at = next,
                None => break Ok(false),
            }
        };
        self.finish(h)?;
        found
    }

    /// Whether there is a match that begins at `from`.
    pub fn match_at(
        &mut self,
        h: &mut dyn Host,
        program: &Program,
        text: &str,
        (from, last): (usize, usize),
        until: Until,
    ) -> Result<bool> {
        self.begin(h)?;
        let Some(at) = self.prepare(text, from, last, until) else { return Ok(false) };
        let found = self.matches(h, program, text, at);
        self.finish(h)?;
        found
    }

    fn prepare(&mut self, text: &str, from: usize, last: usize, until: Until) -> Option<u32> {
        // Places are kept in 32 bits.
        u32::try_from(text.len()).ok().filter(|n| *n < NONE && from <= text.len())?;
        (self.until, self.last) = (until, u32::try_from(last).ok()?);
        self.groups.fill((NONE, NONE));
        self.locals.fill(0);
        for memo in &mut self.memos {
            for word in memo.used.drain(..) {
                if let Some(word) = memo.words.get_mut(word as usize) {
                    *word = 0;
                }
            }
        }
        u32::try_from(from).ok()
    }

    /// Pays for the steps since the last payment.
    fn finish(&mut self, h: &mut dyn Host) -> Result<()> {
        self.stack.clear();
        let steps = std::mem::take(&mut self.steps);
        h.charge(u64::from(steps.div_ceil(STEPS_PER_ITEM)))
    }

    #[inline]
    fn step(&mut self, h: &mut dyn Host) -> Result<()> {
        self.steps += 1;
        if self.steps >= PACE { self.pay(h) } else { Ok(()) }
    }

    #[cold]
    fn pay(&mut self, h: &mut dyn Host) -> Result<()> {
        let steps = std::mem::take(&mut self.steps);
        h.charge(u64::from(steps / STEPS_PER_ITEM))
    }

    #[inline]
    pub(super) fn push(&mut self, h: &mut dyn Host, frame: Frame) -> Result<()> {
        if self.stack.len() == self.stack.capacity() {
            self.grow(h)?;
        }
        self.stack.push(frame);
        Ok(())
    }

    #[cold]
    fn grow(&mut self, h: &mut dyn Host) -> Result<()> {
        let more = self.stack.capacity().max(64);
        // While it moves, both are there.
        h.reserve((self.stack.capacity() + more) as u64 * size_of::<Frame>() as u64)?;
        h.charge(more as u64 / 16)?;
        self.stack.reserve_exact(more);
        self.bytes.hold(self.bytes.get() + more * size_of::<Frame>());
        Ok(())
    }

    pub(super) fn set_local(&mut self, h: &mut dyn Host, local: u32, value: u32) -> Result<()> {
        let old = self.local(local);
        self.push(h, Frame::Local { local, value: old })?;
        self.put_local(local, value);
        Ok(())
    }

    #[inline]
    pub(super) fn local(&self, local: u32) -> u32 {
        self.locals.get(local as usize).copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn put_local(&mut self, local: u32, value: u32) {
        if let Some(place) = self.locals.get_mut(local as usize) {
            *place = value;
        }
    }

    pub(super) fn set_group(&mut self, h: &mut dyn Host, group: u32, span: (u32, u32)) -> Result<()> {
        let (begin, end) = self.groups.get(group as usize).copied().unwrap_or((NONE, NONE));
        self.push(h, Frame::Group { group, begin, end })?;
        self.put_group(group, span);
        Ok(())
    }

    #[inline]
    pub(super) fn put_group(&mut self, group: u32, span: (u32, u32)) {
        if let Some(place) = self.groups.get_mut(group as usize) {
            *place = span;
        }
    }

    /// Whether the program matches at this place; group 0 is then the match.
    fn matches(&mut self, h: &mut dyn Host, program: &Program, text: &str, from: u32) -> Result<bool> {
        self.stack.clear();
        self.barrier = NONE;
        let (mut op, mut at) = (0, from);
        loop {
            self.step(h)?;
            let next = match program.ops.get(op as usize) {
                Some(Op::Accept) => {
                    if self.until == Until::Anywhere || at as usize == text.len() {
                        self.put_group(0, (from, at));
                        return Ok(true);
                    }
                    None
                }
                Some(now) => self.run(h, program, text, now, op, at)?,
                None => None,
            };
            (op, at) = match next {
                Some(next) => next,
                None => match self.fail(h, program, text)? {
                    Some(next) => next,
                    None => return Ok(false),
                },
            };
        }
    }

    /// Does an operation: the next one and its place, or nothing if it fails.
    #[inline]
    fn run(
        &mut self,
        h: &mut dyn Host,
        program: &Program,
        text: &str,
        now: &Op,
        op: u32,
        at: u32,
    ) -> Result<Option<(u32, u32)>> {
        Ok(match *now {
            Op::One(one) => decode(text, at).filter(|(c, _)| program.takes(one, *c)).map(|(_, next)| (op + 1, next)),
            Op::Assert(assertion) => holds(assertion, text, at, self.last).then_some((op + 1, at)),
            Op::LineBreak => match decode(text, at) {
                Some(('\r', next)) if text.as_bytes().get(next as usize) == Some(&b'\n') => {
                    self.push(h, Frame::Choice { op: op + 1, at: next })?;
                    Some((op + 1, next + 1))
                }
                Some((c, next)) if ends_line(c) || matches!(c, '\u{b}' | '\u{c}') => Some((op + 1, next)),
                _ => None,
            },
            Op::Back { group, fold } => self.back(h, text, group, fold, at)?.map(|at| (op + 1, at)),
            Op::Choice(other) => {
                self.push(h, Frame::Choice { op: other, at })?;
                Some((op + 1, at))
            }
            Op::Jump(to) => Some((to, at)),
            Op::Begin { local } => {
                self.set_local(h, local, at)?;
                Some((op + 1, at))
            }
            Op::End { local, group } => {
                let begin = self.local(local);
                self.set_group(h, group, (begin, at))?;
                Some((op + 1, at))
            }
            Op::Run { one, min, max, kind } => {
                let most = if kind == Kind::Lazy { min } else { max };
                let mut low = at;
                let (mut end, mut taken) = (at, 0);
                while taken < most
                    && let Some((c, next)) = decode(text, end)
                    && program.takes(one, c)
                {
                    end = next;
                    taken += 1;
                    if taken == min {
                        low = end;
                    }
                    self.step(h)?;
                }
                if taken < min {
                    return Ok(None);
                }
                match kind {
                    Kind::Greedy if end > low => self.push(h, Frame::Shorter { op, low, at: end })?,
                    Kind::Lazy if max > min => self.push(h, Frame::Longer { op, at: end, taken })?,
                    _ => {}
                }
                Some((op + 1, end))
            }
            Op::Loop(of) => match program.a_loop(of) {
                Some(l) => self.begin_loop(h, l, at)?,
                None => None,
            },
            Op::LoopEnd(of) => match program.a_loop(of) {
                Some(l) => self.end_round(h, l, of, text.len(), at)?,
                None => None,
            },
            Op::LoopMore(of) => match program.a_loop(of) {
                Some(l) if self.local(l.count) < l.max => {
                    let count = self.local(l.count).saturating_add(1);
                    self.set_local(h, l.count, count)?;
                    Some((l.body, at))
                }
                _ => None,
            },
            Op::Curly(of) => match program.a_loop(of) {
                Some(l) => {
                    // Set back only if all fails: rounds below the least number are not given up one by one.
                    self.set_local(h, l.count, 0)?;
                    if let Some(group) = l.group {
                        let now = self.groups.get(group as usize).copied().unwrap_or((NONE, NONE));
                        self.set_group(h, group, now)?;
                    }
                    self.next_curly(h, l, of, at)?
                }
                None => None,
            },
            Op::CurlyEnd(of) => match program.a_loop(of) {
                Some(l) => self.end_curly(h, l, of, at)?,
                None => None,
            },
            Op::CurlyMore(of) => match program.a_loop(of) {
                Some(l) if self.local(l.count) < l.max => {
                    self.raise_barrier(h, |outer| Frame::Curly { of, at, outer })?;
                    Some((l.body, at))
                }
                _ => None,
            },
            Op::Look(of) => {
                self.raise_barrier(h, |outer| Frame::Look { of, at, outer })?;
                match program.look(of).and_then(|l| l.behind) {
                    None => Some((op + 1, at)),
                    Some((min, max)) => {
                        let mut begin = Some(at);
                        for _ in 0..min {
                            self.step(h)?;
                            begin = begin.and_then(|at| step_back(text, at));
                            if begin.is_none() {
                                break;
                            }
                        }
                        match begin {
                            Some(at) if min <= max => {
                                self.push(h, Frame::Behind { of, at, left: max - min })?;
                                Some((op + 1, at))
                            }
                            _ => None,
                        }
                    }
                }
            }
            Op::LookEnd(of) => {
                let begun = match self.stack.get(self.barrier as usize) {
                    Some(Frame::Look { at, .. }) => *at,
                    _ => at,
                };
                match program.look(of) {
                    Some(look) if look.behind.is_none() || begun == at => {
                        self.drop_barrier();
                        (!look.negative).then_some((look.next, begun))
                    }
                    _ => None,
                }
            }
            Op::Atomic => {
                self.raise_barrier(h, |outer| Frame::Atomic { at, outer })?;
                Some((op + 1, at))
            }
            Op::AtomicEnd => {
                self.drop_barrier();
                Some((op + 1, at))
            }
            Op::Accept => None,
        })
    }

    /// What is to be tried next; nothing when all has been tried.
    fn fail(&mut self, h: &mut dyn Host, program: &Program, text: &str) -> Result<Option<(u32, u32)>> {
        while let Some(frame) = self.stack.pop() {
            self.step(h)?;
            match frame {
                Frame::Choice { op, at } => return Ok(Some((op, at))),
                Frame::Shorter { op, low, at } => {
                    let Some(shorter) = step_back(text, at) else { continue };
                    if shorter > low {
                        self.stack.push(Frame::Shorter { op, low, at: shorter });
                    }
                    return Ok(Some((op + 1, shorter)));
                }
                Frame::Longer { op, at, taken } => {
                    if let Some(Op::Run { one, max, .. }) = program.ops.get(op as usize)
                        && let Some((_, next)) = decode(text, at).filter(|(c, _)| program.takes(*one, *c))
                    {
                        if taken + 1 < *max {
                            self.stack.push(Frame::Longer { op, at: next, taken: taken + 1 });
                        }
                        return Ok(Some((op + 1, next)));
                    }
                }
                Frame::Local { local, value } => self.put_local(local, value),
                Frame::Group { group, begin, end } => self.put_group(group, (begin, end)),
                Frame::Round { of, at } => {
                    if let Some(l) = program.a_loop(of) {
                        if let Some(memo) = l.memo {
                            self.remember(h, memo, text.len(), at)?;
                        }
                        return Ok(Some((l.next, at)));
                    }
                }
                Frame::Curly { of, at, outer } => {
                    self.barrier = outer;
                    if let Some(l) = program.a_loop(of)
                        && l.kind != Kind::Lazy
                        && self.local(l.count) >= l.min
                    {
                        return Ok(Some((l.next, at)));
                    }
                }
                Frame::Look { of, at, outer } => {
                    self.barrier = outer;
                    if let Some(look) = program.look(of).filter(|l| l.negative) {
                        return Ok(Some((look.next, at)));
                    }
                }
                Frame::Behind { of, at, left } => {
                    if left > 0
                        && let Some(begin) = step_back(text, at)
                    {
                        self.stack.push(Frame::Behind { of, at: begin, left: left - 1 });
                        return Ok(program.look(of).map(|l| (l.body, begin)));
                    }
                }
                Frame::Atomic { outer, .. } => self.barrier = outer,
            }
        }
        Ok(None)
    }

    pub(super) fn raise_barrier(&mut self, h: &mut dyn Host, frame: impl FnOnce(u32) -> Frame) -> Result<()> {
        let at = self.stack.len() as u32;
        self.push(h, frame(self.barrier))?;
        self.barrier = at;
        Ok(())
    }

    /// Forgets the innermost barrier and all that could be undone since; where it was raised.
    pub(super) fn drop_barrier(&mut self) -> u32 {
        let (at, outer) = match self.stack.get(self.barrier as usize) {
            Some(Frame::Curly { at, outer, .. } | Frame::Look { at, outer, .. } | Frame::Atomic { at, outer }) => {
                (*at, *outer)
            }
            _ => (0, NONE),
        };
        self.stack.truncate(self.barrier as usize);
        self.barrier = outer;
        at
    }

    /// Takes what a group has matched: the place after it.
    fn back(&mut self, h: &mut dyn Host, text: &str, group: u32, fold: Fold, at: u32) -> Result<Option<u32>> {
        let Some((from, to)) = self.groups.get(group as usize).copied().filter(|(from, _)| *from != NONE) else {
            return Ok(None);
        };
        let (from, to, begin) = (from as usize, to as usize, at as usize);
        let len = to.saturating_sub(from);
        let bytes = text.as_bytes();
        let (Some(had), Some(now)) = (bytes.get(from..to), bytes.get(begin..begin.saturating_add(len))) else {
            return Ok(None);
        };
        // Comparing is paid for before it is done.
        self.steps(h, if fold == Fold::None { len / 32 } else { len / 4 })?;
        let same = match fold {
            Fold::None => had == now,
            Fold::Ascii => had.eq_ignore_ascii_case(now),
        };
        Ok(same.then(|| (begin + len) as u32))
    }

    /// So many steps at once.
    fn steps(&mut self, h: &mut dyn Host, steps: usize) -> Result<()> {
        match u32::try_from(steps) {
            Ok(steps) if steps < PACE => {
                self.steps += steps;
                if self.steps >= PACE { self.pay(h) } else { Ok(()) }
            }
            _ => h.charge(steps as u64 / u64::from(STEPS_PER_ITEM)),
        }
    }
}
