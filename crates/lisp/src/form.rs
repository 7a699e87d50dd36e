//! What the reader makes of text: forms, each with the place it came from.

use crate::span::Span;
use num_bigint::BigInt;
use num_rational::BigRational;

/// One form of the source and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The bytes it was read from, brackets and prefix included.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// A name of a symbol or keyword: `ns/name` or `name`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The part before the slash, if there is one.
    pub ns: Option<Box<str>>,
    /// The part after it.
    pub name: Box<str>,
}

/// The kinds of form. Reader sugar keeps a kind of its own, so that errors can speak of what was written.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `nil`
    Nil,
    /// `true`, `false`
    Bool(bool),
    /// A 64-bit integer in any radix.
    Int(i64),
    /// An integer with `N`, or one past 64 bits.
    Big(BigInt),
    /// `2/3`, reduced; `4/2` reads as an integer.
    Ratio(BigRational),
    /// A double, `##Inf ##-Inf ##NaN` among them.
    Float(f64),
    /// `\a`, `\newline`, `\u0041`, `\o101`
    Char(char),
    /// `"..."` after its escapes.
    Str(Box<str>),
    /// `:a`, `:n/a`; `::a` is `:user/a`.
    Keyword(Name),
    /// A symbol.
    Symbol(Name),
    /// `(...)`
    List(Vec<Form>),
    /// `[...]`
    Vector(Vec<Form>),
    /// `{k v ...}`, also `#:p{...}` with its keys already qualified.
    Map(Vec<(Form, Form)>),
    /// `#{...}`
    Set(Vec<Form>),
    /// `#"..."`, its text unchanged.
    Regex(Box<str>),
    /// `#uuid "..."`
    Uuid(u128),
    /// `'x`
    Quote(Box<Form>),
    /// `@x`
    Deref(Box<Form>),
    /// `#'x`
    Var(Box<Form>),
    /// `#(...)`: the list inside, `%` still symbols.
    Lambda(Vec<Form>),
    /// `^{...} x`, `^:k x`, `^tag x`: the metadata as a map form (`:k` is `{:k true}`, a tag `{:tag tag}`), then the form.
    Meta(Box<Form>, Box<Form>),
}
