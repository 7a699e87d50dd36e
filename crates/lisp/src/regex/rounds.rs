//! Rounds of loops of the engine that backtracks. What is tried, and what groups hold afterwards, is as in Java.

use super::machine::{Frame, Machine};
use crate::host::{Host, Result};
use crate::value::program::{Kind, Loop};

impl Machine {
    /// Begins a loop whose body can be matched in several ways.
    pub(super) fn begin_loop(&mut self, h: &mut dyn Host, l: &Loop, at: u32) -> Result<Option<(u32, u32)>> {
        if l.min > 0 {
            self.set_local(h, l.count, 1)?;
            return Ok(Some((l.body, at)));
        }
        if l.max == 0 {
            return Ok(Some((l.next, at)));
        }
        if l.kind == Kind::Lazy {
            self.set_local(h, l.count, 0)?;
            self.push(h, Frame::Choice { op: l.more, at })?;
            return Ok(Some((l.next, at)));
        }
        self.set_local(h, l.count, 1)?;
        self.push(h, Frame::Choice { op: l.next, at })?;
        Ok(Some((l.body, at)))
    }

    /// After a round of such a loop.
    pub(super) fn end_round(
        &mut self,
        h: &mut dyn Host,
        l: &Loop,
        of: u32,
        len: usize,
        at: u32,
    ) -> Result<Option<(u32, u32)>> {
        // A round that took nothing is the last.
        if at <= self.local(l.begin) {
            return Ok(Some((l.next, at)));
        }
        let count = self.local(l.count);
        let more = count.saturating_add(1);
        if count < l.min {
            self.set_local(h, l.count, more)?;
            return Ok(Some((l.body, at)));
        }
        if l.kind == Kind::Lazy {
            self.push(h, Frame::Choice { op: l.more, at })?;
            return Ok(Some((l.next, at)));
        }
        if count >= l.max || l.memo.is_some_and(|m| self.has_failed(m, at)) {
            return Ok(Some((l.next, at)));
        }
        debug_assert!(at as usize <= len);
        self.push(h, Frame::Round { of, at })?;
        self.set_local(h, l.count, more)?;
        Ok(Some((l.body, at)))
    }

    fn has_failed(&self, memo: u32, at: u32) -> bool {
        let word = self.memos.get(memo as usize).and_then(|m| m.words.get(at as usize / 64));
        word.is_some_and(|w| (w >> (at % 64)) & 1 == 1)
    }

    /// Notes that a further round fails at this place.
    pub(super) fn remember(&mut self, h: &mut dyn Host, memo: u32, len: usize, at: u32) -> Result<()> {
        let Some(memo) = self.memos.get_mut(memo as usize) else { return Ok(()) };
        if memo.words.is_empty() {
            let words = len / 64 + 1;
            h.charge(words as u64 / 16)?;
            h.reserve(words as u64 * 12)?;
            memo.words.resize(words, 0);
            memo.used.reserve_exact(words);
            self.bytes.hold(self.bytes.get() + words * 12);
        }
        if let Some(word) = memo.words.get_mut(at as usize / 64) {
            if *word == 0 {
                memo.used.push(at / 64);
            }
            *word |= 1 << (at % 64);
        }
        Ok(())
    }

    /// The next round of a loop of whose body the first way counts, or what is after it.
    pub(super) fn next_curly(&mut self, h: &mut dyn Host, l: &Loop, of: u32, at: u32) -> Result<Option<(u32, u32)>> {
        let count = self.local(l.count);
        let enough = count >= l.min;
        if enough && l.kind == Kind::Lazy {
            self.push(h, Frame::Choice { op: l.more, at })?;
            return Ok(Some((l.next, at)));
        }
        if enough && count >= l.max {
            return Ok(Some((l.next, at)));
        }
        self.raise_barrier(h, |outer| Frame::Curly { of, at, outer })?;
        Ok(Some((l.body, at)))
    }

    /// After a round of such a loop.
    pub(super) fn end_curly(&mut self, h: &mut dyn Host, l: &Loop, of: u32, at: u32) -> Result<Option<(u32, u32)>> {
        let begun = self.drop_barrier();
        let count = self.local(l.count);
        let enough = count >= l.min;
        if enough && at == begun {
            return Ok(if l.kind == Kind::Lazy { None } else { Some((l.next, at)) });
        }
        if enough && l.kind == Kind::Greedy {
            self.push(h, Frame::Choice { op: l.next, at: begun })?;
            self.set_local(h, l.count, count.saturating_add(1))?;
            if let Some(group) = l.group {
                self.set_group(h, group, (begun, at))?;
            }
        } else {
            self.put_local(l.count, count.saturating_add(1));
            if let Some(group) = l.group {
                self.put_group(group, (begun, at));
            }
        }
        self.next_curly(h, l, of, at)
    }
}
