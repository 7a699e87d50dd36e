//! The conversation: an append-only list of messages, from which every view is computed.

pub(crate) mod answered;
pub(crate) mod entry;
pub mod groups;
mod index;
pub mod line_prefixes;
pub mod message;
pub mod render;
pub(crate) mod short_hash;
mod stored;
pub mod trajectory;
pub(crate) mod turns;

use crate::conversation::groups::{Group, Groups};
use crate::conversation::message::{Block, Message, Role};
use crate::memo::CHUNK_LEN;
use serde_json::Value;
use std::sync::Arc;

pub use entry::Entry;
pub use stored::{LoadError, VERSION};

use index::Index;
use turns::Turns;

/// A conversation. Messages are shared: a copy of it, or a view, copies no payload (F-32).
///
/// ```
/// use ptc_history::{Block, Conversation, Message};
/// use serde_json::json;
///
/// let mut talk = Conversation::new();
/// talk.add_user_message("What is the weather in Tokyo?")?;
/// talk.add_assistant_response(Some("look it up"), None, vec![Block::tool_use("w1", "weather", json!({"city": "Tokyo"}))], vec![])?;
/// assert!(talk.push(Message::of(ptc_history::Role::Tool, vec![Block::tool_result("w9", "?")])).is_err());
/// talk.push(Message::of(ptc_history::Role::Tool, vec![Block::tool_result("w1", "sunny")]))?;
/// assert_eq!(talk.groups().len(), 2);
/// # Ok::<(), ptc_history::conversation::AppendError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    entries: Vec<Arc<Entry>>,
    index: Arc<Index>,
    /// Bytes of all messages.
    bytes: usize,
}

/// Why a message cannot be appended. The conversation is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// A message without blocks (F-26).
    #[error("a message needs at least one block; leave it out instead")]
    Empty,
    /// A result for a call that is not open (F-05).
    #[error("tool result {id:?} answers no open call; open calls are {open}. A result comes once, after its call")]
    NoCall {
        /// The id.
        id: String,
        /// The open ones.
        open: String,
    },
    /// A second call under an id that is in use (F-03).
    #[error("tool call id {0:?} was used before in this conversation; give each call an id of its own")]
    IdUsed(String),
    /// A block in a message of a role that cannot have it.
    #[error("a {role} message cannot hold a {block}; {mend}")]
    Misplaced {
        /// Who speaks.
        role: Role,
        /// What block.
        block: &'static str,
        /// What to do.
        mend: &'static str,
    },
}

impl AppendError {
    /// What to do next; the end of the words that [`fmt::Display`](std::fmt::Display) writes.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            AppendError::Empty => Some("leave it out instead"),
            AppendError::NoCall { .. } => None,
            AppendError::IdUsed(_) => Some("give each call an id of its own"),
            AppendError::Misplaced { mend, .. } => Some(mend),
        }
    }
}

impl Conversation {
    /// An empty one.
    pub fn new() -> Self {
        Conversation::default()
    }

    /// A recorded conversation, taken as it is: ids used twice, calls without results and results without calls
    /// included (F-06). [`Conversation::push`] is the checked way to append.
    pub fn recorded(messages: impl IntoIterator<Item = Message>) -> Self {
        let mut out = Conversation::new();
        out.extend_recorded(messages);
        out
    }

    /// Appends recorded messages, taken as they are, as [`Conversation::recorded`] does.
    pub fn extend_recorded(&mut self, messages: impl IntoIterator<Item = Message>) {
        for m in messages {
            self.take(Arc::new(m));
        }
    }

    /// The first `count` messages: the conversation as it was then. Shares everything.
    pub fn up_to(&self, count: usize) -> Self {
        let mut out = self.clone();
        out.truncate(count);
        out
    }

    /// Keeps the first `count` messages, with the results that are cached about them, and takes the others away: for a
    /// host whose newest messages are shown differently later, as summaries of turns are. Costs what is taken away;
    /// with calls or results among it, what is left.
    ///
    /// ```
    /// use ptc_history::{Conversation, Message};
    ///
    /// let mut talk = Conversation::recorded([Message::system("s"), Message::user("u"), Message::assistant("a")]);
    /// talk.truncate(2);
    /// talk.extend_recorded([Message::assistant("b")]);
    /// let texts: Vec<_> = talk.messages().map(|m| m.text().into_owned()).collect();
    /// assert_eq!(texts, ["s", "u", "b"]);
    /// ```
    pub fn truncate(&mut self, count: usize) {
        let gone = self.entries.get(count..).unwrap_or_default();
        if gone.is_empty() {
            return;
        }
        let is_paired = |e: &Arc<Entry>| e.message().calls().next().is_some() || e.message().answers().next().is_some();
        if gone.iter().any(is_paired) {
            let entries = std::mem::take(self).entries;
            entries.iter().take(count).for_each(|e| self.append(e));
            return;
        }
        self.bytes = self.bytes.saturating_sub(gone.iter().map(|e| e.bytes()).sum());
        self.entries.truncate(count);
        Arc::make_mut(&mut self.index).truncate(count);
    }

