//! What a conversation is repaired for: a form, a model, and what becomes of its end.

use crate::wire::format::Format;

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
