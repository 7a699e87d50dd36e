//! What repair did, as a sentence and by kind.

/// One repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The kind of repair.
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
    /// A placeholder or some words were added to a message, text, result or error without content.
    Placeholder,
    /// Blocks were moved: results to their call, text out of a call's message, system messages to the start.
    Moved,
    /// A result that answers no call was left out.
    Orphan,
    /// A result was added to a call without one (F-21).
    Interrupted,
    /// An id or a name was replaced: used twice, or with characters that the provider does not allow.
    Renamed,
    /// Consecutive messages of one role were joined.
    Merged,
    /// A message was inserted, for providers that want the user first or last.
    Inserted,
    /// Arguments that are no JSON object were wrapped in one, or left out with their call.
    Arguments,
    /// Reasoning was left out.
    Reasoning,
    /// A tool that the history calls was declared; or a duplicate declaration was removed.
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
