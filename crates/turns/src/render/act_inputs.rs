//! Inputs of acts by their handles: the whole text behind a line such as `[Table: posts, 10 rows, ~18KB, input 1.0]`.

use crate::render;
use crate::trace::Trace;
use ptc_history::Block;

/// The texts of all inputs, as they were given, each with the handle that prompts under the recorded policy show: its
/// message and its place in it, both counted from 0.
pub fn all(trace: &Trace) -> Vec<(String, &str)> {
    if trace.acts().is_empty() {
        return Vec::new();
    }
    let messages = render::messages(trace, &trace.header.policy, None);
    let begins = messages.iter().enumerate().filter(|(_, m)| m.meta.as_ref().is_some_and(|m| m.act.is_some()));
    let mut out = Vec::new();
    for ((at, message), act) in begins.zip(trace.acts()) {
        // The feedback to the last turn, or the task, comes before them.
        let before = message.content.len().saturating_sub(act.content.len());
        for (block, place) in act.content.iter().zip(before..) {
            if let Block::Text { text, part: Some(_) } = block {
                out.push((format!("{at}.{place}"), text.as_str()));
            }
        }
    }
    out
}

/// The text of the input with this handle.
pub fn get<'a>(trace: &'a Trace, handle: &str) -> Option<&'a str> {
    all(trace).into_iter().find(|(name, _)| name == handle).map(|(_, text)| text)
}
