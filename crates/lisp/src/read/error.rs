//! Errors of the reader: at a place, with words as short as can be.

use crate::error::{Error, ErrorKind, cut};
use crate::span::Span;

/// A parse error at a place.
pub(super) fn fault(message: &str, from: usize, to: usize) -> Error {
    Error::new(ErrorKind::Parse, message).at(Span::new(from, to))
}

/// A word as messages show it: short, whatever the program put there.
pub(super) fn shown(word: &str) -> String {
    cut(word.to_owned(), 64)
}
