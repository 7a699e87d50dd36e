//! The types of a view: messages with reasons and places, and events.

use super::reasons::{Blocks, Reason};
use crate::conversation::message::{Block, Message};
use crate::conversation::{Conversation, Entry};
use crate::policy::PolicyError;
use crate::view::counter::TokenCounter;
use crate::view::step::Step;
use crate::view::summarizer::SummaryError;
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// A message of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewMessage {
    /// What is sent.
    pub message: Arc<Message>,
    /// Why it is there.
    pub reason: Reason,
    /// The messages of the conversation that it stands for.
    pub from: Range<usize>,
    /// One reason for each block of the message, where they differ; empty where [`ViewMessage::reason`] is the reason of all.
    pub blocks: Blocks,
    /// What is kept of a message that was made for the view.
    pub(crate) made: Made,
}

/// What is kept of a message that was made for a view; of a message of the conversation its entry keeps it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Made {
    /// Shared by copies.
    entry: Option<Arc<Entry>>,
    tools: Tools,
}

/// Which calls and results a message has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tools {
    /// Those of the one message that it stands for.
    #[default]
    Same,
    /// None.
    Gone,
    /// Whatever is in it.
    Other,
}

impl PartialEq for Made {
    // It follows from the message.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl ViewMessage {
    /// The message at place `at`, unchanged.
    pub fn whole(message: &Arc<Message>, at: usize, reason: Reason) -> Self {
        ViewMessage {
            message: Arc::clone(message),
            reason,
            from: at..at.saturating_add(1),
            blocks: Blocks::default(),
            made: Made::default(),
        }
    }

    /// A message made for the view.
    pub fn made(message: Message, from: Range<usize>, reason: Reason) -> Self {
        let is_tool = |b: &Block| matches!(b, Block::ToolUse { .. } | Block::ToolResult { .. });
        let tools = if message.content.iter().any(is_tool) { Tools::Other } else { Tools::Gone };
        let message = Arc::new(message);
        let entry = Some(Arc::new(Entry::new(Arc::clone(&message))));
        ViewMessage { message, reason, from, blocks: Blocks::default(), made: Made { entry, tools } }
    }

    /// Whether it is an unchanged message of the conversation.
    pub(crate) fn is_whole(&self) -> bool {
        self.made.entry.is_none()
    }

    /// This message, marked as having the calls and results of the one that it stands for.
    pub(crate) fn with_its_tools(mut self) -> Self {
        self.made.tools = Tools::Same;
        self
    }

    /// Its calls and results.
    pub(crate) fn tools(&self) -> Tools {
        self.made.tools
    }

    /// Its entry, in a view of this conversation: what is counted of it once is kept there.
    pub(crate) fn entry<'a>(&'a self, conversation: &'a Conversation) -> Option<&'a Arc<Entry>> {
        let of_conversation = || conversation.entries().get(self.place()?);
        let same = |e: &&Arc<Entry>| Arc::ptr_eq(e.message(), &self.message);
        self.made.entry.as_ref().or_else(|| of_conversation().filter(same))
    }

    /// Its tokens, in a view of this conversation; counted once.
    pub(crate) fn tokens(&self, conversation: &Conversation, counter: &dyn TokenCounter) -> u64 {
        match self.entry(conversation) {
            Some(entry) => entry.tokens(counter.id(), |m| counter.message(m)),
            None => counter.message(&self.message),
        }
    }

    /// The place of the message that it is, whole or shortened; `None` where it stands for several.
    pub fn place(&self) -> Option<usize> {
        (self.from.len() == 1).then_some(self.from.start)
    }

    /// Why its block `i` is there.
    pub fn block_reason(&self, i: usize) -> &Reason {
        self.blocks.get(i).unwrap_or(&self.reason)
    }
}

/// How much something matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Details.
    Debug,
    /// What was done.
    Info,
    /// What a developer should look at (K-24).
    Warn,
}

/// Something that happened while a view was made. Every shortening is reported (D8, K-23).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// How much it matters.
    pub level: Level,
    /// What happened, a sentence. Shared between views, since every view reports it again.
    #[serde(serialize_with = "as_text")]
    pub text: Arc<str>,
}

fn as_text<S: serde::Serializer>(text: &Arc<str>, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(text)
}

impl Event {
    /// An event to look at.
    pub fn warn(text: impl Into<Arc<str>>) -> Self {
        Event { level: Level::Warn, text: text.into() }
    }

    /// An event that says what was done.
    pub fn info(text: impl Into<Arc<str>>) -> Self {
        Event { level: Level::Info, text: text.into() }
    }

    /// An event for whoever looks closely.
    pub fn debug(text: impl Into<Arc<str>>) -> Self {
        Event { level: Level::Debug, text: text.into() }
    }
}

