//! Names and text: strings that know whether they are ASCII, keywords and symbols that compare by pointer first.

use super::node::{Bytes, free_bytes, make_bytes};
use compact_str::CompactString;
use std::any::Any;
use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use triomphe::Arc as Counted;

/// Bytes of an allocation's own upkeep: reference counts and the allocator's header.
pub const OVERHEAD: usize = 32;

/// Longer constants have no mark, in bytes.
const MAX_MARKED: usize = 80;

/// The mark of a constant with this text: 0 of a long one, else not 0, and seldom that of another text.
fn mark_of(text: &str) -> u8 {
    if text.len() > MAX_MARKED {
        return 0;
    }
    let hash = text.bytes().fold(0x811C_9DC5_u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
    // The remainder is less than 255.
    ((hash ^ (hash >> 16)) % 255 + 1) as u8
}

#[derive(Debug)]
struct StrNode {
    text: CompactString,
    ascii: bool,
    /// Of a constant of a program its mark, else 0. It is set once, when the program is compiled.
    mark: AtomicU8,
}

/// What a string is charged for besides its text, where that is not in its node.
const STR: usize = size_of::<StrNode>() + size_of::<usize>() + OVERHEAD;

impl StrNode {
    /// Its bytes on the meter: a text does not change, so they are worked out and not kept.
    fn bytes(&self) -> usize {
        STR + if self.text.is_heap_allocated() { self.text.capacity() } else { 0 }
    }
}

impl Drop for StrNode {
    #[inline]
    fn drop(&mut self) {
        free_bytes(self.bytes());
    }
}

/// An immutable string. Indexes count Unicode characters (difference 5).
#[derive(Clone, Debug)]
pub struct Str(Counted<StrNode>);

impl Str {
    /// A string of this text.
    pub fn new(text: impl Into<CompactString>) -> Self {
        let text = text.into();
        let node = StrNode { ascii: text.is_ascii(), mark: AtomicU8::new(0), text };
        make_bytes(node.bytes());
        Str(Counted::new(node))
    }

    /// Marks it as a constant of a program.
    pub fn mark_constant(&self) {
        self.0.mark.store(mark_of(self.as_str()), Relaxed);
    }

    /// The mark of a constant of a program; 0 of every other text.
    #[inline]
    pub fn constant_mark(&self) -> u8 {
        self.0.mark.load(Relaxed)
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Whether every character is one byte, so that indexes need no search.
    pub fn is_ascii(&self) -> bool {
        self.0.ascii
    }

    /// Length in characters; O(n) unless ASCII.
    pub fn chars(&self) -> usize {
        if self.0.ascii { self.0.text.len() } else { self.0.text.chars().count() }
    }

    /// The part from character `start` up to `end`, or `None` when out of bounds; O(n) unless ASCII.
    pub fn slice(&self, start: usize, end: usize) -> Option<&str> {
        if start > end {
            return None;
        }
        let text = self.as_str();
        if self.0.ascii {
            return text.get(start..end);
        }
        let mut at = text.char_indices().map(|(i, _)| i).chain(std::iter::once(text.len()));
        let from = at.nth(start)?;
        let to = if end == start { from } else { at.nth(end - start - 1)? };
        text.get(from..to)
    }

    /// Its bytes on the meter.
    pub fn own_bytes(&self) -> usize {
        self.0.bytes()
    }

    /// A number that identifies the allocation while it lives.
    pub fn address(&self) -> usize {
        Counted::as_ptr(&self.0).cast::<()>() as usize
    }

    /// Whether both are the same allocation.
    pub fn ptr_eq(&self, other: &Str) -> bool {
        Counted::ptr_eq(&self.0, &other.0)
    }
}

impl PartialEq for Str {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        Counted::ptr_eq(&self.0, &other.0) || self.0.text == other.0.text
    }
}
impl Eq for Str {}

#[derive(Debug)]
struct NameNode {
    /// `ns/name` or `name`.
    text: CompactString,
    /// Where the slash is, when there is a namespace; else [`NO_SLASH`].
    slash: u32,
    /// The same for the same text; with the length it says all of a short one ([`bits_of`]).
    bits: u64,
    len: u8,
    /// Of a constant of a program its mark, else 0. It is set once, when the program is compiled.
    mark: AtomicU8,
    _bytes: Bytes,
}

/// The length of texts of which [`bits_of`] does not say all.
const LONG: u8 = 9;

/// A number of a text, and its length. Of up to eight bytes the number is these, so that texts are equal where both are; of
/// more it is seldom that of another text, so that names that differ need no look at their texts.
fn bits_of(text: &str) -> (u64, u8) {
    let word = |part: &[u8]| {
        let mut bytes = [0u8; 8];
        bytes.iter_mut().zip(part).for_each(|(b, w)| *b = *w);
        u64::from_le_bytes(bytes)
    };
    match u8::try_from(text.len()) {
        Ok(len) if len < LONG => (word(text.as_bytes()), len),
        _ => {
            let mix = |h: u64, part: &[u8]| (h.rotate_left(5) ^ word(part)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (text.as_bytes().chunks(8).fold(text.len() as u64, mix), LONG)
        }
    }
}

/// A text can be no longer than this.
const NO_SLASH: u32 = u32::MAX;

impl NameNode {
    fn new(ns: Option<&str>, name: &str) -> Arc<Self> {
        Arc::new(Self::make(ns, name))
    }

    /// Whether both are the same name: texts of one number and length differ only where they are long.
    #[inline]
    fn same(&self, other: &Self) -> bool {
        self.bits == other.bits
            && self.len == other.len
            && self.slash == other.slash
            && (self.len != LONG || self.text == other.text)
    }

    fn make(ns: Option<&str>, name: &str) -> Self {
        let (text, slash) = match ns {
            Some(ns) => {
                let mut text = CompactString::with_capacity(ns.len() + 1 + name.len());
                text.push_str(ns);
                text.push('/');
                text.push_str(name);
                (text, u32::try_from(ns.len()).unwrap_or(NO_SLASH))
            }
            None => (CompactString::new(name), NO_SLASH),
        };
        let bytes = Bytes::new(size_of::<NameNode>() + OVERHEAD + text.len());
        let (bits, len) = bits_of(&text);
        NameNode { bits, len, text, slash, mark: AtomicU8::new(0), _bytes: bytes }
    }

    fn ns(&self) -> Option<&str> {
        if self.slash == NO_SLASH { None } else { self.text.get(..self.slash as usize) }
    }

    fn name(&self) -> &str {
        match self.slash {
            NO_SLASH => &self.text,
            s => self.text.get(s as usize + 1..).unwrap_or_default(),
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        // As Clojure: no namespace first, then by namespace, then by name.
        self.ns().cmp(&other.ns()).then_with(|| self.name().cmp(other.name()))
    }
}

macro_rules! name_type {
    ($(#[$doc:meta])* $type:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $type(Arc<NameNode>);

        impl $type {
            /// With its namespace, if any, and name as given.
            pub fn new(ns: Option<&str>, name: &str) -> Self {
                $type(NameNode::new(ns, name))
            }
            /// From `ns/name` or `name`, split at the first slash that has text on both sides, as Clojure does.
            pub fn parse(text: &str) -> Self {
                match text.split_once('/') {
                    Some((ns, name)) if !ns.is_empty() && !name.is_empty() => Self::new(Some(ns), name),
                    _ => Self::new(None, text),
                }
            }
            /// The namespace.
            pub fn ns(&self) -> Option<&str> { self.0.ns() }
            /// The name without its namespace.
            pub fn name(&self) -> &str { self.0.name() }
            /// The whole text, `ns/name` or `name`, without a colon.
            #[inline]
            pub fn text(&self) -> &str { &self.0.text }
            /// Marks it as a constant of a program.
            pub fn mark_constant(&self) {
                self.0.mark.store(mark_of(self.text()), Relaxed);
            }
            /// The mark of a constant of a program; 0 of every other name.
            #[inline]
            pub fn constant_mark(&self) -> u8 {
                self.0.mark.load(Relaxed)
            }
            /// Its bytes on the meter.
            pub fn own_bytes(&self) -> usize { self.0._bytes.get() }
            /// A number that identifies the allocation while it lives.
            pub fn address(&self) -> usize { Arc::as_ptr(&self.0).cast::<()>() as usize }
            /// The order of Clojure's `compare`.
            pub fn order(&self, other: &Self) -> Ordering { self.0.order(&other.0) }
        }

        impl PartialEq for $type {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                let (a, b) = (&self.0, &other.0);
                Arc::ptr_eq(a, b) || a.same(b)
            }
        }
        impl Eq for $type {}
    };
}

/// Whether a name without namespace can be written as it is behind a colon, in any text: letters, digits and
/// `- _ ? ! * + . < > = & $ '` only.
pub fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_plain_char)
}

/// Whether a character may be in a plain name.
pub fn is_plain_char(c: char) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => true,
        '-' | '_' | '?' | '!' | '*' | '+' | '.' | '<' | '>' | '=' | '&' | '$' | '\'' => true,
        c => !c.is_ascii() && c.is_alphanumeric() && !ptc_text::escape::hidden(c),
    }
}