    /// The same conversation with other entries in place of its own, which have this many bytes; they hold the same
    /// calls and results.
    pub(crate) fn with_entries(&self, entries: Vec<Arc<Entry>>, bytes: usize) -> Self {
        Conversation { entries, index: Arc::clone(&self.index), bytes }
    }

    /// Bytes of all its messages.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The ends of the chunks among the first `len` messages, newest first.
    pub(crate) fn ends(&self, len: usize) -> impl Iterator<Item = (usize, &Arc<Entry>)> {
        let ends = (1..=len / CHUNK_LEN).rev().map(|n| n.saturating_mul(CHUNK_LEN));
        ends.filter_map(|end| Some((end, self.entries.get(end.saturating_sub(1))?)))
    }

    /// Tokens of all its messages under the counter with this id. Sums of full chunks are kept.
    pub(crate) fn tokens(&self, counter: u64, count: impl Fn(&Message) -> u64) -> u64 {
        let known = self.ends(self.len()).find_map(|(end, last)| Some((end, *last.memo().get::<u64>(counter)?)));
        let (from, mut sum) = known.unwrap_or_default();
        for (at, entry) in self.entries.iter().enumerate().skip(from) {
            sum = sum.saturating_add(entry.tokens(counter, &count));
            if at.saturating_add(1).is_multiple_of(CHUNK_LEN) {
                entry.memo().set(counter, Arc::new(sum));
            }
        }
        sum
    }

    /// Facts about its messages.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// Its turns.
    pub(crate) fn turns(&self) -> &Turns {
        &self.index.turns
    }

