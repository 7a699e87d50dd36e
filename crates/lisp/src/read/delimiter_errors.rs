//! The errors of brackets: what is open, what closes what, and by the indentation, where the mistake most likely is.
//!
//! All of it runs once there is an error, and then in time linear in the source.

use super::delimiters::{Open, Prefix};
use super::error::fault;
use super::frame::{Frame, What};
use super::lexer::{Lexer, Token};
use crate::error::{Error, cut};
use crate::form::Form;
use crate::span::Span;

/// A bracket and its place.
#[derive(Clone, Copy)]
struct Bracket<'a> {
    open: Open<'a>,
    start: usize,
    column: usize,
    /// Whether it is the first thing on its line; only then does its column say what is meant to be inside it.
    leads: bool,
}

/// Goes over the tokens of a source again, keeping columns.
struct Walk<'a> {
    source: &'a str,
    lexer: Lexer<'a>,
    column: usize,
    /// Where the last token started.
    last: usize,
    /// The last token's form, which nobody wants.
    form: Vec<Form>,
}

/// A token, and whether it is the first on its line; a prefix counts with what it precedes.
struct Place<'a> {
    token: Token<'a>,
    start: usize,
    leads: bool,
}

impl<'a> Walk<'a> {
    fn new(source: &'a str, end: usize) -> Self {
        let source = source.get(..end).unwrap_or(source);
        Walk { source, lexer: Lexer::new(source, 0), column: 0, last: 0, form: Vec::new() }
    }

    /// The next token before the end; the tokens before an error have none themselves.
    fn next(&mut self, after_prefix: bool) -> Option<Place<'a>> {
        let behind = self.lexer.at;
        self.form.clear();
        let (token, start) = self.lexer.next(&mut self.form).ok()?;
        if matches!(token, Token::End) {
            return None;
        }
        let between = self.source.get(behind..start).unwrap_or_default();
        let passed = self.source.get(self.last..start).unwrap_or_default();
        match passed.rfind('\n') {
            Some(line) => self.column = passed.get(line + 1..).unwrap_or_default().chars().count(),
            None => self.column += passed.chars().count(),
        }
        self.last = start;
        Some(Place { token, start, leads: after_prefix || behind == 0 || between.contains('\n') })
    }
}

/// A bracket, and the first token that its indentation does not agree with.
struct Suspect<'a> {
    bracket: Bracket<'a>,
    at: usize,
}

/// Before `end`, the first bracket that is still open at a line which is not indented deeper than it.
fn left_open(source: &str, from: usize, end: usize) -> Option<Suspect<'_>> {
    let mut walk = Walk::new(source, end);
    let mut stack: Vec<Bracket> = Vec::new();
    let mut leads = false;
    while let Some(place) = walk.next(leads) {
        let (start, column) = (place.start, walk.column);
        leads = false;
        if place.leads && !matches!(place.token, Token::Close(_)) {
            let deeper = |b: &&Bracket| b.leads && b.start >= from && b.column >= column;
            if let Some(bracket) = stack.iter().find(deeper) {
                return Some(Suspect { bracket: *bracket, at: start });
            }
        }
        match place.token {
            Token::Open(open) => stack.push(Bracket { open, start, column, leads: place.leads }),
            Token::Close(_) => drop(stack.pop()),
            Token::Prefix(_) => leads = place.leads,
            _ => {}
        }
    }
    None
}

/// Before `end`, the last bracket that was closed at the end of a line although the next line is indented deeper than
/// it.
fn closed_early(source: &str, end: usize) -> Option<Suspect<'_>> {
    let mut walk = Walk::new(source, end);
    let mut stack: Vec<Bracket> = Vec::new();
    let mut closed: Vec<Bracket> = Vec::new();
    let (mut found, mut leads) = (None, false);
    while let Some(place) = walk.next(leads) {
        let (start, column) = (place.start, walk.column);
        leads = false;
        if !matches!(place.token, Token::Close(_)) {
            if place.leads
                && let Some(bracket) = closed.iter().find(|b| b.leads && b.column < column)
            {
                found = Some(Suspect { bracket: *bracket, at: start });
            }
            closed.clear();
        }
        match place.token {
            Token::Open(open) => stack.push(Bracket { open, start, column, leads: place.leads }),
            Token::Close(_) => closed.extend(stack.pop()),
            Token::Prefix(_) => leads = place.leads,
            _ => {}
        }
    }
    found
}

/// `line 3, column 5`
fn place(source: &str, at: usize) -> String {
    let (line, column) = Span::new(at, at).line_column(source);
    format!("line {line}, column {column}")
}

fn line(source: &str, at: usize) -> usize {
    Span::new(at, at).line_column(source).0
}

/// The beginning of what starts at `at`, as far as one knows it by: `(when`, `(defn f`.
fn head(source: &str, at: usize) -> String {
    let rest = source.get(at..).unwrap_or_default();
    let ends = |c: char| c.is_whitespace() || ")]}".contains(c);
    let words = if rest.starts_with("(def") { 2 } else { 1 };
    let end = rest.match_indices(ends).nth(words - 1).or_else(|| rest.match_indices(ends).next());
    cut(end.and_then(|(end, _)| rest.get(..end)).unwrap_or(rest).to_owned(), 40)
}

