//! What has been begun and not yet finished: a bracket that is open, or a prefix that waits for its form.

use super::delimiters::{Open, Prefix};

/// Something begun and not yet finished.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) what: What<'a>,
    /// Where in the source it began.
    pub(super) start: usize,
    /// Where its forms begin among all forms.
    pub(super) forms: usize,
    /// Where its hashes begin among all hashes.
    pub(super) hashes: usize,
    /// Whether its own hash is wanted: it is a key or member, or part of one.
    pub(super) hashed: bool,
}

/// What a frame waits for: its closing bracket, or its form.
#[derive(Clone, Copy)]
pub(super) enum What<'a> {
    Open(Open<'a>),
    Prefix(Prefix),
}
