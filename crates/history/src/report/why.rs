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
const COLUMN: usize = 44;

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
    let width = lines.iter().map(|(reason, _)| reason.chars().count()).max().unwrap_or(0).min(COLUMN);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::view;
    use crate::policy::{BatchTurns, Policy, Strategy};
    use crate::view::ViewContext;
    use crate::{Conversation, Part, PartKind, Retention, Role};
    use serde_json::json;

    fn talk() -> Conversation {
        let mut c = Conversation::new();
        c.push(Message::system("s")).unwrap();
        let part = Part {
            kind: PartKind::File,
            name: Some("f".into()),
            history_retention: Some(Retention::Summary),
            count: None,
            offset: None,
        };
        let input = Block::Text { text: "x".repeat(2000), part: Some(Box::new(part)) };
        c.push(Message::of(Role::User, vec![input, Block::text("look\nat this\n")])).unwrap();
        for i in 0..6 {
            c.add_assistant_response(
                None,
                Some("prose"),
                vec![Block::tool_use(format!("c{i}"), "f", json!({}))],
                vec![],
            )
            .unwrap();
            c.push(Message::of(Role::Tool, vec![Block::tool_result(format!("c{i}"), "line\nline")])).unwrap();
            c.push(Message::assistant("done")).unwrap();
            c.push(Message::user("next")).unwrap();
        }
        c
    }

    #[test]
    fn every_line_of_every_view_has_its_reason() {
        for strategy in Strategy::ALL {
            let mut policy = Policy::with(strategy);
            policy.from_timestamp = Some(0);
            let view = view(&talk(), &policy, &ViewContext::default()).unwrap();
            let lines: String = lines(&view).iter().map(|l| format!("{}\n", l.text)).collect();
            assert_eq!(lines, render::text(&view.messages()), "{}", strategy.name());
        }
        let text = text(&view(&talk(), &Policy::default(), &ViewContext::default()).unwrap());
        assert!(text.contains("\ninput of 2000 bytes, as its history_retention says | [File: f, ~2KB]\n"), "{text}");
        assert!(text.contains("\nfull history                                 | look\n"), "{text}");
    }

    /// What was decided about the boundary is told with its figures, and why it does not move yet.
    #[test]
    fn decisions_are_told_with_their_figures() {
        let mut all = vec![Message::system("s"), Message::user("task")];
        for i in 0..40 {
            all.push(Message::assistant(format!("{i} {}", "word ".repeat(150))));
            all.push(Message::user(format!("next {i}")));
        }
        let view = view(&Conversation::recorded(all), &Policy::with(Strategy::Auto), &ViewContext::default()).unwrap();
        let (last, made) = view.steps.split_last().unwrap();
        assert!(made.len() > 1 && made.iter().all(|s| s.made) && !last.made, "{:?}", view.steps);
        assert_eq!(view.boundary_moves, made.len() as u64);
        let text = text(&view);
        let told: Vec<&str> = text.lines().rev().take(view.steps.len()).collect();
        assert!(told[0].starts_with("after turn 40, turn") && told[0].ends_with(" more: not yet"), "{}", told[0]);
        assert!(told[0].contains(" whole: saves ") && told[0].contains(" at the cached price; "), "{}", told[0]);
        assert!(told[1].contains(" were folded: saves ") && told[1].ends_with(" more: pays"), "{}", told[1]);
    }

    #[test]
    fn two_views_are_compared() {
        let talk = talk();
        let all = view(&talk, &Policy::default(), &ViewContext::default()).unwrap();
        let same = all.diff(&all);
        assert!(same.iter().all(|c| matches!(c, Change::Kept(..))) && same.len() == all.shown.len());
        let policy = Policy { batch_turns: BatchTurns::Turns(2), ..Policy::with(Strategy::Auto) };
        let auto = view(&talk, &policy, &ViewContext::default()).unwrap();
        let changes = all.diff(&auto);
        let count = |f: fn(&Change<'_>) -> bool| changes.iter().filter(|c| f(c)).count();
        let kept = count(|c| matches!(c, Change::Kept(..)));
        let changed = count(|c| matches!(c, Change::Changed(..)));
        assert_eq!(kept + changed + count(|c| matches!(c, Change::Removed(_))), all.shown.len());
        assert_eq!(kept + changed + count(|c| matches!(c, Change::Added(_))), auto.shown.len());
        assert!(count(|c| matches!(c, Change::Added(_))) > 0);
        let text = diff_text(&changes);
        assert!(text.starts_with("= message 0 system: system message, never touched\n"), "{text}");
        // The other way round it is the same with signs exchanged.
        let back = auto.diff(&all);
        assert_eq!(back.iter().filter(|c| matches!(c, Change::Kept(..))).count(), kept);
    }

    #[test]
    fn what_is_shown_otherwise_is_changed() {
        let talk = talk();
        let summarised = view(&talk, &Policy::default(), &ViewContext::default()).unwrap();
        let off = view(&talk, &Policy { retention: false, ..Policy::default() }, &ViewContext::default()).unwrap();
        let changes = off.diff(&summarised);
        let changed: Vec<_> = changes.iter().filter(|c| !matches!(c, Change::Kept(..))).collect();
        assert!(matches!(changed[..], [Change::Changed(a, b)] if a.place() == Some(1) && b.place() == Some(1)));
    }
}
