//! The marks of nesting: what brackets open and end with, and the prefixes that wrap a form.

/// What a bracket opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open<'a> {
    List,
    Vector,
    Map,
    Set,
    Lambda,
    /// `#:p{`, with its namespace, or `#::p{` and `#::{`, with that from the colons on.
    Spaced(&'a str),
}

impl Open<'_> {
    /// The bracket that ends it.
    pub(super) fn closer(self) -> char {
        match self {
            Open::List | Open::Lambda => ')',
            Open::Vector => ']',
            Open::Map | Open::Set | Open::Spaced(_) => '}',
        }
    }

    /// How it is called in messages.
    pub(super) fn text(self) -> &'static str {
        match self {
            Open::List => "(",
            Open::Vector => "[",
            Open::Map => "{",
            Open::Set => "#{",
            Open::Lambda => "#(",
            Open::Spaced(_) => "#:{",
        }
    }

    /// Whether its keys must differ.
    pub(super) fn is_keyed(self) -> bool {
        matches!(self, Open::Map | Open::Set | Open::Spaced(_))
    }
}

/// What precedes a form and includes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    Quote,
    SyntaxQuote,
    Unquote,
    UnquoteSplicing,
    Deref,
    Var,
    /// Takes two forms: the metadata, then what carries it.
    Meta,
    Discard,
    Uuid,
    /// `#inst "..."`, `#time/date "..."`: the name of the tag.
    Time(&'static str),
    /// `#keyword "a b"`
    Keyword,
    /// `#symbol "a b"`
    Symbol,
    /// `#user.Point{...}`
    Record,
    /// `#my/tag ...`
    Tagged,
    /// `#?(...)`
    Conditional,
    /// `#?@(...)`
    Splicing,
}

impl Prefix {
    /// As it is written.
    pub(super) fn text(self) -> &'static str {
        match self {
            Prefix::Quote => "'",
            Prefix::SyntaxQuote => "`",
            Prefix::Unquote => "~",
            Prefix::UnquoteSplicing => "~@",
            Prefix::Deref => "@",
            Prefix::Var => "#'",
            Prefix::Meta => "^",
            Prefix::Discard => "#_",
            Prefix::Uuid => "#uuid",
            Prefix::Time(_) => "#inst",
            Prefix::Keyword => "#keyword",
            Prefix::Symbol => "#symbol",
            Prefix::Record | Prefix::Tagged => "#",
            Prefix::Conditional => "#?",
            Prefix::Splicing => "#?@",
        }
    }
}