/// What is shown of a conversation under a policy.
///
/// ```
/// use ptc_history::{Conversation, Message, Policy, ViewContext, policy::Strategy, view};
///
/// let talk = Conversation::recorded((0..50).map(|i| match i % 2 {
///     0 => Message::user(format!("question {i}")),
///     _ => Message::assistant(format!("answer {i}")),
/// }));
/// let policy = Policy { strategy: Strategy::SlidingWindow, max_messages: 10, ..Policy::default() };
/// let view = view(&talk, &policy, &ViewContext::default())?;
/// assert_eq!(view.messages()[0].text(), "question 0"); // the task is always shown
/// assert!(view.shown.len() < 20 && view.shown.iter().all(|s| !s.reason.to_string().is_empty()));
/// assert!(!view.events.is_empty(), "what was left out is told");
/// # Ok::<(), ptc_history::ViewError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// The messages, in order.
    pub shown: Vec<ViewMessage>,
    /// How often the boundary has moved so far, retentions that took effect included: of two views with the same number
    /// and no [`View::budget_cuts`], the later begins with the earlier byte for byte (B-17).
    pub boundary_moves: u64,
    /// How much the budgets shortened or dropped after the strategy: 0 where the view fitted (D8).
    pub budget_cuts: u64,
    /// The messages of the view before this place will not change until the boundary moves: put a cache breakpoint
    /// after the last of them (B-22).
    pub stable_prefix: usize,
    /// The decisions about the boundary, of a strategy that decides by figures (`auto`): the moves that were made,
    /// oldest first, then the one that is not made yet.
    pub steps: Vec<Step>,
    /// What happened.
    pub events: Vec<Event>,
    /// Tokens before and after, where the policy or the caller counted.
    pub tokens: Option<Tokens>,
}

/// What a view saves, by one counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Of the full history.
    pub before: u64,
    /// Of the view.
    pub after: u64,
}

impl View {
    /// The messages that are sent.
    pub fn messages(&self) -> Vec<Message> {
        self.shown.iter().map(|s| (*s.message).clone()).collect()
    }

    /// Replaces each message by what `keep` returns for it, and updates the stable prefix.
    pub(crate) fn filter(&mut self, mut keep: impl FnMut(usize, ViewMessage) -> Option<ViewMessage>) {
        let stable_prefix = self.stable_prefix;
        self.stable_prefix = 0;
        for (i, shown) in std::mem::take(&mut self.shown).into_iter().enumerate() {
            if let Some(shown) = keep(i, shown) {
                self.stable_prefix = self.stable_prefix.saturating_add(usize::from(i < stable_prefix));
                self.shown.push(shown);
            }
        }
    }

    /// How many messages at the start this view has in common with another, byte for byte.
    pub fn common(&self, other: &View) -> usize {
        let same =
            |(a, b): &(&ViewMessage, &ViewMessage)| Arc::ptr_eq(&a.message, &b.message) || a.message == b.message;
        self.shown.iter().zip(&other.shown).take_while(same).count()
    }

    /// Whether this request does not begin with all the messages of the one `before` it: what a provider has cached is
    /// lost from there on, whatever the reason (B-24).
    pub fn breaks(&self, before: &View) -> bool {
        before.common(self) < before.shown.len()
    }
}

/// The first of these places, for an event.
pub(crate) fn list(places: &[usize]) -> String {
    const MAX_LISTED_PLACES: usize = 8;
    let mut words: Vec<String> = places.iter().take(MAX_LISTED_PLACES).map(usize::to_string).collect();
    if places.len() > MAX_LISTED_PLACES {
        words.push(format!("and {} more", places.len().saturating_sub(MAX_LISTED_PLACES)));
    }
    words.join(", ")
}

/// Why there is no view. Conversation and caches are unchanged (K-22).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// The policy is invalid.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// K-21: the system prompt alone is over budget.
    #[error(
        "maxTokens must accommodate system prompt: max_tokens is {max_tokens}, the system prompt takes {system}; raise max_tokens"
    )]
    SystemOverBudget {
        /// The budget.
        max_tokens: u64,
        /// What the system messages take.
        system: u64,
    },
    /// The messages that may never be dropped are over budget.
    #[error(
        "max_tokens is {max_tokens}, and what may not be dropped (system, task, open calls, newest messages) takes {pinned}; raise max_tokens or choose a strategy that shortens"
    )]
    PinnedOverBudget {
        /// The budget.
        max_tokens: u64,
        /// What is pinned.
        pinned: u64,
    },
    /// There are more messages that may never be dropped than the limit.
    #[error("max_history_size is {max_history_size}, and {pinned} messages may not be dropped; raise it")]
    PinnedOverSize {
        /// The limit, in messages.
        max_history_size: usize,
        /// How many are pinned.
        pinned: usize,
    },
    /// The policy needs something that the host did not provide.
    #[error("{0}")]
    Missing(String),
    /// The strategy of the host's own failed, or selected what cannot be shown.
    #[error("strategy {name}: {problem}")]
    Strategy {
        /// The strategy's name.
        name: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// The model that should write a summary gave none.
    #[error(transparent)]
    Summary(#[from] SummaryError),
}

impl ViewError {
    /// What to do next, where that is known; the end of the words that [`fmt::Display`](std::fmt::Display) writes.
    pub fn hint(&self) -> Option<&str> {
        match self {
            ViewError::Policy(e) => e.hint(),
            ViewError::SystemOverBudget { .. } => Some("raise max_tokens"),
            ViewError::PinnedOverBudget { .. } => Some("raise max_tokens or choose a strategy that shortens"),
            ViewError::PinnedOverSize { .. } => Some("raise it"),
            ViewError::Missing(_) | ViewError::Strategy { .. } | ViewError::Summary(_) => None,
        }
    }
}
