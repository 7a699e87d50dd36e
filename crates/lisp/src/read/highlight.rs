//! Syntax highlighting: a program cut into pieces by the lexer itself, which unlike the reader continues after an
//! error.

use super::lexer::{Lexer, Token};
use crate::form::Kind;
use crate::span::Span;

/// What a piece of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HighlightKind {
    /// `; ...` up to the line's end, and `#! ...`.
    Comment,
    /// A bracket, or the prefix of one: `(`, `#{`, `]`.
    Bracket,
    /// What wraps the form behind it: `'`, `@`, `#'`, `#_`, `^`.
    Prefix,
    /// A string, quotes included; one that is not closed reaches to the end.
    Text,
    /// `#"..."`
    Regex,
    /// `\a`
    Char,
    /// A number of any kind.
    Number,
    /// `:a`, `::a`, `:n/a`
    Keyword,
    /// `nil`, `true`, `false`
    Constant,
    /// Any other name.
    Symbol,
    /// What the reader refuses.
    Wrong,
}

/// A piece and where it is. Between pieces there are blanks and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: HighlightKind,
}

impl Highlight {
    /// Its text in the source it was cut from.
    pub fn text(self, source: &str) -> &str {
        source.get(self.span.start as usize..self.span.end as usize).unwrap_or_default()
    }
}

/// The pieces of `source`, in order. Never fails: what cannot be read is [`HighlightKind::Wrong`].
///
/// ```
/// use ptc_lisp::read::{HighlightKind, highlight};
///
/// let source = "(inc 1) ; one";
/// let found: Vec<_> = highlight(source).into_iter().map(|p| (p.text(source), p.kind)).collect();
/// assert_eq!(found[1..3], [("inc", HighlightKind::Symbol), ("1", HighlightKind::Number)]);
/// assert_eq!(found[4], ("; one", HighlightKind::Comment));
/// ```
pub fn highlight(source: &str) -> Vec<Highlight> {
    let mut out = Vec::new();
    let mut forms = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let mut lexer = Lexer::new(source, at);
        forms.clear();
        let token = lexer.next(&mut forms);
        let begins = token.as_ref().map_or_else(|_| behind_blanks(source, at), |t| t.1);
        comments(source, at, begins, &mut out);
        let (of, end) = match token {
            Ok((Token::End, _)) => break,
            Ok((Token::Open(_) | Token::Close(_), _)) => (HighlightKind::Bracket, lexer.at),
            Ok((Token::Prefix(_), _)) => (HighlightKind::Prefix, lexer.at),
            Ok((Token::Atom, _)) => (forms.first().map_or(HighlightKind::Symbol, |f| kind(&f.kind)), lexer.at),
            Err(_) => wrong(source, begins, lexer.at),
        };
        // Whatever the lexer said, each step takes at least one character.
        let least = source.get(begins..).and_then(|s| s.chars().next()).map_or(1, char::len_utf8);
        let end = end.max(begins + least).min(source.len());
        out.push(Highlight { span: Span::new(begins, end), kind: of });
        at = end;
    }
    out
}

fn kind(form: &Kind) -> HighlightKind {
    match form {
        Kind::Nil | Kind::Bool(_) => HighlightKind::Constant,
        Kind::Int(_) | Kind::Big(_) | Kind::Ratio(_) | Kind::Decimal(_) | Kind::Float(_) => HighlightKind::Number,
        Kind::Char(_) => HighlightKind::Char,
        Kind::Str(_) | Kind::Uuid(_) | Kind::Time(_) => HighlightKind::Text,
        Kind::Regex(_) => HighlightKind::Regex,
        Kind::Keyword(_) => HighlightKind::Keyword,
        _ => HighlightKind::Symbol,
    }
}

/// What is refused, and where it ends. A string with a bad escape still ends at its quote, or all behind it would be
/// taken inside out.
fn wrong(source: &str, start: usize, at: usize) -> (HighlightKind, usize) {
    let rest = source.get(start..).unwrap_or_default();
    let (kind, opening) = match rest.as_bytes() {
        [b'"', ..] => (HighlightKind::Text, 1),
        [b'#', b'"', ..] => (HighlightKind::Regex, 2),
        _ => {
            // `at` may be inside a character, or behind a bracket that belongs to something else.
            let end = rest.find(|c: char| c.is_whitespace() || "()[]{}\";".contains(c)).unwrap_or(rest.len());
            return (HighlightKind::Wrong, if source.is_char_boundary(at) { at.min(start + end) } else { start + end });
        }
    };
    let mut escaped = false;
    let close = rest.bytes().enumerate().skip(opening).find(|(_, b)| {
        let closes = *b == b'"' && !escaped;
        escaped = *b == b'\\' && !escaped;
        closes
    });
    (kind, start + close.map_or(rest.len(), |(i, _)| i + 1))
}

/// Where the first thing that is no blank and no comment is.
fn behind_blanks(source: &str, from: usize) -> usize {
    let mut rest = source.get(from..).unwrap_or_default();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',' || super::char_class::is_wide_blank(c));
        if !rest.starts_with(';') && !rest.starts_with("#!") {
            return source.len() - rest.len();
        }
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        rest = rest.get(end..).unwrap_or_default();
    }
}

/// The comments between two places where nothing else is.
fn comments(source: &str, from: usize, to: usize, out: &mut Vec<Highlight>) {
    let mut at = from;
    while let Some(gap) = source.get(at..to) {
        let Some(start) = gap.find([';', '#']).map(|i| at + i) else { return };
        let end = source.get(start..to).and_then(|s| s.find(['\n', '\r'])).map_or(to, |i| start + i);
        out.push(Highlight { span: Span::new(start, end), kind: HighlightKind::Comment });
        at = end;
    }
}
