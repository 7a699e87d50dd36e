//! Acts: a session with a table of contents runs act by act, in one conversation and with one memory.

use crate::trace::act_spec::{ActWords, Mode};
use crate::trace::record::Call;
use ptc_history::{Block, Message, Role};
use serde::{Deserialize, Serialize};

/// A tool call for an input of an act that has not begun yet. It is a line of the trace of its own, so that the call is
/// kept even if a later input fails or the machine stops. The act includes it once it begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Called {
    /// The number of the act that is to begin, from 1.
    pub before_act: u64,
    /// Which of its inputs asked for it, from 1.
    pub input: u64,
    /// The call.
    pub tool_call: Call,
    /// When it was made, milliseconds since 1970.
    pub time: i64,
}

/// The beginning of an act: its question. A line of the trace, before the act's first turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Act {
    /// Its number, from 1.
    pub act: u64,
    /// Its name.
    pub name: String,
    /// How it is answered.
    pub mode: Mode,
    /// The turn that it begins with.
    pub first_turn: u64,
    /// Most turns; of a text act 1.
    pub max_turns: u64,
    /// Its question: the inputs in order, each with its retention.
    pub content: Vec<Block>,
    /// Tool calls for its inputs, including those before it began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<Call>,
    /// When it began, milliseconds since 1970.
    pub time: i64,
}

impl Act {
    /// About how many bytes it takes, with the message made of it.
    pub(crate) fn bytes(&self) -> u64 {
        let texts = self.content.iter().map(|b| match b {
            Block::Text { text, .. } => text.len() as u64,
            _ => 0,
        });
        let texts = texts.fold(0, u64::saturating_add).saturating_mul(2);
        self.tool_calls.iter().fold(texts, |sum, c| sum.saturating_add(c.bytes()))
    }

    /// An act by this specification, with this question. Its number and first turn are set by the session that opens
    /// it.
    pub fn new(words: &ActWords, content: Vec<Block>) -> Self {
        Act {
            act: 0,
            name: words.name.clone(),
            mode: words.mode,
            first_turn: 0,
            max_turns: words.max_turns,
            content,
            tool_calls: Vec::new(),
            time: 0,
        }
    }

    /// A question behind the first one, of a session that is not asked in acts: the `number`th, from 2. `asked` is what is
    /// said below it: the turn that it begins with, of how many.
    pub(crate) fn follow_up(number: u64, question: &str, asked: String, max_turns: u64) -> Self {
        let words = ActWords { name: format!("question {number}"), mode: Mode::Program, max_turns, tools: None };
        Act::new(&words, vec![Block::text(question), Block::text(asked)])
    }

    /// The last turn that it may have.
    pub fn last_turn(&self) -> u64 {
        self.first_turn.saturating_sub(1).saturating_add(self.max_turns)
    }

    /// Its user message; `before` is the feedback to the last turn, or the task, and comes first.
    pub(crate) fn message(&self, before: &str) -> Message {
        let before = (!before.is_empty()).then(|| Block::text(before));
        let mut content: Vec<Block> = before.into_iter().chain(self.content.iter().cloned()).collect();
        if content.is_empty() {
            content.push(Block::text(crate::text::line_prefixes::NO_TASK));
        }
        let mut message = Message::of(Role::User, content);
        message.meta_mut().act = Some(self.act);
        said_at(message, self.time)
    }
}

/// The message with the time when it was said, in milliseconds since 1970; 0 is a session without a clock.
pub(crate) fn said_at(mut message: Message, time: i64) -> Message {
    if time != 0 {
        message.meta_mut().at = Some(time);
    }
    message
}
