//! The request before a turn: the messages of the turns, then the policy's strategy and budgets.

use crate::policy::Policy;
use crate::render;
use crate::session::Session;
use crate::trace::Trace;
use ptc_history::policy::Strategy;
use ptc_history::view::Event;
use ptc_history::{Conversation, Message, View, ViewContext, ViewError};
use std::borrow::Cow;

/// The request before turn `before_turn`, or before the next one: the one function through which every request is made
/// (K-17). Equal to [`crate::messages`] where the policy has no strategy and no budget.
///
/// # Errors
/// [`ViewError`] when a budget cannot be kept, or needs a counter that `with` does not have.
pub fn request(
    trace: &Trace,
    policy: &Policy,
    before_turn: Option<u64>,
    with: &ViewContext<'_>,
) -> Result<View, ViewError> {
    apply_history_policy(render::messages(trace, policy, before_turn), policy, with)
}

/// Applies the strategy and the budgets to messages of turns, as [`crate::IncrementalView`] keeps them: the same as
/// [`request`] without making the messages again. Where the model that should write summaries fails, nothing is
/// compressed, and an event says so.
///
/// # Errors
/// As [`request`].
pub fn apply_history_policy(
    messages: Vec<Message>,
    policy: &Policy,
    with: &ViewContext<'_>,
) -> Result<View, ViewError> {
    // `auto` was applied to the turns already, with what they defined.
    let strategy = match policy.history.strategy {
        Strategy::Auto => Strategy::None,
        other => other,
    };
    // An age is relative to the newest message, so the same trace and policy give the same bytes at any time.
    let newest = messages.iter().filter_map(Message::at).max();
    // Before the first turn, and in a session without a clock, there is no time to compare with.
    let strategy = if newest.is_none() && strategy == Strategy::FromTimestamp { Strategy::None } else { strategy };
    let history = ptc_history::Policy { strategy, ..policy.history.clone() };
    let with = ViewContext { now: with.now.or(newest), ..*with };
    let conversation = Conversation::recorded(messages);
    match view_dropping_notes_last(&conversation, &history, &with) {
        Err(ViewError::Summary(error)) => {
            // A session continues without its summary; budgets are kept nevertheless.
            let whole = ptc_history::Policy { strategy: Strategy::None, model_summaries: false, ..history };
            let mut view = view_dropping_notes_last(&conversation, &whole, &with)?;
            view.events.insert(0, Event::warn(format!("{error} for this request")));
            Ok(view)
        }
        made => made,
    }
}

/// The view of a policy. Messages that are kept for their notes are dropped last, only where nothing else is left.
fn view_dropping_notes_last(
    conversation: &Conversation,
    policy: &ptc_history::Policy,
    with: &ViewContext<'_>,
) -> Result<View, ViewError> {
    match ptc_history::view(conversation, policy, with) {
        Err(ViewError::PinnedOverBudget { .. } | ViewError::PinnedOverSize { .. }) if has_notes(conversation) => {
            let all = Conversation::recorded(conversation.messages().map(|m| without_notes(m)));
            ptc_history::view(&all, policy, with)
        }
        made => made,
    }
}

/// Whether a message of it is kept for its notes.
fn has_notes(conversation: &Conversation) -> bool {
    conversation.messages().any(|m| m.meta.as_ref().is_some_and(|meta| meta.memory))
}

/// The message as one that may be dropped.
fn without_notes(message: &Message) -> Message {
    let mut message = message.clone();
    if message.meta.as_ref().is_some_and(|meta| meta.memory) {
        message.meta_mut().memory = false;
    }
    message
}

impl Session {
    /// The request before the next turn, under the session's own policy.
    ///
    /// # Errors
    /// As [`request`].
    pub fn request(&self, with: &ViewContext<'_>) -> Result<Cow<'_, [Message]>, ViewError> {
        self.request_with_events(with).map(|r| r.0)
    }

    /// The same, with the events.
    ///
    /// # Errors
    /// As [`request`].
    pub fn request_with_events(&self, with: &ViewContext<'_>) -> Result<(Cow<'_, [Message]>, Vec<Event>), ViewError> {
        let policy = self.view().policy();
        let messages = self.view().messages();
        // Inputs of acts have retentions of their own, whatever the policy.
        if policy.history == ptc_history::Policy::default() && self.trace().acts().is_empty() {
            return Ok((Cow::Borrowed(messages), Vec::new()));
        }
        apply_history_policy(messages.to_vec(), policy, with).map(|v| (Cow::Owned(v.messages()), v.events))
    }
}
