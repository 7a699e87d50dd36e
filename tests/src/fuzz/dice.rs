//! Throws of a die, made of the bytes of an input: what a target builds is a function of them.

use arbitrary::Unstructured;

/// A die that bytes load. When they run out it shows zero, so what comes first in a choice should be small.
pub struct Dice<'a> {
    bytes: Unstructured<'a>,
    left: u32,
}

impl<'a> Dice<'a> {
    /// A die for `data`, which builds at most `parts` parts.
    pub fn new(data: &'a [u8], parts: u32) -> Self {
        Dice { bytes: Unstructured::new(data.get(..super::MAX_INPUT_BYTES).unwrap_or(data)), left: parts }
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        self.bytes.int_in_range(0..=n.saturating_sub(1)).unwrap_or(0)
    }

    /// One of them.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// True once in `n` throws, and never when nothing is left.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) + 1 == n
    }

    /// Any number of 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.bytes.arbitrary().unwrap_or(0)
    }

    /// Any character.
    pub fn char(&mut self) -> char {
        self.bytes.arbitrary().unwrap_or('a')
    }

    /// Pays for a part; false when enough has been built.
    pub fn part(&mut self) -> bool {
        let some = self.left > 0 && !self.bytes.is_empty();
        self.left = self.left.saturating_sub(1);
        some
    }

    /// Whether there is something left to throw with.
    pub fn more(&self) -> bool {
        self.left > 0 && !self.bytes.is_empty()
    }
}
