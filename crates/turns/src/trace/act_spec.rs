//! The table of contents: the acts of a session as they are known before they begin.

use serde::{Deserialize, Serialize};

/// How an act is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// By programs, turn by turn, until one returns.
    #[default]
    Program,
    /// By one reply, which is the answer. No program is looked for in it.
    Text,
}

impl Mode {
    /// Its name as task files have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Program => "program",
            Mode::Text => "text",
        }
    }
}

/// An act in the table of contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActWords {
    /// Its name.
    pub name: String,
    /// How it is answered.
    pub mode: Mode,
    /// Most turns.
    pub max_turns: u64,
}
