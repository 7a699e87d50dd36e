//! The target of a repair: a format, a model, and how the conversation ends.

use crate::wire::format::Format;

/// The target of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The format.
    pub format: Format,
    /// The model that will read it. Reasoning that another model signed is left out (part B, row "model switch").
    pub model: Option<String>,
    /// How it ends.
    pub ending: Ending,
    /// The first message that differs from what the model saw when it wrote what follows, as when a view folded
    /// something: signed reasoning from there on is left out (D11).
    pub changed: Option<usize>,
}

/// How a conversation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It continues: open calls stay open, the model may have the last message (F-12).
    Open,
    /// It is sent now: calls without results count as interrupted, and the last message is the user's where the
    /// provider wants that.
    Request,
}

impl Target {
    /// For a request that is sent.
    pub fn request(format: Format) -> Self {
        Target { format, model: None, ending: Ending::Request, changed: None }
    }

    /// For a conversation that is inspected, stored, or counted while calls run.
    pub fn open(format: Format) -> Self {
        Target { ending: Ending::Open, ..Target::request(format) }
    }

    /// The same, for this model.
    pub fn model(self, model: impl Into<String>) -> Self {
        Target { model: Some(model.into()), ..self }
    }
}
