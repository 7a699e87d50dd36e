//! Counting the tokens of messages.

use crate::conversation::message::Message;

/// Counts the tokens of a message as a provider counts them. One counter serves the decision, the shortening and the
/// final check.
///
/// ```
/// use ptc_history::view::TokenCounter;
/// use ptc_history::{Conversation, Message, Policy, ViewContext, ViewError, policy::Strategy, view};
///
/// /// A token is about four bytes.
/// struct Quarter;
///
/// impl TokenCounter for Quarter {
///     fn id(&self) -> u64 {
///         1
///     }
///     fn message(&self, message: &Message) -> u64 {
///         4 + message.text().len() as u64 / 4
///     }
///     fn overhead(&self) -> u64 {
///         3
///     }
/// }
///
/// let talk = Conversation::recorded((0..100).map(|i| Message::user(format!("message number {i}"))));
/// let context = ViewContext { counter: Some(&Quarter), ..ViewContext::default() };
/// let budget = |max_tokens| Policy { strategy: Strategy::SlidingWindow, max_tokens: Some(max_tokens), ..Policy::default() };
/// let shown = view(&talk, &budget(200), &context)?;
/// assert!(shown.tokens.is_some_and(|t| t.after <= 200 && t.before > 200));
/// // What may not be dropped does not fit: an error with the numbers, and nothing is sent.
/// assert!(matches!(view(&talk, &budget(10), &context), Err(ViewError::PinnedOverBudget { max_tokens: 10, .. })));
/// # Ok::<(), ViewError>(())
/// ```
pub trait TokenCounter: Sync {
    /// Identifies the counter: counts are cached under it.
    fn id(&self) -> u64;
    /// Tokens of one message with its framing.
    fn message(&self, message: &Message) -> u64;
    /// Tokens of the request besides the messages: priming, tools, schema.
    fn overhead(&self) -> u64;
}