fn brackets<'a>(frames: &[Frame<'a>]) -> impl DoubleEndedIterator<Item = (Open<'a>, usize)> {
    frames.iter().filter_map(|frame| match frame.what {
        What::Open(open) => Some((open, frame.start)),
        What::Prefix(_) => None,
    })
}

/// The source ends and brackets are open.
pub(super) fn unclosed(source: &str, frames: &[Frame<'_>]) -> Error {
    if let Some(Frame { what: What::Prefix(prefix), start, .. }) = frames.last() {
        return lonely(*prefix, *start, None);
    }
    let outermost = brackets(frames).next().map_or(0, |(_, start)| start);
    let suspect = left_open(source, outermost, source.len());
    let innermost = brackets(frames).next_back().unwrap_or((Open::List, 0));
    let told = suspect.as_ref().and_then(|s| brackets(frames).find(|(_, start)| *start == s.bracket.start));
    let (open, start) = told.unwrap_or(innermost);
    let closers: String = brackets(frames).rev().map(|(open, _)| open.closer()).collect();
    let message = format!(
        "Unclosed {}: it opened at {} and its {} is missing{}",
        open.text(),
        place(source, start),
        open.closer(),
        match brackets(frames).count() {
            1 => String::new(),
            count => format!(" ({count} brackets are open at the end)"),
        }
    );
    // The name of a namespaced map is between its mark and its bracket.
    let bracket = source.get(start..).and_then(|s| s.find(['(', '[', '{']));
    let error = fault(&message, start, bracket.map_or(start, |at| start + at + 1));
    match suspect {
        Some(suspect) => error.hint(before(source, &suspect)),
        None => error.hint(format!("{} is open; add {} at the end", head(source, start), cut(closers, 64))),
    }
}

/// The hint of a bracket that the indentation says should be closed.
fn before(source: &str, suspect: &Suspect<'_>) -> String {
    let Bracket { open, start, .. } = suspect.bracket;
    let next = line(source, suspect.at);
    format!(
        "by the indentation, {} of line {} ends before line {next} with {}: add {} there",
        head(source, start),
        line(source, start),
        head(source, suspect.at),
        open.closer()
    )
}

/// A bracket closes one of another kind.
pub(super) fn mismatched(source: &str, frames: &[Frame<'_>], at: usize, closer: char) -> Error {
    let (open, start) = brackets(frames).next_back().unwrap_or((Open::List, 0));
    let message = format!("Unmatched delimiter: {closer} closes {} opened at {}", open.text(), place(source, start));
    let error = fault(&message, at, at + 1);
    let own = open.closer();
    let outermost = brackets(frames).next().map_or(0, |(_, start)| start);
    if let Some(suspect) = left_open(source, outermost, at) {
        return error.hint(before(source, &suspect));
    }
    // The missing ones, if some bracket further out is of this kind.
    let outer = brackets(frames).rev().position(|(open, _)| open.closer() == closer);
    match outer {
        Some(count) => {
            let missing: String = brackets(frames).rev().take(count).map(|(open, _)| open.closer()).collect();
            error.hint(format!(
                "{} of line {} is open: add {} before this {closer}",
                head(source, start),
                line(source, start),
                cut(missing, 64)
            ))
        }
        None => {
            error.hint(format!("{} of line {} is open: write {own} here", head(source, start), line(source, start)))
        }
    }
}

/// A bracket closes and nothing is open.
pub(super) fn surplus(source: &str, at: usize, closer: char, last: Option<&Form>) -> Error {
    let follows = match last {
        Some(form) => {
            let (from, to) = (form.span.start as usize, form.span.end as usize);
            let (first, last) = (line(source, from), line(source, to));
            let lines = if first == last { format!("line {first}") } else { format!("lines {first} to {last}") };
            format!(", and it follows {} of {lines}, which is complete", head(source, from))
        }
        None => String::new(),
    };
    let error =
        fault(&format!("Unmatched delimiter: {closer} closes nothing: no bracket is open here{follows}"), at, at + 1);
    match closed_early(source, at) {
        Some(Suspect { bracket, at }) => error.hint(format!(
            "by the indentation, {} of line {} was closed too early: line {} with {} belongs inside it",
            head(source, bracket.start),
            line(source, bracket.start),
            line(source, at),
            head(source, at)
        )),
        None => error.hint(format!("take this {closer} out")),
    }
}

/// A prefix is before a closing bracket or before the end.
pub(super) fn lonely(prefix: Prefix, start: usize, closer: Option<char>) -> Error {
    let text = prefix.text();
    let before = closer.map_or("the end".to_owned(), |closer| closer.to_string());
    let hint = match prefix {
        Prefix::Meta => "^ takes two forms: the metadata and what carries it",
        _ => "write the form it is for, or take it out",
    };
    fault(&format!("{text} has no form before {before}"), start, start + text.len()).hint(hint)
}
