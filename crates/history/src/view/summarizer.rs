//! Summaries written by a model: optional, with the history quoted as data, and cached by what they summarise.

use crate::conversation::message::{Block, Message};
use crate::memo::ContentMemo;
use ptc_text::cut::beginning;

/// What a model is asked to summarise: two messages, no tools (K-37).
#[derive(Clone, Debug, PartialEq)]
pub struct SummaryRequest {
    /// The summariser's own system prompt.
    pub system: Message,
    /// One user message that quotes the history as data.
    pub user: Message,
    /// The most tokens the answer may take.
    pub max_tokens: u64,
}

/// Why there is no summary. Nothing was shortened then (F-16, K-22).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SummaryError {
    /// The model or the connection to it failed.
    Failed(String),
    /// It answered nothing.
    Blank,
    /// The answer is as long as the source.
    NoProgress {
        /// Characters given.
        before: usize,
        /// Characters got.
        after: usize,
    },
}

impl SummaryError {
    /// What went wrong, without the consequence.
    pub fn reason(&self) -> String {
        match self {
            SummaryError::Failed(reason) => format!("summarising failed: {reason}"),
            SummaryError::Blank => "the summariser answered nothing".to_owned(),
            SummaryError::NoProgress { before, after } => {
                format!("the summariser made no progress: {before} characters became {after}")
            }
        }
    }
}

impl std::fmt::Display for SummaryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; nothing was compressed", self.reason())
    }
}

impl std::error::Error for SummaryError {}

/// Writes a summary with a model.
pub trait Summarizer: Sync {
    /// The model's answer.
    ///
    /// # Errors
    /// A sentence on what went wrong.
    fn summarize(&self, request: &SummaryRequest) -> Result<String, String>;
}

/// How many summaries are kept.
const MAX_SUMMARIES: usize = 8192;

/// Keeps summaries by the content they were made from (K-08). Not part of any view: losing it costs requests, not bytes
/// of the trace.
#[derive(Debug)]
pub struct SummaryCache(ContentMemo<String>);

impl Default for SummaryCache {
    fn default() -> Self {
        SummaryCache(ContentMemo::new(MAX_SUMMARIES))
    }
}

impl SummaryCache {
    /// An empty one.
    pub fn new() -> Self {
        SummaryCache::default()
    }

    /// How many summaries it holds.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The summariser's own system prompt.
const SYSTEM: &str = include_str!("summarizer.md");
/// Most characters of one block that are quoted.
const MAX_QUOTED_CHARS: usize = 8_000;

/// The history as quoted text, after what an earlier summary says of its beginning.
pub(crate) fn quote<'a>(so_far: Option<&str>, messages: impl Iterator<Item = &'a Message>) -> String {
    let mut out = String::new();
    if let Some(summary) = so_far {
        out.push_str("summary so far: ");
        out.push_str(summary);
        out.push('\n');
    }
    for message in messages {
        let role = message.role.as_str();
        for block in &message.content {
            match block {
                Block::Text { text, .. } => line(&mut out, role, text),
                Block::ToolUse { name, input, .. } => line(&mut out, role, &format!("calls {name}({input})")),
                Block::ToolResult { content, is_error: Some(true), .. } => line(&mut out, "error of the tool", content),
                Block::ToolResult { content, .. } => line(&mut out, "result of the tool", content),
                // Reasoning is not quoted.
                Block::Reasoning { .. } => {}
            }
        }
    }
    out
}

/// One input as quoted text.
pub(crate) fn quote_input(what: &str, text: &str) -> String {
    let mut out = String::new();
    line(&mut out, what, text);
    out
}

fn line(out: &mut String, who: &str, text: &str) {
    out.push_str(who);
    out.push_str(": ");
    let (start, cut) = beginning(text, MAX_QUOTED_CHARS);
    out.push_str(start);
    if cut {
        let rest = text.chars().count().saturating_sub(MAX_QUOTED_CHARS);
        out.push_str(&format!("… ({rest} characters left out)"));
    }
    out.push('\n');
}

/// The request: the quote as data in one user message, inside a code fence longer than any in it (K-37).
fn request(source: &str, max_tokens: u64) -> SummaryRequest {
    let longest = source.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.saturating_add(1).max(3));
    let user = format!(
        "The conversation to summarise:\n\n{fence}text\n{source}{fence}\n\nSummarise it in at most {max_tokens} tokens."
    );
    SummaryRequest { system: Message::system(SYSTEM), user: Message::user(user), max_tokens }
}

/// About how many characters this many tokens are.
pub(crate) fn characters(tokens: u64) -> usize {
    usize::try_from(tokens.saturating_mul(4)).unwrap_or(usize::MAX)
}

/// The summary of `source` in at most `tokens` tokens: a cached one, or the answer of the model that `find` returns.
///
/// # Errors
/// [`SummaryError`]; a failure is not kept.
pub(crate) fn summary<'s>(
    memo: Option<&SummaryCache>,
    source: &str,
    tokens: u64,
    find: impl FnOnce() -> Result<&'s dyn Summarizer, SummaryError>,
) -> Result<String, SummaryError> {
    let ask = || {
        let answer = find()?.summarize(&request(source, tokens)).map_err(SummaryError::Failed)?;
        accept(source, &answer, characters(tokens))
    };
    match memo {
        // All that the request is made of.
        Some(memo) => memo.0.get_or([&tokens.to_string(), source], ask),
        None => ask(),
    }
}

/// The answer, cut to `room` characters, if it is a summary: not blank, and shorter than what it stands for.
///
/// # Errors
/// [`SummaryError::Blank`], [`SummaryError::NoProgress`].
fn accept(source: &str, answer: &str, room: usize) -> Result<String, SummaryError> {
    let answer = answer.trim();
    if answer.is_empty() {
        return Err(SummaryError::Blank);
    }
    let (before, after) = (source.chars().count(), answer.chars().count());
    if after >= before {
        return Err(SummaryError::NoProgress { before, after });
    }
    Ok(match beginning(answer, room) {
        (all, false) => all.to_owned(),
        (start, true) => format!("{start}…"),
    })
}
