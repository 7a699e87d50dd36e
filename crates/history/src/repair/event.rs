//! What repair did, told for people and by kind.

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
    /// Reasoning was left out.
    Reasoning,
    /// A tool that the history calls was declared; or one that was declared twice, once.
    Tool,
}

/// What was done so far.
#[derive(Default)]
pub(super) struct Log {
    pub events: Vec<Event>,
}

impl Log {
    pub fn add(&mut self, kind: EventKind, at: impl Into<Option<usize>>, text: impl Into<String>) {
        self.events.push(Event { kind, at: at.into(), text: text.into() });
    }
}
