//! The request before a turn: the messages of the turns, then the policy's strategy and budgets.

use crate::policy::Policy;
use crate::render;
use crate::session::Session;
use crate::trace::Trace;
use crate::trace::record::Header;
use ptc_history::policy::{PolicyError, Strategy};
use ptc_history::tokens::MessageCounter;
use ptc_history::view::{CustomStrategy, Event};
use ptc_history::{Conversation, Message, View, ViewContext, ViewError};
use ptc_lisp::escape;
use std::borrow::Cow;
use std::sync::Arc;

/// The request before turn `before_turn`, or before the next one: the one function through which every request is made
/// (K-17). Equal to [`crate::messages`] where the policy has no strategy and no budget.
///
/// A trace has the name of a strategy of the host's own, not the strategy: without it in `with` the messages that it
/// selected from are shown, and an event says so.
///
/// # Errors
/// [`ViewError`] when a budget cannot be kept, or needs a counter that `with` does not have.
pub fn request(
    trace: &Trace,
    policy: &Policy,
    before_turn: Option<u64>,
    with: &ViewContext<'_>,
) -> Result<View, ViewError> {
    let mut view = apply_history_policy(render::messages(trace, policy, before_turn), policy, with)?;
    if with.strategy.is_none() {
        view.events.splice(0..0, missing_strategy(&trace.header, policy));
    }
    Ok(view)
}

/// The warning that requests of this trace were made by a strategy that is not here; none where `policy` names another.
pub fn missing_strategy(header: &Header, policy: &Policy) -> Option<Event> {
    let name = header.custom_strategy.as_deref().filter(|_| policy.history.strategy == Strategy::None)?;
    Some(Event::warn(format!(
        "the requests of this run were made by the strategy {} of its own program, which is not here; shown is what it \
        selected from",
        escape::line(name)
    )))
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
    view_of_turns(&Conversation::recorded(messages), policy, with)
}

/// The view of a conversation of such messages.
fn view_of_turns(conversation: &Conversation, policy: &Policy, with: &ViewContext<'_>) -> Result<View, ViewError> {
    // `auto` was applied to the turns already, with what they defined.
    let strategy = match policy.history.strategy {
        // Beside a strategy of the host's own it is a conflict, which the view tells.
        Strategy::Auto if with.strategy.is_none() => Strategy::None,
        other => other,
    };
    // An age is relative to the newest message, so the same trace and policy give the same bytes at any time.
    let newest = conversation.messages().filter_map(|m| m.at()).max();
    // Before the first turn, and in a session without a clock, there is no time to compare with.
    let timeless = newest.is_none() && strategy == Strategy::FromTimestamp && with.strategy.is_none();
    let strategy = if timeless { Strategy::None } else { strategy };
    let history = ptc_history::Policy { strategy, ..policy.history.clone() };
    let with = ViewContext { now: with.now.or(newest), ..*with };
    match view_dropping_notes_last(conversation, &history, &with) {
        Err(ViewError::Summary(error)) => {
            // A session continues without its summary; budgets are kept nevertheless.
            let whole = ptc_history::Policy { strategy: Strategy::None, model_summaries: false, ..history };
            let mut view = view_dropping_notes_last(conversation, &whole, &with)?;
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
    /// The messages before turn `turn`, or before the next one, under a policy or the session's own.
    ///
    /// ```
    /// use ptc_history::tokens::Request;
    /// use ptc_turns::{Config, Policy, Session, TurnContext};
    ///
    /// let mut session = Session::new(Config::programs());
    /// session.run("(def n 1)", TurnContext::without_host())?;
    /// let counter = Request::of_model("openai/gpt-5.1")?;
    /// let before = session.shown(None, Some(1), &counter)?;
    /// assert!(before.len() < session.shown(None, None, &counter)?.len());
    /// assert!(session.shown(Some(&Policy::compressed()), None, &counter).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a budget cannot be kept.
    pub fn shown(
        &self,
        policy: Option<&Policy>,
        turn: Option<u64>,
        counter: &MessageCounter,
    ) -> Result<Vec<Message>, ViewError> {
        let with = ViewContext { counter: Some(counter), ..ViewContext::default() };
        match (policy, turn) {
            (None, None) => self.request(&with).map(Cow::into_owned),
            _ => {
                let policy = policy.unwrap_or_else(|| self.view().policy());
                request(&self.trace, policy, turn, &with).map(|v| v.messages())
            }
        }
    }

    /// The request before the next turn, at the cost of what is new since the last one: under the session's own policy, by its own strategy
    /// ([`Config::strategy`](crate::Config::strategy)) where `with` has none.
    ///
    /// # Errors
    /// As [`request`]; and where the trace names a strategy of the host's own that was not given
    /// ([`Session::set_strategy`]).
    pub fn request(&self, with: &ViewContext<'_>) -> Result<Cow<'_, [Message]>, ViewError> {
        self.request_with_events(with).map(|r| r.0)
    }

    /// The same, with the events.
    ///
    /// # Errors
    /// As [`Session::request`].
    pub fn request_with_events(&self, with: &ViewContext<'_>) -> Result<(Cow<'_, [Message]>, Vec<Event>), ViewError> {
        let policy = self.view().policy();
        let messages = self.view().messages();
        let with = ViewContext { strategy: self.strategy_for(with)?, ..*with };
        // Inputs of acts have retentions of their own, whatever the policy.
        if with.strategy.is_none() && policy.history == ptc_history::Policy::default() && self.trace().acts().is_empty()
        {
            return Ok((Cow::Borrowed(messages), Vec::new()));
        }
        let conversation = self.last_request.conversation(messages);
        view_of_turns(&conversation, policy, &with).map(|v| (Cow::Owned(v.messages()), v.events))
    }

    fn strategy_for<'a>(&'a self, with: &ViewContext<'a>) -> Result<Option<&'a dyn CustomStrategy>, ViewError> {
        let strategy = with.strategy.or(self.strategy.as_deref());
        match (strategy, &self.trace.header.custom_strategy) {
            (None, Some(name)) => Err(ViewError::Missing(format!(
                "the session was begun with the strategy {} of its own program; give it that with Session::set_strategy",
                escape::line(name)
            ))),
            (strategy, _) => Ok(strategy),
        }
    }

    /// Gives a session of a trace the strategy of the host's own that it was begun with
    /// ([`Config::strategy`](crate::Config::strategy)): a trace has its name alone.
    ///
    /// # Errors
    /// When the trace names another one, or none. The session is unchanged then.
    pub fn set_strategy(&mut self, strategy: Arc<dyn CustomStrategy>) -> Result<(), PolicyError> {
        let given = strategy.name();
        let conflict =
            |problem, hint: &str| Err(PolicyError::Conflict { key: "strategy", problem, hint: Some(hint.to_owned()) });
        match self.trace.header.custom_strategy.as_deref() {
            Some(name) if name == given => {
                self.strategy = Some(strategy);
                Ok(())
            }
            Some(name) => {
                let name = escape::line(name);
                let problem = format!("the session was begun with the strategy {name}, and {given} is given");
                conflict(problem, "give the one that it was begun with")
            }
            None => {
                let problem =
                    format!("the session was begun without a strategy of its program's own, and {given} is given");
                conflict(problem, "begin a new one with Config::strategy")
            }
        }
    }
}
