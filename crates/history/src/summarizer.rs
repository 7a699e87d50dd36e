//! Summaries written by a model: opt-in, quoted as data, remembered by what they are a summary of.

use crate::message::Message;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::Mutex;

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

/// Why there is no summary. Nothing was trimmed then (F-16, K-22).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SummaryError {
    /// The model or the way to it failed.
    #[error("summarising failed: {0}; nothing was compressed")]
    Failed(String),
    /// It answered nothing.
    #[error("the summariser answered nothing; nothing was compressed")]
    Blank,
    /// It answered as much as it was given.
    #[error("the summariser made no progress: {before} characters became {after}; nothing was compressed")]
    NoProgress {
        /// Characters given.
        before: usize,
        /// Characters got.
        after: usize,
    },
}

/// Writes a summary with a model.
pub trait Summarizer: Sync {
    /// The model's answer.
    ///
    /// # Errors
    /// Words on what went wrong.
    fn summarize(&self, request: &SummaryRequest) -> Result<String, String>;
}

/// Remembers summaries by the content they were made of (K-08). Not part of any view: losing it costs calls, not bytes
/// of the trace.
#[derive(Debug, Default)]
pub struct Memo {
    known: Mutex<HashMap<[u8; 32], String>>,
}

impl Memo {
    /// An empty one.
    pub fn new() -> Self {
        Memo::default()
    }

    /// How many it remembers.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether it remembers none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The summary of this source; asks the summarizer when it is new. A failure is not remembered.
    pub(crate) fn get_or(
        &self,
        source: &str,
        make: impl FnOnce() -> Result<String, SummaryError>,
    ) -> Result<String, SummaryError> {
        let key: [u8; 32] = Sha256::digest(source.as_bytes()).into();
        if let Some(known) = self.lock().get(&key) {
            return Ok(known.clone());
        }
        let made = make()?;
        self.lock().insert(key, made.clone());
        Ok(made)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<[u8; 32], String>> {
        // A panic elsewhere leaves whole entries behind: what is there is right.
        self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
