//! What a piece of a program is, for the colours of the report and of the terminal.

use ptc_lisp::analyze::documentation;
use ptc_lisp::analyze::forms;
use ptc_lisp::read::HighlightKind;

/// What a piece is shown as: a class of the page's style, or none.
pub fn class(kind: HighlightKind, text: &str, called: bool) -> &'static str {
    match kind {
        HighlightKind::Comment => "c",
        HighlightKind::Text | HighlightKind::Regex | HighlightKind::Char => "s",
        HighlightKind::Number | HighlightKind::Constant => "n",
        HighlightKind::Keyword => "k",
        HighlightKind::Bracket | HighlightKind::Prefix => "p",
        HighlightKind::Wrong => "w",
        HighlightKind::Symbol if text.starts_with("tool/") => "t",
        HighlightKind::Symbol if text.starts_with("ctx/") => "x",
        HighlightKind::Symbol if called && (forms::find(text).is_some() || matches!(text, "return" | "fail")) => "f",
        HighlightKind::Symbol if called && documentation::function(text).is_some() => "b",
        HighlightKind::Symbol => "",
    }
}
