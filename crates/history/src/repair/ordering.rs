//! Ordering: blocks in messages of the right role, each result directly after its call (F-05, F-06, F-07).

use super::draft::{Draft, DraftBlock};
use super::event::{EventKind, Log};
use crate::conversation::message::{Block, Message, Role};
use crate::wire::format::Format;
use std::collections::HashMap;

/// Calls and results of a conversation, paired by id and place: a result belongs to the nearest earlier open call.
struct CallPairs {
    /// For each call, in order, the place of its result.
    results: Vec<Option<(usize, usize)>>,
    /// For each call or paired result, by its place, the number of the call.
    at: HashMap<(usize, usize), usize>,
}

impl CallPairs {
    fn of(messages: &[Message], log: &mut Log) -> Self {
        let mut pairs = CallPairs { results: Vec::new(), at: HashMap::new() };
        let mut open: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, m) in messages.iter().enumerate() {
            for (j, block) in m.content.iter().enumerate() {
                match block {
                    Block::ToolUse { id, .. } => {
                        let call = pairs.results.len();
                        open.entry(id).or_default().push(call);
                        pairs.results.push(None);
                        pairs.at.insert((i, j), call);
                    }
                    Block::ToolResult { id, .. } => match open.get_mut(id.as_str()).and_then(Vec::pop) {
                        Some(call) => {
                            if let Some(slot) = pairs.results.get_mut(call) {
                                *slot = Some((i, j));
                            }
                            pairs.at.insert((i, j), call);
                        }
                        None => log.add(EventKind::Orphan, i, format!("result {id:?} answers no open call; left out")),
                    },
                    Block::Text { .. } | Block::Reasoning { .. } => {}
                }
            }
        }
        pairs
    }
}

/// The messages as drafts: assistant messages end in their calls, and a tool message with all their results follows. A
/// message of which nothing remains becomes an empty draft, unless all it had were results: those are elsewhere.
pub(super) fn arrange(messages: &[Message], format: Format, log: &mut Log) -> Vec<Draft> {
    let pairs = CallPairs::of(messages, log);
    let mut out = Vec::new();
    for (i, m) in messages.iter().enumerate() {
        let before = out.len();
        let mut splitter =
            MessageSplitter { messages, pairs: &pairs, format, from: i, out: &mut out, draft: None, answered: false };
        splitter.take(m, log);
        if out.len() == before {
            let results = m.content.iter().any(|b| matches!(b, Block::ToolResult { .. }));
            let others = m.content.iter().any(|b| !matches!(b, Block::ToolResult { .. }));
            if others || !results {
                out.push(Draft { role: speaker(m.role), pieces: Vec::new(), meta: None, from: i });
            }
        }
        if let Some(first) = out.get_mut(before) {
            first.meta.clone_from(&m.meta);
        }
    }
    out
}

/// The role of a message's texts. Tool messages hold only results: other texts become the user's.
fn speaker(role: Role) -> Role {
    if role == Role::Tool { Role::User } else { role }
}

/// State for splitting one message.
struct MessageSplitter<'a> {
    messages: &'a [Message],
    pairs: &'a CallPairs,
    format: Format,
    from: usize,
    out: &'a mut Vec<Draft>,
    draft: Option<Draft>,
    /// Whether a result came after the calls of the draft: later blocks were said later.
    answered: bool,
}

