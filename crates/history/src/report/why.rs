//! The reasons of a view: every rendered line beside its reason, and the comparison of two views.

use crate::conversation::message::{Block, Message};
use crate::conversation::render;
use crate::view::{Reason, View, ViewMessage};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::HashMap;

/// A rendered line of a view, as [`render::text`] writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The message it belongs to, by its place in the view.
    pub message: usize,
    /// The line, without its end.
    pub text: String,
    /// Why it is there.
    pub reason: Reason,
}

/// Every physical line of the view, each with its reason: the lines are those of [`render::text`], in order.
pub fn lines(view: &View) -> Vec<Line> {
    let mut out = Vec::new();
    for (message, shown) in view.shown.iter().enumerate() {
        let mut push = |text: &str, reason: &Reason| out.push(Line { message, text: text.to_owned(), reason: *reason });
        push(&format!("[{}]", shown.message.role.as_str().to_uppercase()), &shown.reason);
        for (text, reason) in pieces(shown) {
            // As the renderer ends each block: text after a last line break is a line too.
            text.split('\n').for_each(|line| push(line, reason));
        }
        push("", &shown.reason);
    }
    out
}

/// What the renderer writes for each block: of a plain message its texts, of any other a line of JSON each.
fn pieces(shown: &ViewMessage) -> Vec<(String, &Reason)> {
    let plain = shown.message.is_plain();
    let piece = |(i, block): (usize, &Block)| {
        let text = match block {
            Block::Text { text, .. } if plain => text.clone(),
            _ => render::block(block),
        };
        (text, shown.block_reason(i))
    };
    let pieces: Vec<(String, &Reason)> = shown.message.content.iter().enumerate().map(piece).collect();
    match pieces.is_empty() {
        true => vec![(String::new(), &shown.reason)],
        false => pieces,
    }
}

/// Characters of the column of reasons; longer ones push their line to the right.
const MAX_REASON_CHARS: usize = 44;

/// The view as people read it, the reason of each line in a column before it; then the decisions about the boundary, a
/// line each: the moves that were made, and why the next one is not made yet ([`View::steps`]).
///
/// ```
/// use ptc_history::{Conversation, Message, Policy, ViewContext, view, why};
///
/// let talk = Conversation::recorded([Message::system("Be brief."), Message::user("Hi")]);
/// let view = view(&talk, &Policy::default(), &ViewContext::default())?;
/// assert_eq!(
///     why::text(&view),
///     "full history | [SYSTEM]\nfull history | Be brief.\nfull history |\n\
///      full history | [USER]\nfull history | Hi\nfull history |\n"
/// );
/// # Ok::<(), ptc_history::view::ViewError>(())
/// ```
pub fn text(view: &View) -> String {
    let lines: Vec<(String, String)> = lines(view).into_iter().map(|l| (l.reason.to_string(), l.text)).collect();
    let width = lines.iter().map(|(reason, _)| reason.chars().count()).max().unwrap_or(0).min(MAX_REASON_CHARS);
    let mut out = String::new();
    for (reason, text) in lines {
        let line = format!("{reason:width$} | {text}");
        out.push_str(line.trim_end_matches(' '));
        out.push('\n');
    }
    if !view.steps.is_empty() {
        out.push('\n');
    }
    for step in &view.steps {
        out.push_str(&format!("{step}\n"));
    }
    out
}

/// What is different between two views.
#[derive(Clone, Debug, PartialEq)]
pub enum Change<'a> {
    /// In both, byte for byte.
    Kept(&'a ViewMessage, &'a ViewMessage),
    /// Stands for the same messages of the conversation and is shown differently.
    Changed(&'a ViewMessage, &'a ViewMessage),
    /// Only in the first.
    Removed(&'a ViewMessage),
    /// Only in the second.
    Added(&'a ViewMessage),
}

impl View {
    /// How `other` differs from this view, message by message, in the order of both.
    pub fn diff<'a>(&'a self, other: &'a View) -> Vec<Change<'a>> {
        // Messages are compared as numbers: equal ones have one number.
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut number = |s: &ViewMessage| {
            let next = known.len();
            *known.entry(content(&s.message)).or_insert(next)
        };
        let a: Vec<usize> = self.shown.iter().map(&mut number).collect();
        let b: Vec<usize> = other.shown.iter().map(&mut number).collect();
        let mut out = Vec::new();
        for op in capture_diff_slices(Algorithm::Myers, &a, &b) {
            let old = self.shown.get(op.old_range()).unwrap_or_default();
            let new = other.shown.get(op.new_range()).unwrap_or_default();
            match op {
                DiffOp::Equal { .. } => out.extend(old.iter().zip(new).map(|(a, b)| Change::Kept(a, b))),
                _ => changed(old, new, &mut out),
            }
        }
        out
    }
}

/// Pairs messages that stand for the same ones; the others were added or removed.
fn changed<'a>(old: &'a [ViewMessage], new: &'a [ViewMessage], out: &mut Vec<Change<'a>>) {
    let mut new = new.iter().peekable();
    for o in old {
        if let Some(n) = new.next_if(|n| n.from == o.from) {
            out.push(Change::Changed(o, n));
            continue;
        }
        // A message that begins before this one has no partner among the old ones.
        while let Some(n) = new.next_if(|n| n.from.start < o.from.start) {
            out.push(Change::Added(n));
        }
        match new.next_if(|n| n.from == o.from) {
            Some(n) => out.push(Change::Changed(o, n)),
            None => out.push(Change::Removed(o)),
        }
    }
    out.extend(new.map(Change::Added));
}

fn content(m: &Message) -> String {
    format!("{}{}", m.role, m.content.iter().map(render::block).collect::<Vec<_>>().join("\n"))
}

/// A comparison as text: a line for each message, `=` kept, `~` changed, `-` removed, `+` added, with the place of what
/// it stands for and the reason in the view that has it.
pub fn diff_text(changes: &[Change<'_>]) -> String {
    let mut out = String::new();
    for change in changes {
        let line = match change {
            Change::Kept(_, b) => format!("= {}", describe(b)),
            Change::Changed(a, b) => format!("~ {} (was: {})", describe(b), a.reason),
            Change::Removed(a) => format!("- {}", describe(a)),
            Change::Added(b) => format!("+ {}", describe(b)),
        };
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn describe(s: &ViewMessage) -> String {
    let of = match s.place() {
        Some(at) => format!("message {at}"),
        None => format!("messages {}..{}", s.from.start, s.from.end),
    };
    format!("{of} {}: {}", s.message.role, s.reason)
}
