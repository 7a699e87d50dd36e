//! Views: what is shown of a conversation, where each line comes from, and why it is there.

use crate::budget::Budget;
use crate::conversation::Conversation;
use crate::legality;
use crate::message::{Block, Message};
use crate::policy::{Policy, PolicyError};
use crate::retention;
use crate::strategy::auto::Step;
use crate::strategy::{self, Compactable};
use crate::summarizer::{Memo, Summarizer, SummaryError};
use serde::Serialize;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Why a message, or a line of one, is in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
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
    /// Turns that follow each other, as one line.
    FoldedTurns {
        /// The first of them, counted from 1.
        first: usize,
        /// The last.
        last: usize,
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
    Retained {
        /// Bytes it had.
        bytes: usize,
    },
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
            Why::FoldedTurns { first, last } => write!(f, "turns {first} to {last}, folded"),
            Why::Bounded { chars } => write!(f, "seen, bounded from {chars} characters"),
            Why::Cleared { chars } => write!(f, "result cleared, had {chars} characters"),
            Why::Retained { bytes } => write!(f, "input of {bytes} bytes, as its history_retention says"),
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
    pub blocks: Blocks,
    /// Its tokens, once counted; copies of a made message share it.
    pub(crate) counted: Counted,
}

/// The reasons of a message's blocks, shared by copies; most messages have none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks(Option<Arc<Vec<Why>>>);

impl std::ops::Deref for Blocks {
    type Target = [Why];

    fn deref(&self) -> &[Why] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl Blocks {
    /// The same, with the message's own reason for blocks that stay whole.
    pub(crate) fn with(&self, own: Why) -> Self {
        let whole = |w: &Why| *w == Why::Recent;
        if own == Why::Recent || !self.iter().any(whole) {
            return self.clone();
        }
        self.iter().map(|w| if whole(w) { own } else { *w }).collect()
    }
}

impl FromIterator<Why> for Blocks {
    fn from_iter<I: IntoIterator<Item = Why>>(whys: I) -> Self {
        whys.into_iter().collect::<Vec<Why>>().into()
    }
}

impl From<Vec<Why>> for Blocks {
    fn from(whys: Vec<Why>) -> Self {
        Blocks((!whys.is_empty()).then(|| Arc::new(whys)))
    }
}

/// What is known about a message beside what it is: of one that stands in the conversation nothing, for that is known
/// there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counted {
    /// The counter and the tokens of a made message; copies share it.
    tokens: Option<Arc<OnceLock<(u64, u64)>>>,
    /// The bytes of a made message; what has more than fits is counted again.
    bytes: u32,
    blank: bool,
    tools: Tools,
}

/// The calls and results of a message, as far as pairing goes.
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

impl PartialEq for Counted {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Counted {
    /// The tokens under the counter `id`; counted once, and anew when another counter asks.
    pub fn get(&self, id: u64, count: impl Fn() -> u64) -> u64 {
        let Some(cell) = &self.tokens else { return count() };
        let (of, tokens) = *cell.get_or_init(|| (id, count()));
        if of == id { tokens } else { count() }
    }
}

impl Shown {
    /// The message at place `at`, as it is.
    pub fn whole(message: &Arc<Message>, at: usize, why: Why) -> Self {
        Shown {
            message: Arc::clone(message),
            why,
            from: at..at.saturating_add(1),
            blocks: Blocks::default(),
            counted: Counted::default(),
        }
    }

    /// A message made for the view.
    pub fn made(message: Message, from: Range<usize>, why: Why) -> Self {
        let bytes: usize = message.content.iter().map(Block::bytes).sum();
        let tool = |b: &Block| matches!(b, Block::ToolUse { .. } | Block::ToolResult { .. });
        let counted = Counted {
            tokens: Some(Arc::default()),
            bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
            blank: message.is_blank(),
            tools: if message.content.iter().any(tool) { Tools::Other } else { Tools::Gone },
        };
        Shown { message: Arc::new(message), why, from, blocks: Blocks::default(), counted }
    }

    /// Whether it is a message as it stands in the conversation.
    pub(crate) fn is_whole(&self) -> bool {
        self.counted.tokens.is_none()
    }

    /// This message, which has the calls and results of the one that it stands for.
    pub(crate) fn with_its_tools(mut self) -> Self {
        self.counted.tools = Tools::Same;
        self
    }

    /// Its calls and results.
    pub(crate) fn tools(&self) -> Tools {
        self.counted.tools
    }

    /// Whether a message that was made says nothing.
    pub(crate) fn is_made_blank(&self) -> bool {
        self.counted.blank
    }

    /// The bytes it says, all blocks together.
    pub(crate) fn bytes(&self) -> usize {
        match usize::try_from(self.counted.bytes) {
            Ok(bytes) if !self.is_whole() && self.counted.bytes < u32::MAX => bytes,
            _ => self.message.content.iter().map(Block::bytes).sum(),
        }
    }

    /// The place of the message that it is, whole or shortened; `None` where it stands for several.
    pub fn place(&self) -> Option<usize> {
        (self.from.len() == 1).then_some(self.from.start)
    }

    /// Why its block `i` is there.
    pub fn why_block(&self, i: usize) -> &Why {
        self.blocks.get(i).unwrap_or(&self.why)
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
    /// What happened, a sentence. Shared: what was said of an old message is said again in every view.
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
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The messages, in order.
    pub shown: Vec<Shown>,
    /// How often the boundary moved so far, retentions that took effect among it: two views with the same number and
    /// nothing [`View::squeezed`] extend each other byte for byte (B-17).
    pub moves: u64,
    /// How much the budgets shortened or dropped after the strategy: 0 where it fitted (D8).
    pub squeezed: u64,
    /// The messages of the view before this place will not change until the boundary moves: put a cache mark after
    /// the last of them (B-22).
    pub stable: usize,
    /// What was decided about the boundary, by a strategy that decides by figures (`auto`): the moves that were made,
    /// oldest first, then the one that is not made yet.
    pub steps: Vec<Step>,
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

    /// Whether this request does not begin with all the messages of the one `before` it: what a provider has cached of
    /// them is lost from there on. It is a break whatever the reason, be it that the policy was changed (B-24).
    pub fn breaks(&self, before: &View) -> bool {
        before.common(self) < before.shown.len()
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
    /// Compacts messages of the model for `batch`; without it they leave their recap line (B-12).
    pub compact: Option<&'a dyn Compactable>,
}

/// Why there is no view. Conversation and memo are as they were (K-22).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ViewError {
    /// The policy cannot be.
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
/// A pure function: the same conversation, policy and `with` give the same bytes (D2, B-18). Inputs are shown by their
/// retention, then the strategy works, what could not be sent is taken out, and the budgets are held: tokens, then
/// messages (D9, K-13, K-27).
///
/// # Errors
/// [`ViewError`], with the numbers; nothing has changed then.
pub fn view(conversation: &Conversation, policy: &Policy, with: &With<'_>) -> Result<View, ViewError> {
    policy.check()?;
    let retained = retention::apply(conversation, policy, with);
    let seen = &*retained.conversation;
    let budget = Budget::new(conversation, seen, policy, with)?;
    let mut view = budget.strategy()?;
    retained.mark(&mut view);
    legality::mend(seen, &mut view);
    view.tokens = budget.hold(&mut view)?;
    strategy::warn_of_little(policy, &mut view);
    retained.leave(conversation);
    Ok(view)
}
