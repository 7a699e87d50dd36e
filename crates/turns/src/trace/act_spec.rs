//! The table of contents: the acts of a session as they are known before they begin.

use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::escape;
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
    /// The tools that its programs may call, of those granted; all of them where it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
}

impl ActWords {
    /// Whether its programs may call this tool.
    pub fn may_call(&self, tool: &str) -> bool {
        self.mode == Mode::Program && self.tools.as_ref().is_none_or(|list| list.iter().any(|t| t == tool))
    }
}

/// Why a program of the act at place `at` may not call this tool, if it may not; the hint says which act may.
pub(crate) fn refused(acts: &[ActWords], at: usize, tool: &str) -> Option<Error> {
    let act = acts.get(at).filter(|a| !a.may_call(tool))?;
    let (name, shown) = (escape::line(&act.name), escape::line(tool));
    let later = acts.iter().skip(at.saturating_add(1)).find(|a| a.may_call(tool));
    let hint = match (later, acts.iter().take(at).any(|a| a.may_call(tool))) {
        (Some(later), _) => format!("it is one of the act {}: (return ...) ends this act", escape::line(&later.name)),
        (None, true) => "it was one of an act that is over; go on without it".to_owned(),
        (None, false) => "no act has it; go on without it".to_owned(),
    };
    Some(Error::new(ErrorKind::Denied, format!("tool/{shown} is not a tool of the act {name}")).hint(hint))
}
