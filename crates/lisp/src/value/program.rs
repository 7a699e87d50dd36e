//! What a pattern is compiled to that the linear engine cannot match: a program for the one that backtracks.

use super::node::{Bytes, UPKEEP};

/// A set of characters.
#[derive(Debug)]
pub struct CharSet {
    /// A bit for each ASCII character.
    pub ascii: [u64; 2],
    /// Ranges of those above, in order, which do not meet.
    pub ranges: Box<[(char, char)]>,
}

impl CharSet {
    /// Whether a character is in it.
    #[inline]
    pub fn has(&self, c: char) -> bool {
        let code = u32::from(c);
        if code < 128 {
            let word = if code < 64 { self.ascii[0] } else { self.ascii[1] };
            return (word >> (code & 63)) & 1 == 1;
        }
        let after = self.ranges.partition_point(|(_, high)| *high < c);
        self.ranges.get(after).is_some_and(|(low, _)| *low <= c)
    }
}

/// What one character must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum One {
    /// This one.
    Char(char),
    /// One of the set of this number.
    Set(u32),
}

/// What must be so at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assertion {
    /// The text begins.
    Begin,
    /// The text ends.
    End,
    /// The text ends, or a line end is all that follows.
    LastLineEnd,
    /// As `LastLineEnd`, where only `\n` ends lines.
    UnixLastLineEnd,
    /// A line begins.
    LineBegin,
    /// As `LineBegin`, where only `\n` ends lines.
    UnixLineBegin,
    /// A line ends.
    LineEnd,
    /// As `LineEnd`, where only `\n` ends lines.
    UnixLineEnd,
    /// A word begins or ends.
    Word,
    /// No word begins or ends.
    NotWord,
    /// As `Word`, of letters of all scripts.
    UnicodeWord,
    /// As `NotWord`, of letters of all scripts.
    NotUnicodeWord,
    /// The last match ended here.
    LastMatch,
}

/// What a repetition tries first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As often as it can.
    Greedy,
    /// As seldom as it can.
    Lazy,
    /// As often as it can, and nothing else.
    Possessive,
}

/// Which letters a back-reference takes for equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// The same.
    None,
    /// The same but for the case of ASCII letters.
    Ascii,
}

/// An operation. Where nothing else is said, the one after it comes next.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// Takes a character.
    One(One),
    /// Takes nothing.
    Assert(Assertion),
    /// Takes a line end, of `\r\n` both or only the first.
    LineBreak,
    /// Takes what a group has matched.
    Back {
        /// The group.
        group: u32,
        /// Which letters are equal.
        fold: Fold,
    },
    /// Goes on, and if that fails with the operation of this number.
    Choice(u32),
    /// Goes to the operation of this number.
    Jump(u32),
    /// Notes where a group begins.
    Begin {
        /// The local that keeps it.
        local: u32,
    },
    /// Notes what a group has matched.
    End {
        /// The local that keeps where it began.
        local: u32,
        /// The group.
        group: u32,
    },
    /// Repeats a character.
    Run {
        /// The character.
        one: One,
        /// At least so often.
        min: u32,
        /// At most so often.
        max: u32,
        /// What is tried first.
        kind: Kind,
    },
    /// Begins the loop of this number, whose body can be matched in several ways.
    Loop(u32),
    /// Ends a round of it.
    LoopEnd(u32),
    /// Tries a further round of a lazy one.
    LoopMore(u32),
    /// Begins the loop of this number, of whose body only the first way counts.
    Curly(u32),
    /// Ends a round of it.
    CurlyEnd(u32),
    /// Tries a further round of a lazy one.
    CurlyMore(u32),
    /// Begins the look around of this number.
    Look(u32),
    /// What it looks for is there.
    LookEnd(u32),
    /// Begins a group of which only the first way counts.
    Atomic,
    /// Ends it.
    AtomicEnd,
    /// All has matched.
    Accept,
}

/// A loop.
#[derive(Debug)]
pub struct Loop {
    /// At least so many rounds.
    pub min: u32,
    /// At most so many.
    pub max: u32,
    /// What is tried first.
    pub kind: Kind,
    /// The operation that its body begins with.
    pub body: u32,
    /// The operation that tries a further round, of a lazy one.
    pub more: u32,
    /// The operation after the loop.
    pub next: u32,
    /// The local that counts rounds.
    pub count: u32,
    /// The local that keeps where a round began.
    pub begin: u32,
    /// The group that each round sets, if it is one.
    pub group: Option<u32>,
    /// Which memory keeps the places where a further round has failed.
    pub memo: Option<u32>,
}

/// A look around.
#[derive(Debug)]
pub struct Look {
    /// Whether it looks at what is before, and from how many characters before to how many.
    pub behind: Option<(u32, u32)>,
    /// Whether what it looks for must not be there.
    pub negative: bool,
    /// The operation that what it looks for begins with.
    pub body: u32,
    /// The operation after it.
    pub next: u32,
}

/// The program.
#[derive(Debug)]
pub struct Program {
    /// The operations; the first comes first.
    pub ops: Vec<Op>,
    /// Sets of characters.
    pub sets: Vec<CharSet>,
    /// Loops.
    pub loops: Vec<Loop>,
    /// Looks around.
    pub looks: Vec<Look>,
    /// The names of the groups, that of the whole match (none) first.
    pub names: Vec<Option<Box<str>>>,
    /// How many locals it has.
    pub locals: u32,
    /// How many memories of failed places.
    pub memos: u32,
    /// Its bytes on the meter.
    pub held: Bytes,
}

impl Program {
    /// Puts it on the meter.
    #[must_use]
    pub fn metered(mut self) -> Self {
        self.held = Bytes::new(self.size() + 6 * UPKEEP);
        self
    }

    /// Its bytes on the meter.
    pub fn bytes(&self) -> usize {
        self.held.get()
    }

    fn size(&self) -> usize {
        let ranges: usize = self.sets.iter().map(|s| size_of_val(&*s.ranges)).sum();
        let names: usize = self.names.iter().flatten().map(|n| n.len()).sum();
        self.ops.capacity() * size_of::<Op>()
            + self.sets.capacity() * size_of::<CharSet>()
            + self.loops.capacity() * size_of::<Loop>()
            + self.looks.capacity() * size_of::<Look>()
            + self.names.capacity() * size_of::<Option<Box<str>>>()
            + ranges
            + names
    }
}
