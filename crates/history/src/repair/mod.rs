//! Repair: any conversation into one that a provider takes, the same way each time; and what was done is told.

mod arrange;
mod calls;
mod names;
mod shape;
mod thoughts;

pub(crate) use names::hash;

use crate::message::{Message, Meta, Role};
use crate::provider::{Format, Tool};

/// What a conversation is repaired for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The form.
    pub format: Format,
    /// The model that will read it. Thoughts that another model sealed are left out (part B, row "model switch").
    pub model: Option<String>,
    /// What becomes of its end.
    pub ending: Ending,
    /// The first message that differs from what the model saw when it thought what stands after it, as when a view
    /// folded something: sealed thoughts from there on are left out, whole (D11).
    pub changed: Option<usize>,
}

/// What becomes of the end of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It is the live frontier: calls that wait for their results stay open, the model may have the last word (F-12).
    Open,
    /// It goes out now: calls without results count as interrupted, and the user's side has the last word where the
    /// provider wants that.
    Request,
}

impl Target {
    /// For a request that goes out.
    pub fn request(format: Format) -> Self {
        Target { format, model: None, ending: Ending::Request, changed: None }
    }

    /// For a conversation that is looked at, kept, or counted while calls run.
    pub fn open(format: Format) -> Self {
        Target { ending: Ending::Open, ..Target::request(format) }
    }

    /// The same, for this model.
    pub fn model(self, model: impl Into<String>) -> Self {
        Target { model: Some(model.into()), ..self }
    }
}

/// What repair did, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The kind of it.
    pub kind: EventKind,
    /// The message, by its place in the conversation before repair; none where it is about the tools.
    pub at: Option<usize>,
    /// A sentence for people.
    pub text: String,
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.at {
            Some(at) => write!(f, "message {at}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// The kinds of repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A message without content got a placeholder, or a blank text, result or error some words.
    Placeholder,
    /// Something moved: results to their call, text out of a call's message, system messages to the head.
    Moved,
    /// A result that answers no call was left out.
    Orphan,
    /// A call without a result got one that says so (F-21).
    Interrupted,
    /// An id or a name was spelled anew: used twice, or not in the letters of the provider.
    Renamed,
    /// Neighbours of one role are one message now.
    Merged,
    /// A turn was put in, for providers that want the user first or last.
    Inserted,
    /// Arguments that are no JSON object were wrapped in one, or left out with their call.
    Arguments,
    /// A thought was left out.
    Thought,
    /// A tool that the history calls was declared; or one that was declared twice, once.
    Tool,
}

/// A conversation that a provider takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repaired {
    /// The conversation, canonical: system messages first where the form has them apart, each call followed by its
    /// results in one tool message.
    pub messages: Vec<Message>,
    /// The tools, sorted by name.
    pub tools: Vec<Tool>,
    /// What was done; empty when there was nothing to do.
    pub events: Vec<Event>,
    /// For each block of each message, the message that it came from.
    pub origin: Vec<Vec<usize>>,
}

impl Repaired {
    /// As a request.
    pub fn request(&self) -> crate::provider::Request {
        crate::provider::Request { messages: self.messages.clone(), tools: self.tools.clone() }
    }
}

/// Repairs a conversation. Deterministic; repairing what was repaired changes nothing and tells nothing.
///
/// ```
/// use ptc_history::{Block, Message, Role, provider::Format, repair::{Target, repair}};
/// let lost = [
///     Message::user("go"),
///     Message::of(Role::Assistant, vec![Block::tool_use("a", "f", serde_json::json!({}))]),
///     Message::user("and?"),
/// ];
/// let repaired = repair(&lost, &[], &Target::request(Format::OpenAi));
/// assert_eq!(repaired.messages.len(), 4);
/// assert_eq!(repaired.events[0].to_string(), "message 1: call \"a\" of f has no result; one was added that says so");
/// ```
pub fn repair(messages: &[Message], tools: &[Tool], target: &Target) -> Repaired {
    let mut log = Log::default();
    let mut drafts = arrange::arrange(messages, target.format, &mut log);
    shape::systems_first(&mut drafts, target.format, &mut log);
    thoughts::select(&mut drafts, target, &mut log);
    calls::arguments(&mut drafts, &mut log);
    shape::placeholders(&mut drafts, target.format, &mut log);
    calls::interrupted(&mut drafts, target, &mut log);
    calls::results(&mut drafts, target.format, &mut log);
    shape::merge(&mut drafts, target.format, &mut log);
    thoughts::at_the_head(&mut drafts, target.format, &mut log);
    shape::ends(&mut drafts, target, &mut log);
    thoughts::fill(&mut drafts, target, &mut log);
    names::unique(&mut drafts, target.format, &mut log);
    let tools = names::tools(&drafts, tools, target.format, &mut log);
    let mut out = Repaired { tools, events: log.events, ..Repaired::default() };
    for draft in drafts {
        out.origin.push(draft.pieces.iter().map(|p| p.from).collect());
        let content = draft.pieces.into_iter().map(|p| p.block).collect();
        out.messages.push(Message { role: draft.role, content, meta: draft.meta });
    }
    out
}

/// A message in the making.
struct Draft {
    role: Role,
    pieces: Vec<Piece>,
    meta: Option<Box<Meta>>,
    /// The message it was begun for.
    from: usize,
}

/// A block, where it came from, and the call that it makes or answers.
struct Piece {
    block: crate::message::Block,
    from: usize,
    call: Option<usize>,
}

#[derive(Default)]
struct Log {
    events: Vec<Event>,
}

impl Log {
    fn add(&mut self, kind: EventKind, at: impl Into<Option<usize>>, text: impl Into<String>) {
        self.events.push(Event { kind, at: at.into(), text: text.into() });
    }
}
