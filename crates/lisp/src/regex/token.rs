//! What a pattern is made of, in order.

pub use crate::value::program::{Assertion, Fold, Kind};

/// A piece of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A character that stands for itself.
    Char(char),
    /// One of several characters, in the spelling of the linear engine.
    Class(Box<str>),
    /// Something that takes no characters.
    Assert(Assertion),
    /// `\R`
    LineBreak,
    /// The beginning of a group.
    Open(Group),
    /// The end of a group.
    Close,
    /// `|`
    Alternate,
    /// How often what is before it is repeated; without `max` as often as there is something.
    Repeat {
        /// At least so often.
        min: u32,
        /// At most so often.
        max: Option<u32>,
        /// What is tried first.
        kind: Kind,
    },
    /// What a group matched, once more.
    Back {
        /// The number of the group.
        group: u32,
        /// Which letters count as equal.
        fold: Fold,
    },
}

/// What a group is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Group {
    /// It is numbered, and may have a name.
    Capture(Option<Box<str>>),
    /// It only groups.
    Plain,
    /// `(?=`, `(?!`, `(?<=`, `(?<!`
    Look {
        /// Whether it looks at what is before.
        behind: bool,
        /// Whether it must not be there.
        negative: bool,
    },
    /// `(?>`: once it has matched, it is not tried in another way.
    Atomic,
}
