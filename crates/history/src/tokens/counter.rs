//! Counters of plain text: the two public OpenAI vocabularies, and an estimate that needs none.

#[cfg(feature = "vocabularies")]
use super::vocabulary::{CL100K, O200K, Vocabulary};
use std::panic::{RefUnwindSafe, UnwindSafe};

/// Counts the tokens of a text. A host may provide its own (K-38); [`super::CachedCounter`] rejects counts that are
/// impossible.
pub trait Counter: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Its name; counts under different names are kept apart (K-32).
    fn id(&self) -> &str;
    /// The tokens of this text.
    fn count(&self, text: &str) -> u64;
}

/// OpenAI's vocabulary since GPT-4o, exact for text of those models. Embedded, packed; unpacked when first used. Needs the feature `vocabularies`.
#[cfg(feature = "vocabularies")]
#[derive(Clone, Copy, Debug, Default)]
pub struct O200k;

/// OpenAI's vocabulary of GPT-4 and GPT-3.5. Embedded, packed; unpacked when first used. Needs the feature `vocabularies`.
#[cfg(feature = "vocabularies")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Cl100k;

/// An estimate by seven weights over classes of characters, fitted to o200k on half of 429 documents: mean error 5 % on
/// the other half (docs/tokens.md). Needs no vocabulary and no memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seven;

#[cfg(feature = "vocabularies")]
impl Counter for O200k {
    fn id(&self) -> &str {
        "o200k"
    }
    fn count(&self, text: &str) -> u64 {
        bpe(&O200K, text)
    }
}

#[cfg(feature = "vocabularies")]
impl Counter for Cl100k {
    fn id(&self) -> &str {
        "cl100k"
    }
    fn count(&self, text: &str) -> u64 {
        bpe(&CL100K, text)
    }
}

impl Counter for Seven {
    fn id(&self) -> &str {
        "seven"
    }

    fn count(&self, text: &str) -> u64 {
        let mut sum = 0.0;
        let mut last = CharKind::Space;
        let mut digits = 0u32;
        for c in text.chars() {
            let kind = CharKind::of(c);
            let begins = kind != last;
            if begins {
                digits = 0;
            }
            sum += match kind {
                CharKind::Letter => 0.110 + if begins { 0.403 } else { 0.0 },
                CharKind::Digit => {
                    digits = digits.saturating_add(1);
                    if digits % 3 == 1 { 1.367 } else { 0.0 }
                }
                CharKind::Mark => 0.125 + if begins { 0.860 } else { 0.0 },
                CharKind::Wide => 0.678,
                CharKind::Line => f64::from(u8::from(begins)) * 0.691,
                CharKind::Space => 0.0,
            };
            last = kind;
        }
        sum.round() as u64
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharKind {
    Letter,
    Digit,
    Mark,
    Wide,
    Line,
    Space,
}

impl CharKind {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' | 'A'..='Z' => CharKind::Letter,
            '0'..='9' => CharKind::Digit,
            '\n' | '\r' => CharKind::Line,
            c if c.is_whitespace() => CharKind::Space,
            c if c.is_ascii() => CharKind::Mark,
            _ => CharKind::Wide,
        }
    }
}

/// The longest run of one class of character that is passed as a whole: the regular expression of the vocabulary
/// backtracks over a run, and gives up where one is a million characters long.
#[cfg(feature = "vocabularies")]
const MAX_RUN_BYTES: usize = 4096;

#[cfg(feature = "vocabularies")]
fn bpe(vocabulary: &Vocabulary, text: &str) -> u64 {
    let mut count = 0_u64;
    let mut start = 0;
    let (mut kind, mut run) = (RunClass::Space, 0_usize);
    for (at, c) in text.char_indices() {
        let now = RunClass::of(c);
        run = if now == kind { run.saturating_add(c.len_utf8()) } else { c.len_utf8() };
        kind = now;
        if run > MAX_RUN_BYTES {
            count = count.saturating_add(vocabulary.count(text.get(start..at).unwrap_or_default()));
            (start, run) = (at, c.len_utf8());
        }
    }
    count.saturating_add(vocabulary.count(text.get(start..).unwrap_or_default()))
}

/// What the regular expressions of the vocabularies repeat.
#[cfg(feature = "vocabularies")]
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunClass {
    Word,
    Mark,
    Space,
}

#[cfg(feature = "vocabularies")]
impl RunClass {
    fn of(c: char) -> Self {
        if c.is_whitespace() {
            RunClass::Space
        } else if c.is_alphanumeric() {
            RunClass::Word
        } else {
            RunClass::Mark
        }
    }
}
