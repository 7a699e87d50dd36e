//! Counting the tokens of messages.

use crate::conversation::message::Message;

/// Counts the tokens of a message as a provider counts them. One counter serves the decision, the shortening and the
/// final check.
pub trait TokenCounter: Sync {
    /// Identifies the counter: counts are cached under it.
    fn id(&self) -> u64;
    /// Tokens of one message with its framing.
    fn message(&self, message: &Message) -> u64;
    /// Tokens of the request besides the messages: priming, tools, schema.
    fn overhead(&self) -> u64;
}
