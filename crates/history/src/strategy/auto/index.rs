//! The lines of turns that are folded at once: a line for each call, request and answer, consecutive calls of one tool
//! in one line.

use crate::conversation::message::{Block, Message, Role};
use crate::policy::Policy;
use crate::strategy::fold::{self, Lengths};
use ptc_text::cut::one_line;

/// How much of a turn is kept: an answer in half of `fold_prose`, a call in half of `fold_call`, an error by
/// `fold_result`, a request in three tenths of `fold_request`.
pub(super) fn lengths(policy: &Policy) -> Lengths {
    Lengths { prose: policy.fold_prose / 2, result: policy.fold_result, ..Lengths::shrunk(policy) }
}

/// A line, and the turns that it stands for, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexLine {
    pub text: String,
    pub first: usize,
    pub last: usize,
}

/// An item of a turn that a line describes.
pub(super) enum IndexItem {
    /// A request, an answer, a call that failed.
    Said(String),
    /// A call, with the beginning of its arguments.
    Called { name: String, input: String },
}

/// The items of a turn: its calls, or its answer where it calls nothing; then what the user said. Results are omitted
/// unless they are errors, and so is text after them, which is nearly always the host's note.
pub(super) fn items<'a>(turn: impl Iterator<Item = &'a Message>, lengths: Lengths) -> Vec<IndexItem> {
    let mut out: Vec<IndexItem> = Vec::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut answer = String::new();
    let (mut called, mut answered) = (false, false);
    for message in turn.filter(|m| m.role != Role::System) {
        for block in &message.content {
            match block {
                Block::Text { text, .. } if message.role == Role::User => {
                    let said = if answered { String::new() } else { one_line(text, lengths.request) };
                    if !said.is_empty() {
                        out.push(IndexItem::Said(format!("> {said}")));
                    }
                }
                Block::Text { text, .. } if answer.is_empty() => answer = one_line(text, lengths.prose),
                Block::ToolUse { id, name, input } => {
                    called = true;
                    open.push((id, out.len()));
                    let input = one_line(&fold::arguments(input), lengths.call);
                    out.push(IndexItem::Called { name: one_line(name, 60), input });
                }
                Block::ToolResult { id, content, is_error, .. } => {
                    answered = true;
                    let Some(i) = open.iter().rposition(|(o, _)| o == id) else { continue };
                    let (_, at) = open.remove(i);
                    let Some(item) = out.get_mut(at).filter(|_| *is_error == Some(true)) else { continue };
                    if let IndexItem::Called { name, input } = item {
                        let error = one_line(content, lengths.result.max(40));
                        *item = IndexItem::Said(format!("{name}({input}) => error: {error}"));
                    }
                }
                Block::Text { .. } | Block::Reasoning { .. } => {}
            }
        }
    }
    if !called && !answer.is_empty() {
        out.insert(0, IndexItem::Said(answer));
    }
    out
}

/// The lines of consecutive turns, each with its number counted from 1. The number is the handle and stands on the
/// first line of each turn. No line contains a line break, so no text can look like a line of another turn.
pub(super) fn lines(turns: &[(usize, Vec<IndexItem>)]) -> Vec<IndexLine> {
    let all: Vec<(usize, bool, &IndexItem)> =
        turns.iter().flat_map(|(n, items)| items.iter().enumerate().map(|(i, item)| (*n, i == 0, item))).collect();
    let mut out = Vec::new();
    let mut rest = all.as_slice();
    while let Some(((number, opens, item), behind)) = rest.split_first() {
        let IndexItem::Called { name, input } = item else {
            let IndexItem::Said(text) = item else { break };
            let handle = if *opens { format!("[{number}] ") } else { String::new() };
            out.push(IndexLine { text: format!("{handle}{text}"), first: *number, last: *number });
            rest = behind;
            continue;
        };
        let same = |(_, _, i): &&(usize, bool, &IndexItem)| matches!(i, IndexItem::Called { name: n, .. } if n == name);
        let more = behind.iter().take_while(same).count();
        let newest = more.checked_sub(1).and_then(|i| behind.get(i));
        let last = newest.map_or(*number, |(n, ..)| *n);
        let handle = match (last == *number, *opens) {
            (true, true) => format!("[{number}] "),
            (true, false) => String::new(),
            (false, _) => format!("[{number}-{last}] "),
        };
        let text = match newest {
            None => format!("{name}({input})"),
            Some((_, _, newest)) => {
                let other = if let IndexItem::Called { input, .. } = newest { input } else { input };
                let inputs = [input, other].map(String::as_str);
                let told: Vec<&str> = inputs.into_iter().filter(|i| !i.is_empty()).collect();
                let told =
                    if input == other { told.first().copied().unwrap_or_default().to_owned() } else { told.join(", ") };
                let colon = if told.is_empty() { "" } else { ": " };
                format!("{name} × {}{colon}{told}", more.saturating_add(1))
            }
        };
        out.push(IndexLine { text: format!("{handle}{text}"), first: *number, last });
        rest = behind.get(more..).unwrap_or_default();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(id: &str, name: &str, what: &str) -> Message {
        Message::of(Role::Assistant, vec![Block::text("I look."), Block::tool_use(id, name, json!({ "what": what }))])
    }

    fn result(id: &str) -> Message {
        Message::of(Role::Tool, vec![Block::tool_result(id, "row ".repeat(90))])
    }

    #[test]
    fn a_line_for_each_call_request_and_answer_and_one_for_calls_of_a_kind() {
        let lengths = Lengths { prose: 20, call: 15, result: 60, request: 36 };
        let failed = Message::of(Role::Tool, vec![Block::tool_error("d", "no such file: x")]);
        let turns: [Vec<Message>; 6] = [
            vec![call("a", "find", "sheep"), result("a"), Message::user("You have 3 steps left.")],
            vec![call("b", "find", "goats of the other side"), result("b")],
            vec![call("c", "find", "cows"), result("c")],
            vec![call("d", "read", "x"), failed],
            vec![Message::assistant("There are sheep, goats and cows."), Message::user("Thank you.\nAnd dogs?")],
            vec![Message::of(
                Role::Assistant,
                vec![Block::tool_use("e", "find", json!({})), Block::tool_use("f", "find", json!({}))],
            )],
        ];
        let turns: Vec<(usize, Vec<IndexItem>)> = (1..).zip(turns.iter().map(|t| items(t.iter(), lengths))).collect();
        let all = lines(&turns);
        let told: Vec<&str> = all.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(
            told,
            [
                "[1-3] find × 3: sheep, cows",
                "[4] read(x) => error: no such file: x",
                "[5] There are sheep, goa…",
                "> Thank you. And dogs?",
                "[6] find × 2",
            ]
        );
        assert_eq!((all[0].first, all[0].last, all[4].first), (1, 3, 6));
        let one = items([call("a", "find", "goats of the other side")].iter(), lengths);
        assert_eq!(lines(&[(7, one)])[0].text, "[7] find(goats of the ot…)");
    }
}
