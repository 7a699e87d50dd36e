//! What the reader makes of text: forms, each with the place it came from.

use crate::span::Span;
use crate::time::Time;
use crate::value::Value;
use crate::value::decimal::Decimal;
use crate::value::node::{UPKEEP, hold_bytes};
use compact_str::CompactString;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::borrow::Cow;
use std::ops::Deref;

/// What a form takes, with the place that a list has kept for it in vain, or its own allocation.
const FORM_BYTES: usize = size_of::<Form>() + UPKEEP;

/// The bytes of a form on the meter. They are held, and not charged in fuel: the text that is read is bounded, and what makes forms
/// otherwise charges for its work.
#[derive(Debug, PartialEq)]
struct FormBytes;

impl FormBytes {
    #[inline]
    fn new() -> Self {
        hold_bytes(FORM_BYTES as i64);
        FormBytes
    }
}

impl Clone for FormBytes {
    #[inline]
    fn clone(&self) -> Self {
        FormBytes::new()
    }
}

impl Drop for FormBytes {
    #[inline]
    fn drop(&mut self) {
        hold_bytes(-(FORM_BYTES as i64));
    }
}

/// What may keep its text in an allocation of its own.
pub trait OnHeap {
    /// Bytes of that allocation.
    fn heap_bytes(&self) -> usize;
}

impl OnHeap for CompactString {
    #[inline]
    fn heap_bytes(&self) -> usize {
        if self.is_heap_allocated() { self.capacity() + UPKEEP } else { 0 }
    }
}

impl OnHeap for Box<str> {
    #[inline]
    fn heap_bytes(&self) -> usize {
        self.len() + UPKEEP
    }
}

/// A text in a form, its allocation on the meter.
#[derive(PartialEq, Eq, Hash)]
pub struct FormText<T: OnHeap = CompactString>(T);

impl<T: OnHeap> FormText<T> {
    #[inline]
    fn of(text: T) -> Self {
        let bytes = text.heap_bytes();
        if bytes > 0 {
            hold_bytes(bytes as i64);
        }
        FormText(text)
    }
}

impl<T: OnHeap + Deref<Target = str>> FormText<T> {
    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: OnHeap + Clone> Clone for FormText<T> {
    #[inline]
    fn clone(&self) -> Self {
        FormText::of(self.0.clone())
    }
}

impl<T: OnHeap> Drop for FormText<T> {
    #[inline]
    fn drop(&mut self) {
        let bytes = self.0.heap_bytes();
        if bytes > 0 {
            hold_bytes(-(bytes as i64));
        }
    }
}

impl<T: OnHeap + Deref<Target = str>> Deref for FormText<T> {
    type Target = str;
    #[inline]
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<T: OnHeap + std::fmt::Debug> std::fmt::Debug for FormText<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: OnHeap + Deref<Target = str>> std::fmt::Display for FormText<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<CompactString> for FormText {
    #[inline]
    fn from(text: CompactString) -> Self {
        FormText::of(text)
    }
}

impl<'t, T: OnHeap + From<&'t str>> From<&'t str> for FormText<T> {
    #[inline]
    fn from(text: &'t str) -> Self {
        FormText::of(text.into())
    }
}

impl<T: OnHeap + From<Cow<'static, str>>> From<String> for FormText<T> {
    fn from(text: String) -> Self {
        FormText::of(Cow::Owned::<str>(text).into())
    }
}

impl<'t, T: OnHeap + From<Cow<'t, str>>> From<Cow<'t, str>> for FormText<T> {
    fn from(text: Cow<'t, str>) -> Self {
        FormText::of(text.into())
    }
}

/// One form of the source and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The bytes it was read from, brackets and prefix included.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
    _bytes: FormBytes,
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
    pub ns: Option<FormText<Box<str>>>,
    /// The part after it: most names are short, and need no allocation.
    pub name: FormText,
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
    Str(FormText),
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
        Form { span, kind, _bytes: FormBytes::new() }
    }

    /// A list at a place.
    pub fn list(span: Span, items: Vec<Form>) -> Self {
        Form::new(span, Kind::List(items))
    }

    /// A vector at a place.
    pub fn vector(span: Span, items: Vec<Form>) -> Self {
        Form::new(span, Kind::Vector(items))
    }

    /// A symbol at a place.
    pub fn symbol(span: Span, name: Name) -> Self {
        Form::new(span, Kind::Symbol(name))
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
