//! Messages on a terminal.

use crate::commands::repl::editor::visible;
use rustyline::Helper;
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use std::borrow::Cow;

/// What the editor asks while a message is typed.
pub struct MessageHelper;

impl Helper for MessageHelper {}

impl Completer for MessageHelper {
    type Candidate = String;
}

impl Hinter for MessageHelper {
    type Hint = String;
}

impl Highlighter for MessageHelper {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        visible(line)
    }
}

impl Validator for MessageHelper {
    fn validate(&self, ctx: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if ctx.input().ends_with('\\') { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

/// A message without the `\` that ended its lines.
pub fn joined(text: &str) -> String {
    text.replace("\\\n", "\n")
}