impl MessageSplitter<'_> {
    fn take(&mut self, m: &Message, log: &mut Log) {
        let speaker = speaker(m.role);
        for (j, block) in m.content.iter().enumerate() {
            let call = self.pairs.at.get(&(self.from, j)).copied();
            match block {
                Block::Text { text, .. } if text.trim().is_empty() => {}
                Block::Text { .. } => {
                    let (format, from) = (self.format, self.from);
                    let draft = self.draft_of(speaker, log);
                    let at = hoist(draft, format);
                    if at < draft.pieces.len() {
                        log.add(EventKind::Moved, from, "text behind a call was put before it");
                    }
                    draft.pieces.insert(at, DraftBlock { block: block.clone(), from, call: None });
                }
                Block::Reasoning { .. } if speaker != Role::Assistant => {
                    let text = format!("a {} message holds a thought, which only the model has; left out", m.role);
                    log.add(EventKind::Reasoning, self.from, text);
                }
                Block::Reasoning { .. } | Block::ToolUse { .. } => {
                    if m.role != Role::Assistant {
                        let text = format!("a {} message holds a call; it was put in an assistant message", m.role);
                        log.add(EventKind::Moved, self.from, text);
                    }
                    // No message may be between a call and its result (part B, row "adjacency").
                    self.answered |=
                        matches!(block, Block::Reasoning { signature: Some(s), .. } if s.kind == "compaction");
                    let piece = DraftBlock { block: block.clone(), from: self.from, call };
                    self.draft_of(Role::Assistant, log).pieces.push(piece);
                }
                Block::ToolResult { .. } => {
                    self.answered = true;
                    if call.is_some() && m.role == Role::Assistant {
                        let text = "a result stood in the model's message; it was put in a tool message";
                        log.add(EventKind::Moved, self.from, text);
                    }
                }
            }
        }
        self.flush(log);
    }

    /// The draft for the next block of this role; a new one where the role changes, or results came between.
    fn draft_of(&mut self, role: Role, log: &mut Log) -> &mut Draft {
        let same = self.draft.as_ref().is_some_and(|d| {
            let calls = d.pieces.iter().any(|p| p.call.is_some());
            d.role == role && !(calls && self.answered)
        });
        if !same {
            self.flush(log);
        }
        self.answered = false;
        let from = self.from;
        self.draft.get_or_insert_with(|| Draft { role, pieces: Vec::new(), meta: None, from })
    }

    /// Appends the draft, and after it the results of its calls, in the order of the calls.
    fn flush(&mut self, log: &mut Log) {
        let Some(draft) = self.draft.take() else { return };
        let calls: Vec<usize> = draft.pieces.iter().filter_map(|p| p.call).collect();
        self.out.push(draft);
        let mut results = Draft { role: Role::Tool, pieces: Vec::new(), meta: None, from: self.from };
        for call in calls {
            let Some((i, j)) = self.pairs.results.get(call).copied().flatten() else { continue };
            let Some(m) = self.messages.get(i) else { continue };
            if let Some(block) = m.content.get(j) {
                if self.between(i) {
                    let text = format!("a result was moved up to its call in message {}", self.from);
                    log.add(EventKind::Moved, i, text);
                }
                if results.pieces.is_empty() && i != self.from {
                    results.meta.clone_from(&m.meta);
                }
                results.pieces.push(DraftBlock { block: block.clone(), from: i, call: Some(call) });
            }
        }
        if !results.pieces.is_empty() {
            self.out.push(results);
        }
    }

    /// Whether anything but results is between this message and message `i`.
    fn between(&self, i: usize) -> bool {
        let skipped = self.messages.iter().take(i).skip(self.from.saturating_add(1));
        skipped.flat_map(|m| &m.content).any(|b| !matches!(b, Block::ToolResult { .. }))
    }
}

/// The place of a text: at the end, or before the calls of the same message, since text after a call is refused (part
/// B, row "tool call shape"). Where reasoning must be followed by its own item, the text comes before that reasoning
/// too.
fn hoist(draft: &Draft, format: Format) -> usize {
    let Some(mut at) = draft.pieces.iter().position(|p| p.call.is_some()) else { return draft.pieces.len() };
    if matches!(format, Format::Responses | Format::Gemini) {
        let before = draft.pieces.iter().take(at).rposition(|p| !matches!(p.block, Block::Reasoning { .. }));
        at = before.map_or(0, |b| b.saturating_add(1));
    }
    at
}
