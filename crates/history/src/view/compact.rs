//! How messages are compacted for `batch`: kept whole, removed, or replaced by a short text.

use crate::conversation::message::Message;

/// What a message becomes when it is compacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compact {
    /// The message itself: its kind has no short form (B-15).
    Full,
    /// Nothing.
    Gone,
    /// This text; a blank one is omitted, since no message may be empty (B-26).
    Short(String),
    /// It should be shortened and cannot be: kept whole, counted and reported (B-14).
    Uncompactable,
}

/// How messages of the model are compacted (B-12). By default a message is kept whole.
///
/// ```
/// use ptc_history::{Compact, Compactable, Message, Recap};
///
/// let answer = Message::assistant("Looked it up.\n;; recap - the price is 5 ");
/// assert_eq!(Recap.compact(&answer), Compact::Short("recap - the price is 5".into()));
/// ```
pub trait Compactable: Sync {
    /// Identifies the implementation: results are cached under it, so no two may have the same id.
    fn id(&self) -> u64;

    /// The compacted message. Must depend on the message alone.
    fn compact(&self, _message: &Message) -> Compact {
        Compact::Full
    }
}

/// What the model said: its recap line, the first that begins with `recap -`, bare or as a comment (B-13).
#[derive(Clone, Copy, Debug, Default)]
pub struct Recap;

impl Compactable for Recap {
    fn id(&self) -> u64 {
        u64::from_be_bytes(*b"ptc/reca")
    }

    fn compact(&self, message: &Message) -> Compact {
        let text = message.text();
        let recap = text.lines().find_map(|line| {
            let line = line.trim().trim_start_matches([';', '#', '/']).trim_start();
            line.starts_with("recap -").then(|| line.to_owned())
        });
        recap.map_or(Compact::Uncompactable, Compact::Short)
    }
}
