//! What is told of a request beside its messages: what history made of it, and how long it is.

use ptc_history::Message;
use ptc_history::view::{Event, Level};
use ptc_lisp::escape;

/// How many characters these messages say.
pub fn chars(messages: &[Message]) -> usize {
    messages.iter().map(|m| m.text().chars().count()).sum()
}

/// The line of seed 001: how long the full history is, how long what is sent, and the second in per cent of the first.
pub fn context(full: usize, sent: usize) -> String {
    // Nothing was made shorter where nothing was said (B-21).
    let ratio = if full == 0 { 1.0 } else { sent as f64 / full as f64 };
    format!("LLM Context: {full} -> {sent} chars ({:.2}%)", ratio * 100.0)
}

/// What happened while a request was made, but warnings: those are told whoever asks.
pub fn note(event: &Event) -> Option<String> {
    (event.level != Level::Warn).then(|| escape::line(&event.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b_21_the_line_of_the_seed() {
        assert_eq!(context(2000, 500), "LLM Context: 2000 -> 500 chars (25.00%)");
        assert_eq!(context(0, 0), "LLM Context: 0 -> 0 chars (100.00%)");
        assert_eq!(chars(&[Message::user("a\u{e9}"), Message::assistant("b")]), 3);
        assert_eq!(note(&Event::warn("w")), None);
        assert_eq!(note(&Event::debug("d")).as_deref(), Some("d"));
    }
}