name_type!(
    /// A keyword. One that came from JSON has the whole key as its name and no namespace.
    Keyword
);
/// A symbol, as data. Metadata says nothing of which symbol it is.
#[derive(Clone, Debug)]
pub struct Symbol(Arc<SymbolNode>);

#[derive(Debug)]
struct SymbolNode {
    name: NameNode,
    /// Its metadata, which this file knows nothing of, with its depth.
    meta: Option<(Arc<dyn Any + Send + Sync>, u32)>,
    _bytes: Bytes,
}

impl Symbol {
    /// With its namespace, if any, and name as given.
    pub fn new(ns: Option<&str>, name: &str) -> Self {
        Symbol::of(NameNode::make(ns, name), None)
    }

    /// Puts on the meter what one of this namespace and name would take, and takes it off again.
    pub fn charge(ns: &str, name: &str) {
        let bytes = size_of::<SymbolNode>() + OVERHEAD + ns.len() + 1 + name.len();
        make_bytes(bytes);
        free_bytes(bytes);
    }

    fn of(name: NameNode, meta: Option<(Arc<dyn Any + Send + Sync>, u32)>) -> Self {
        let bytes = Bytes::new(size_of::<SymbolNode>() - size_of::<NameNode>());
        Symbol(Arc::new(SymbolNode { name, meta, _bytes: bytes }))
    }

