//! Views: what is shown of a conversation, where each line comes from, and why it is there.

use crate::conversation::Conversation;
use crate::message::Message;
use crate::policy::{Policy, PolicyError};
use crate::strategy;
use crate::summarizer::{Memo, Summarizer, SummaryError};
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// Why a message, or a line of one, is in a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "rule")]
pub enum Why {
    /// No strategy: all is shown.
    Everything,
    /// A system message: never touched (K-09, F-13).
    System,
    /// The first user message: the task (D5).
    Task,
    /// Among the newest, which stay whole.
    Recent,
    /// A call that waits for its result: the live frontier (F-12).
    Open,
    /// Too little history to compress (K-25).
    Small,
    /// Marked as the agent's memory (K-03).
    Memory,
    /// It says how to be shown shortly and that is shown: its recap line (B-13).
    Recap,
    /// It should be short and cannot: no recap line (B-14), a kind that is always full (B-15).
    NotCompactable,
    /// Stands for earlier messages.
    Summary {
        /// Of how many messages.
        of: usize,
    },
    /// A turn as one line or a few; the whole is got by its handle.
    Folded {
        /// The turn, counted from 1.
        turn: usize,
    },
    /// A long text once seen: its beginning.
    Bounded {
        /// Characters it had.
        chars: usize,
    },
    /// A tool's result once seen: a note in its place.
    Cleared {
        /// Characters it had.
        chars: usize,
    },
    /// An input whose retention says summary or drop.
    Retained,
    /// Stands where nothing may stand: messages are never empty.
    Placeholder,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Everything => f.write_str("full history"),
            Why::System => f.write_str("system message, never touched"),
            Why::Task => f.write_str("the task, pinned"),
            Why::Recent => f.write_str("among the newest, whole"),
            Why::Open => f.write_str("a call that waits for its result"),
            Why::Small => f.write_str("history too short to compress"),
            Why::Memory => f.write_str("memory of the agent, kept"),
            Why::Recap => f.write_str("its recap line"),
            Why::NotCompactable => f.write_str("cannot be shortened, whole"),
            Why::Summary { of } => write!(f, "summary of {of} messages"),
            Why::Folded { turn } => write!(f, "turn {turn}, folded"),
            Why::Bounded { chars } => write!(f, "seen, bounded from {chars} characters"),
            Why::Cleared { chars } => write!(f, "result cleared, had {chars} characters"),
            Why::Retained => f.write_str("input, as its history_retention says"),
            Why::Placeholder => f.write_str("placeholder: messages are never empty"),
        }
    }
}

/// A message of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What is sent.
    pub message: Arc<Message>,
    /// Why it is there.
    pub why: Why,
    /// The messages of the conversation that it stands for.
    pub from: Range<usize>,
    /// One reason for each block of the message, where they differ; empty where [`Shown::why`] is the reason of all.
    pub blocks: Vec<Why>,
}

impl Shown {
    /// The message at place `at`, as it is.
    pub fn whole(message: &Arc<Message>, at: usize, why: Why) -> Self {
        Shown { message: Arc::clone(message), why, from: at..at + 1, blocks: Vec::new() }
    }

    /// A message made for the view.
    pub fn made(message: Message, from: Range<usize>, why: Why) -> Self {
        Shown { message: Arc::new(message), why, from, blocks: Vec::new() }
    }
}

/// How much something matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For whoever looks closely.
    Debug,
    /// What was done.
    Info,
    /// What a developer should look at (K-24).
    Warn,
}

/// Something that happened while a view was made. Nothing that degrades a view is silent (D8, K-23).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// How much it matters.
    pub level: Level,
    /// What happened, a sentence.
    pub text: String,
}

impl Event {
    /// An event to look at.
    pub fn warn(text: impl Into<String>) -> Self {
        Event { level: Level::Warn, text: text.into() }
    }

    /// An event that says what was done.
    pub fn info(text: impl Into<String>) -> Self {
        Event { level: Level::Info, text: text.into() }
    }

    /// An event for whoever looks closely.
    pub fn debug(text: impl Into<String>) -> Self {
        Event { level: Level::Debug, text: text.into() }
    }
}

/// What is shown of a conversation under a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The messages, in order.
    pub shown: Vec<Shown>,
    /// How often the boundary moved so far: two views with the same number extend each other byte for byte (B-17).
    pub moves: u64,
    /// The messages of the view before this place will not change until the boundary moves: put a cache mark after
    /// the last of them (B-22).
    pub stable: usize,
    /// What happened.
    pub events: Vec<Event>,
    /// Tokens before and after, where the policy or the caller counted.
    pub tokens: Option<Tokens>,
}

/// What a view saves, all by one counter.
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

    /// How many messages at the start this view has in common with another, byte for byte.
    pub fn common(&self, other: &View) -> usize {
        let same = |(a, b): &(&Shown, &Shown)| Arc::ptr_eq(&a.message, &b.message) || a.message == b.message;
        self.shown.iter().zip(&other.shown).take_while(same).count()
    }
}

/// Counts tokens of a message as a provider would frame it. One counter serves trigger, action and check (part C).
pub trait Measure: Sync {
    /// Tells counters apart: counts are remembered under it.
    fn id(&self) -> u64;
    /// Tokens of one message with its framing.
    fn message(&self, message: &Message) -> u64;
    /// Tokens of the request around the messages: priming, tools, schema.
    fn around(&self) -> u64;
}

/// What a view is made with, beside conversation and policy: all of it handed in by the host.
#[derive(Clone, Copy, Default)]
pub struct With<'a> {
    /// Counts tokens; needed by budgets, and by reports.
    pub measure: Option<&'a dyn Measure>,
    /// Now, in milliseconds since 1970: needed by relative times.
    pub now: Option<i64>,
    /// Writes summaries with a model, for policies that say so.
    pub summarizer: Option<&'a dyn Summarizer>,
    /// Remembers what the summarizer wrote.
    pub memo: Option<&'a Memo>,
}

/// Why there is no view. Conversation and memo are as they were (K-22).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ViewError {
    /// The policy cannot be.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// K-21: the system prompt alone is over budget.
    #[error("maxTokens must accommodate system prompt: max_tokens is {max_tokens}, the system prompt takes {system}")]
    SystemOverBudget {
        /// The budget.
        max_tokens: u64,
        /// What the system messages take.
        system: u64,
    },
    /// What may never be dropped is over budget.
    #[error(
        "max_tokens is {max_tokens}, and what may not be dropped (system, task, open calls, newest messages) takes {pinned}; raise max_tokens or choose a strategy that shortens"
    )]
    PinnedOverBudget {
        /// The budget.
        max_tokens: u64,
        /// What is pinned.
        pinned: u64,
    },
    /// What may never be dropped is more messages than the limit.
    #[error("max_history_size is {max_history_size}, and {pinned} messages may not be dropped; raise it")]
    PinnedOverSize {
        /// The limit, in messages.
        max_history_size: usize,
        /// How many are pinned.
        pinned: usize,
    },
    /// The policy needs what the host did not hand in.
    #[error("{0}")]
    Missing(String),
    /// The model that was to summarise did not.
    #[error(transparent)]
    Summary(#[from] SummaryError),
}

/// What is shown of `conversation` under `policy`: the single door that every request passes (K-17).
///
/// A pure function: the same conversation, policy and `with` give the same bytes (D2, B-18).
///
/// # Errors
/// [`ViewError`], with the numbers; nothing has changed then.
pub fn view(conversation: &Conversation, policy: &Policy, with: &With<'_>) -> Result<View, ViewError> {
    policy.check()?;
    strategy::render(conversation, policy, with)
}
