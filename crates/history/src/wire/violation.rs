//! The rules of providers by id, and what a body breaks of them.

use serde::Serialize;

/// The rules, by their ids in the requirements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Rule {
    /// Roles are legal, and so is the shape they come in.
    V1,
    /// First and last message are legal.
    V2,
    /// Every call is answered.
    V3,
    /// No result without its call.
    V4,
    /// Results are where they must be, in the right number; roles alternate.
    V5,
    /// No blank text.
    V6,
    /// Ids and names use allowed characters, and ids are unique.
    V7,
    /// Reasoning is complete, in its place, or absent.
    V8,
    /// At most four cache breakpoints, none on empty or thinking blocks, long ones first.
    V9,
    /// Tools are declared where history calls them.
    V10,
    /// The system prompt is there, byte for byte.
    V11,
    /// Arguments are JSON objects.
    V12,
}

/// A rule that a body breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// Where, as a path into the body.
    pub at: String,
    /// What is wrong, and what would be right.
    pub text: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}: {}", self.rule, self.at, self.text)
    }
}

/// What was found so far.
pub(super) struct Violations {
    pub open: bool,
    pub list: Vec<Violation>,
}

impl Violations {
    pub fn add(&mut self, rule: Rule, at: impl Into<String>, text: impl Into<String>) {
        self.list.push(Violation { rule, at: at.into(), text: text.into() });
    }
}
