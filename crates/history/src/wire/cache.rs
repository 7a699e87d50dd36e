//! Cache breakpoints: after which blocks of a request a provider may cache, given what will not change (part B, row
//! "cache control").

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How long a breakpoint is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ttl {
    /// Five minutes (thirty at OpenAI).
    Short,
    /// An hour, where the provider has that.
    Long,
}

/// A place after which a cached prefix may end: everything up to this message of the conversation will not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheBreakpoint {
    /// The message, by its place in the conversation before repair.
    pub after: usize,
    /// How long.
    pub ttl: Ttl,
}

/// What the host wants cached. For the OpenAI formats set one only for models that accept explicit breakpoints (5.6 and
/// later): older ones refuse the field, and cache by themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cache {
    /// Tools and system prompt.
    pub head: Option<Ttl>,
    /// Stable boundaries, such as the last message folded into a batch (B-22) and the last whole group.
    pub boundaries: Vec<CacheBreakpoint>,
}

/// Placed breakpoints: [`Request::body`](crate::wire::Request::body) writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheBreakpoints {
    pub(crate) tools: Option<Ttl>,
    pub(crate) blocks: BTreeMap<(usize, usize), Ttl>,
}

impl CacheBreakpoints {
    /// The breakpoint on this block of this message of the request.
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
