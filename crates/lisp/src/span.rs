//! Where in the source something is.

/// A range of bytes in the source text, end exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`; positions past 4 GB saturate.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Line and column of the start in `source`, both from 1, columns in characters.
    pub fn line_column(self, source: &str) -> (usize, usize) {
        let end = source.len().min(self.start as usize);
        let before = source.as_bytes().get(..end).unwrap_or_default();
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |p| p + 1);
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let in_line = before.get(line_start..).unwrap_or_default();
        // Continuation bytes are not characters of their own.
        let column = in_line.iter().filter(|b| (**b & 0xC0) != 0x80).count() + 1;
        (line, column)
    }
}