    /// The same symbol with metadata of this depth, or without.
    #[must_use]
    pub fn with_any_meta(&self, meta: Option<(Arc<dyn Any + Send + Sync>, u32)>) -> Self {
        Symbol::of(NameNode::make(self.ns(), self.name()), meta)
    }

    /// Its metadata.
    pub fn any_meta(&self) -> Option<&Arc<dyn Any + Send + Sync>> {
        self.0.meta.as_ref().map(|(meta, _)| meta)
    }

    /// The metadata, taken out of what nobody else holds.
    pub fn take_any_meta(&mut self) -> Option<Arc<dyn Any + Send + Sync>> {
        Arc::get_mut(&mut self.0)?.meta.take().map(|(meta, _)| meta)
    }

    /// Whether it has metadata.
    #[inline]
    pub fn has_meta(&self) -> bool {
        self.0.meta.is_some()
    }

    /// How deep it is: 0 without metadata.
    pub fn depth(&self) -> u32 {
        self.0.meta.as_ref().map_or(0, |(_, depth)| depth.saturating_add(1))
    }

    /// From `ns/name` or `name`, split at the first slash that has text on both sides, as Clojure does.
    pub fn parse(text: &str) -> Self {
        match text.split_once('/') {
            Some((ns, name)) if !ns.is_empty() && !name.is_empty() => Self::new(Some(ns), name),
            _ => Self::new(None, text),
        }
    }

    /// The namespace.
    pub fn ns(&self) -> Option<&str> {
        self.0.name.ns()
    }

    /// The name without its namespace.
    pub fn name(&self) -> &str {
        self.0.name.name()
    }

    /// The whole text, `ns/name` or `name`.
    #[inline]
    pub fn text(&self) -> &str {
        &self.0.name.text
    }

    /// Its bytes on the meter.
    pub fn own_bytes(&self) -> usize {
        self.0.name._bytes.get() + self.0._bytes.get()
    }

    /// A number that identifies the allocation while it lives.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).cast::<()>() as usize
    }

    /// The order of Clojure's `compare`.
    pub fn order(&self, other: &Self) -> Ordering {
        self.0.name.order(&other.0.name)
    }
}

impl PartialEq for Symbol {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.name.same(&other.0.name)
    }
}

impl Eq for Symbol {}

impl Keyword {
    /// A number of the text, the same for the same text.
    pub(crate) fn text_number(&self) -> u64 {
        self.0.bits
    }
}
