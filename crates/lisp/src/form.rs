//! What the reader makes of text: forms, each with the place it came from.

use crate::span::Span;
use crate::time::Time;
use crate::value::Value;
use crate::value::decimal::Decimal;
use compact_str::CompactString;
use num_bigint::BigInt;
use num_rational::BigRational;

/// One form of the source and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The bytes it was read from, brackets and prefix included.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What the reader has seen of a program, which saves looking for it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Overview {
    /// How many words there are that may begin a definition, at the least.
    pub(crate) definitions: usize,
    /// Whether a form at the top asks for namespaces.
    pub(crate) asks: bool,
}

/// Whether a form of this name may define something.
#[inline]
pub(crate) fn defines(word: &str) -> bool {
    word.starts_with("def") || word == "declare"
}

/// A name of a symbol or keyword: `ns/name` or `name`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The part before the slash, if there is one.
    pub ns: Option<Box<str>>,
    /// The part after it: most names are short, and need no allocation.
    pub name: CompactString,
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
    /// A decimal, `1.50M`.
    Decimal(Decimal),
    /// A double, `##Inf ##-Inf ##NaN` among them.
    Float(f64),
    /// `\a`, `\newline`, `\u0041`, `\o101`
    Char(char),
    /// `"..."` after its escapes.
    Str(CompactString),
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
    /// `#inst "..."`, `#time/date "..."`
    Time(Box<Time>),
    /// `'x`
    Quote(Box<Form>),
    /// `@x`
    Deref(Box<Form>),
    /// `#'x`
    Var(Box<Form>),
    /// `#(...)`: the list inside, `%` still symbols.
    Lambda(Vec<Form>),
    /// `` `x ``
    SyntaxQuote(Box<Form>),
    /// `~x`
    Unquote(Box<Form>),
    /// `~@x`
    UnquoteSplicing(Box<Form>),
    /// `#tag form`, where nothing here reads the tag.
    Tagged(Name, Box<Form>),
    /// `#?(...)` that is kept, `#?@(...)` if it is true.
    Conditional(Box<Form>, bool),
    /// A value that no text stands for, which a macro put into its expansion.
    Embedded(Embedded),
    /// `^{...} x`, `^:k x`, `^tag x`: the metadata as a map form (`:k` is `{:k true}`, a tag `{:tag tag}`), then the
    /// form.
    Meta(Box<Form>, Box<Form>),
}

/// A value inside a form. It equals nothing: forms are compared as texts are.
#[derive(Clone, Debug)]
pub struct Embedded(pub Value);

impl PartialEq for Embedded {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

impl Name {
    /// A name without a namespace.
    pub fn plain(name: &str) -> Self {
        Name { ns: None, name: name.into() }
    }

    /// `ns/name` or `name`.
    pub fn text(&self) -> String {
        match &self.ns {
            Some(ns) => format!("{ns}/{}", self.name),
            None => self.name.to_string(),
        }
    }
}

impl Form {
    /// A form at a place.
    pub fn new(span: Span, kind: Kind) -> Self {
        Form { span, kind }
    }

    /// A list at a place.
    pub fn list(span: Span, items: Vec<Form>) -> Self {
        Form { span, kind: Kind::List(items) }
    }

    /// A vector at a place.
    pub fn vector(span: Span, items: Vec<Form>) -> Self {
        Form { span, kind: Kind::Vector(items) }
    }

    /// A symbol at a place.
    pub fn symbol(span: Span, name: Name) -> Self {
        Form { span, kind: Kind::Symbol(name) }
    }

    /// A symbol of clojure.core, which no local or user name can shadow.
    pub fn core(span: Span, name: &str) -> Self {
        Form::symbol(span, Name { ns: Some("clojure.core".into()), name: name.into() })
    }

    /// A call of a function or form of clojure.core.
    pub fn call(span: Span, name: &str, args: Vec<Form>) -> Self {
        let mut items = vec![Form::core(span, name)];
        items.extend(args);
        Form::list(span, items)
    }

    /// The name, if this is a symbol.
    pub fn as_symbol(&self) -> Option<&Name> {
        match &self.kind {
            Kind::Symbol(n) => Some(n),
            _ => None,
        }
    }

    /// The name, if this is a symbol without a namespace.
    pub fn as_plain(&self) -> Option<&str> {
        self.as_symbol().filter(|n| n.ns.is_none()).map(|n| &*n.name)
    }

    /// Whether this is the plain keyword `name`.
    pub fn is_keyword(&self, name: &str) -> bool {
        matches!(&self.kind, Kind::Keyword(k) if k.ns.is_none() && &*k.name == name)
    }
}
