//! Cache breakpoints: which blocks of a request carry a mark, given what will not change (part B, row "cache control").

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How long a mark holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ttl {
    /// Five minutes (thirty at OpenAI).
    Short,
    /// An hour, where the provider has that.
    Long,
}

/// A place after which a cached prefix may end: everything up to this message of the conversation stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheBreakpoint {
    /// The message, by its place in the conversation before repair.
    pub after: usize,
    /// How long.
    pub ttl: Ttl,
}

/// What the host wants cached. For the OpenAI forms give one only to models that take explicit breakpoints (5.6 and
/// later): older ones refuse the field, and cache by themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cache {
    /// Tools and system prompt.
    pub head: Option<Ttl>,
    /// Stable boundaries, as the last message folded into a batch (B-22) and the last whole group.
    pub boundaries: Vec<CacheBreakpoint>,
}

/// Marks, placed: [`Request::body`](crate::wire::Request::body) writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheBreakpoints {
    pub(crate) tools: Option<Ttl>,
    pub(crate) blocks: BTreeMap<(usize, usize), Ttl>,
}

impl CacheBreakpoints {
    /// The mark on this block of this message of the request.
    pub fn block(&self, message: usize, block: usize) -> Option<Ttl> {
        self.blocks.get(&(message, block)).copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.blocks.len().saturating_add(usize::from(self.tools.is_some()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A part of an OpenAI request with its breakpoint.
pub(super) fn breakpoint(mut part: Value) -> Value {
    part["prompt_cache_breakpoint"] = json!({ "mode": "explicit" });
    part
}
