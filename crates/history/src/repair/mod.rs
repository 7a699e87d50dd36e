//! Repair: turns any conversation into one that a provider accepts, deterministically, and reports what it did.

mod breakpoints;
mod calls;
mod draft;
mod event;
mod names;
mod ordering;
mod reasoning;
mod shape;
pub(crate) mod target;

pub use event::{Event, EventKind};
pub use target::{Ending, Target};

use crate::conversation::message::Message;
use crate::wire::request::Request;
use crate::wire::tool::Tool;
use event::Log;

/// A conversation that a provider accepts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repaired {
    /// The conversation in canonical form: system messages first where the format has a field for them, each call
    /// followed by its results in one tool message.
    pub messages: Vec<Message>,
    /// The tools, sorted by name.
    pub tools: Vec<Tool>,
    /// What was repaired; empty when there was nothing to do.
    pub events: Vec<Event>,
    /// For each block of each message, the message that it came from.
    pub origin: Vec<Vec<usize>>,
}

impl Repaired {
    /// As a request.
    pub fn request(&self) -> Request {
        Request { messages: self.messages.clone(), tools: self.tools.clone() }
    }
}

/// Repairs a conversation. Deterministic and idempotent: repairing a repaired conversation changes nothing and reports
/// nothing.
///
/// ```
/// use ptc_history::{Block, Message, Role, wire::Format, repair::{Target, repair}};
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
    let mut drafts = ordering::arrange(messages, target.format, &mut log);
    shape::systems_first(&mut drafts, target.format, &mut log);
    reasoning::select(&mut drafts, target, &mut log);
    calls::arguments(&mut drafts, &mut log);
    shape::placeholders(&mut drafts, target.format, &mut log);
    calls::interrupted(&mut drafts, target, &mut log);
    calls::results(&mut drafts, target.format, &mut log);
    shape::merge(&mut drafts, target.format, &mut log);
    reasoning::at_the_head(&mut drafts, target.format, &mut log);
    shape::ends(&mut drafts, target, &mut log);
    reasoning::fill(&mut drafts, target, &mut log);
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