    /// Its messages with their cached results.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// Its messages.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Arc<Message>> + ExactSizeIterator {
        self.entries.iter().map(|e| e.message())
    }

    /// The message at this place.
    pub fn get(&self, at: usize) -> Option<&Arc<Message>> {
        self.entries.get(at).map(|e| e.message())
    }

    /// How many messages.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The groups of messages that are kept or dropped together, in order.
    pub fn groups(&self) -> &[Group] {
        self.index.groups.all()
    }

    /// The pairing of calls and results.
    pub fn pairs(&self) -> &Groups {
        &self.index.groups
    }

    /// Appends a message whose results answer open calls and whose calls are new (F-05). Gives its place.
    ///
    /// # Errors
    /// [`AppendError`]; nothing is appended then.
    pub fn push(&mut self, message: Message) -> Result<usize, AppendError> {
        self.check(&message)?;
        Ok(self.take(Arc::new(message)))
    }

    fn take(&mut self, message: Arc<Message>) -> usize {
        self.append(&Arc::new(Entry::new(message)));
        self.entries.len().saturating_sub(1)
    }

    /// Appends an entry of another conversation, with its cached results.
    pub(crate) fn append(&mut self, entry: &Arc<Entry>) {
        Arc::make_mut(&mut self.index).push(entry.message(), self.entries.len());
        self.bytes = self.bytes.saturating_add(entry.bytes());
        self.entries.push(Arc::clone(entry));
    }

    fn check(&self, m: &Message) -> Result<(), AppendError> {
        if m.content.is_empty() {
            return Err(AppendError::Empty);
        }
        let mut here: Vec<&str> = Vec::new();
        let mut answered: Vec<&str> = Vec::new();
        for block in &m.content {
            match block {
                Block::ToolUse { id, .. } => {
                    if m.role != Role::Assistant {
                        let mend = "the model calls, so put it in an assistant message";
                        return Err(AppendError::Misplaced { role: m.role, block: "tool call", mend });
                    }
                    if here.contains(&id.as_str()) || self.index.ids.contains(id) {
                        return Err(AppendError::IdUsed(id.clone()));
                    }
                    here.push(id);
                }
                Block::ToolResult { id, .. } => {
                    if m.role == Role::System {
                        let mend = "results stand in a tool or user message after the call";
                        return Err(AppendError::Misplaced { role: m.role, block: "tool result", mend });
                    }
                    let open = here.contains(&id.as_str()) || self.index.groups.open_call(id).is_some();
                    if !open || answered.contains(&id.as_str()) {
                        let list: Vec<&str> = self.index.groups.open().map(|o| o.0).collect();
                        let open = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
                        return Err(AppendError::NoCall { id: id.clone(), open });
                    }
                    answered.push(id);
                }
                Block::Text { .. } | Block::Reasoning { .. } => {}
            }
        }
        Ok(())
    }

    /// Appends what the user said.
    ///
    /// # Errors
    /// As [`Conversation::push`].
    pub fn add_user_message(&mut self, text: impl Into<String>) -> Result<usize, AppendError> {
        self.push(Message::user(text))
    }

    /// Appends what the model answered, in the order reasoning, calls, results, text (F-26). Blank reasoning and texts
    /// make no block (F-22).
    ///
    /// # Errors
    /// [`AppendError::Empty`] when there is nothing to append; else as [`Conversation::push`].
    pub fn add_assistant_response(
        &mut self,
        thought: Option<&str>,
        text: Option<&str>,
        calls: Vec<Block>,
        results: Vec<Block>,
    ) -> Result<usize, AppendError> {
        let said = |t: Option<&str>| t.filter(|t| !t.trim().is_empty()).map(str::to_owned);
        let mut content = Vec::new();
        content.extend(said(thought).map(|text| Block::Reasoning { text, signature: None }));
        content.extend(calls);
        content.extend(results);
        content.extend(said(text).map(Block::text));
        self.push(Message::of(Role::Assistant, content))
    }

    /// As a versioned file: one JSON object (F-28).
    pub fn to_json(&self) -> Value {
        let messages: Vec<&Message> = self.messages().map(|m| &**m).collect();
        serde_json::json!({ "ptc_conversation": VERSION, "messages": messages })
    }

    /// Reads what [`Conversation::to_json`] wrote, this version or an older one; also the plain recorded form
    /// `{"messages": [...]}` and a bare array of messages. Unknown fields are errors.
    ///
    /// # Errors
    /// [`LoadError`], which names the version or the field that is wrong, and what it takes.
    pub fn from_json(value: &Value) -> Result<Self, LoadError> {
        stored::messages(value).map(Conversation::recorded)
    }

    /// Whether this JSON is a stored conversation of this library, by its version or by fields that only such messages
    /// have: errors in it are reported by [`Conversation::from_json`], not by a reader of another format.
    pub fn is_ours(value: &Value) -> bool {
        stored::is_ours(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn any_message(kind: u8, n: usize) -> Message {
        let mut message = match kind {
            0 => Message::system("s"),
            1 => Message::user(" "),
            2 => Message::assistant("a"),
            3 => Message::of(Role::Assistant, vec![Block::tool_use(format!("c{n}"), "f", json!({}))]),
            4 => Message::of(Role::Tool, vec![Block::tool_result(format!("c{n}"), "r")]),
            _ => Message::user("u"),
        };
        match n {
            0 => message.meta_mut().at = Some(7),
            1 => message.meta_mut().frame = Some(2),
            2 => message.meta_mut().memory = true,
            3 if kind == 1 => message.meta_mut().act = Some(1),
            _ => {}
        }
        message
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// What is taken away leaves no trace, calls that wait for a result included, whatever is appended next.
        #[test]
        fn a_truncated_conversation_is_one_that_was_never_longer(
            before in proptest::collection::vec((0..7_u8, 0..6_usize), 0..30),
            count in 0..30_usize,
            after in proptest::collection::vec((0..7_u8, 0..6_usize), 0..8),
        ) {
            let of = |list: &[(u8, usize)]| list.iter().map(|(k, n)| any_message(*k, *n)).collect::<Vec<_>>();
            let mut talk = Conversation::recorded(of(&before));
            talk.truncate(count);
            talk.extend_recorded(of(&after));
            let kept = &before[..count.min(before.len())];
            let anew = Conversation::recorded(of(kept).into_iter().chain(of(&after)));
            proptest::prop_assert_eq!(talk.to_json(), anew.to_json());
            proptest::prop_assert_eq!(talk.bytes(), anew.bytes());
            let facts = |c: &Conversation| {
                let mut index = Index::clone(&c.index);
                let ids: std::collections::BTreeSet<String> = std::mem::take(&mut index.ids).into_iter().collect();
                (format!("{index:?}"), ids)
            };
            proptest::prop_assert_eq!(facts(&talk), facts(&anew));
        }
    }
}
