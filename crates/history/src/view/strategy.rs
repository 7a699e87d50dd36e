//! A strategy of the host's own: given in [`ViewContext::strategy`](super::ViewContext::strategy).

use super::counter::TokenCounter;
use super::reasons::Reason;
use crate::conversation::Conversation;
use crate::conversation::message::Message;
use crate::policy::Policy;
use std::ops::Range;
use std::sync::Arc;

/// Chooses what is shown of a conversation, in place of the strategies that a policy names.
///
/// Everything else stays as it is: retentions of inputs come before it; after it messages that may not be dropped are put
/// back, what no provider accepts is removed, and the budgets of the policy are enforced.
///
/// It must be deterministic: the same input gives the same selection, whenever and however often it is asked. A view is
/// made anew for every request, and what a provider has cached of the one before is lost where they differ.
///
/// ```
/// use ptc_history::view::{CustomStrategy, Selected, StrategyInput};
/// use ptc_history::{Conversation, Message, Policy, ViewContext, view};
///
/// /// Shows the newest ten messages.
/// struct Newest;
///
/// impl CustomStrategy for Newest {
///     fn name(&self) -> &'static str {
///         "newest"
///     }
///
///     fn select(&self, input: &StrategyInput<'_>) -> Result<Vec<Selected>, String> {
///         let len = input.conversation.len();
///         Ok((len.saturating_sub(10)..len).map(Selected::Message).collect())
///     }
/// }
///
/// let mut talk = vec![Message::system("Be brief."), Message::user("Count.")];
/// talk.extend((0..20).map(|i| Message::assistant(format!("{i}"))));
/// let context = ViewContext { strategy: Some(&Newest), ..ViewContext::default() };
/// let view = view(&Conversation::recorded(talk), &Policy::default(), &context)?;
/// // The system message and the task are never dropped.
/// assert_eq!(view.shown.len(), 12);
/// assert_eq!(view.shown[11].reason.to_string(), "shown by newest");
/// # Ok::<(), ptc_history::ViewError>(())
/// ```
pub trait CustomStrategy: Send + Sync {
    /// Its name, in the reasons and events of views.
    fn name(&self) -> &'static str;

    /// What to show of the conversation, in order.
    ///
    /// # Errors
    /// A sentence on what is wrong; there is no view then ([`ViewError::Strategy`](super::ViewError::Strategy)). A panic
    /// is such an error too.
    fn select(&self, input: &StrategyInput<'_>) -> Result<Vec<Selected>, String>;
}

/// One strategy, shared by several.
impl<S: CustomStrategy + ?Sized> CustomStrategy for Arc<S> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn select(&self, input: &StrategyInput<'_>) -> Result<Vec<Selected>, String> {
        (**self).select(input)
    }
}

/// What a [`CustomStrategy`] chooses from.
pub struct StrategyInput<'a> {
    /// The conversation, its inputs as their retention shows them. [`Conversation::groups`] says which messages belong
    /// together: a call that is shown without its result, or a result without its call, is removed afterwards.
    pub conversation: &'a Conversation,
    /// The policy. Its `strategy` is `none`.
    pub policy: &'a Policy,
    /// Counts tokens, where the host provides a counter.
    pub counter: Option<&'a dyn TokenCounter>,
    /// The current time in milliseconds since 1970, where the host provides it.
    pub now: Option<i64>,
    /// The messages from this place on belong to calls that wait for their results; they are always shown.
    pub open_from: usize,
    pub(crate) pinned: &'a [(usize, Reason)],
    /// The newest message is among those from here on, with the calls that it answers, and so are calls that wait.
    pub(crate) pinned_from: usize,
}

impl StrategyInput<'_> {
    /// Whether the message at this place is always shown: system messages, the task under `pin_task`, the agent's
    /// memory, the newest message with the calls that it answers, and calls that wait for their results.
    pub fn is_pinned(&self, at: usize) -> bool {
        at >= self.pinned_from || self.pinned.binary_search_by_key(&at, |(place, _)| *place).is_ok()
    }
}

/// A message that a [`CustomStrategy`] shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Selected {
    /// The message at this place of the conversation, unchanged.
    Message(usize),
    /// A message in place of these, which are adjacent: a summary, a shortened result. Pinned messages among them are
    /// shown beside it: it comes before the newest message and calls that wait, without their calls and results.
    Instead {
        /// The places of the messages that it stands for.
        of: Range<usize>,
        /// The message.
        message: Message,
    },
}
