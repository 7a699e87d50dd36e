//! The features of a request, in numbers: a token count is their weighted sum.

use super::cached_counter::CachedCounter;
use super::class::Class;
use super::tool_declarations::Tool;
use crate::conversation::message::{Block, Message, Role};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)+) => {
        /// A feature of a request.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature { $($(#[$doc])* $name,)+ }

        impl Feature {
            /// All of them.
            pub const ALL: &'static [Feature] = &[$(Feature::$name,)+];

            /// Its name in a profile.
            pub fn name(self) -> &'static str {
                match self { $(Feature::$name => $word,)+ }
            }
        }
    };
}

features! {
    /// The request itself: reply priming, hidden prompts.
    Request = "request",
    /// One if there are tools.
    Tools = "tools",
    /// How many tools.
    Tool = "tool",
    /// Tokens of their declarations.
    Declared = "declared",
    /// One if the answer has to fit a schema.
    Schema = "schema",
    /// Tokens of that schema.
    SchemaText = "schema_text",
    /// One if the last message is the assistant's: a prefill, or a call that asks for compaction.
    Closing = "closing",
    /// System messages.
    System = "system",
    /// System messages beside tools, which are declared in there.
    SystemTools = "system_tools",
    /// Messages of user and assistant.
    Message = "message",
    /// Tool calls.
    Call = "call",
    /// Tool calls beyond the first of a message.
    Parallel = "parallel",
    /// Tool results.
    Result = "result",
    /// Thoughts.
    Thought = "thought",
    /// Tokens of thoughts.
    Thinking = "thinking",
    /// Tokens of prose.
    Prose = "prose",
    /// Tokens of code.
    Code = "code",
    /// Tokens of JSON, arguments of calls among it.
    Json = "json",
    /// Tokens of numbers.
    Digits = "digits",
    /// Tokens of Chinese, Japanese and Korean.
    Cjk = "cjk",
    /// Tokens of other scripts.
    Other = "other",
}

/// How many features there are.
pub const N: usize = Feature::ALL.len();

impl Feature {
    /// The feature of texts of this class.
    pub fn of(class: Class) -> Feature {
        match class {
            Class::Prose => Feature::Prose,
            Class::Code => Feature::Code,
            Class::Json => Feature::Json,
            Class::Digits => Feature::Digits,
            Class::Cjk => Feature::Cjk,
            Class::Other => Feature::Other,
        }
    }
}

/// A number for each feature: of a request, or the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Features(pub(super) [f64; N]);

impl Default for Features {
    fn default() -> Self {
        Features([0.0; N])
    }
}

impl Features {
    /// The number of this feature.
    pub fn get(&self, feature: Feature) -> f64 {
        self.0.get(feature as usize).copied().unwrap_or_default()
    }

    /// Adds to a feature.
    pub fn add(&mut self, feature: Feature, amount: f64) {
        if let Some(n) = self.0.get_mut(feature as usize) {
            *n += amount;
        }
    }

    /// Sets a feature.
    #[must_use]
    pub fn with(mut self, feature: Feature, amount: f64) -> Self {
        if let Some(n) = self.0.get_mut(feature as usize) {
            *n = amount;
        }
        self
    }

    /// Adds all of another's.
    pub fn sum(&mut self, other: &Features) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a += b;
        }
    }

    /// The weighted sum.
    pub fn dot(&self, weights: &Features) -> f64 {
        self.0.iter().zip(&weights.0).map(|(a, b)| a * b).sum()
    }

    /// Whether all are finite.
    pub fn is_finite(&self) -> bool {
        self.0.iter().all(|n| n.is_finite())
    }

    /// Of a message, in a request with tools or without.
    pub fn of_message(message: &Message, with_tools: bool, ruler: &CachedCounter) -> Features {
        let mut f = Features::default();
        match message.role {
            Role::System => {
                f.add(Feature::System, 1.0);
                f.add(Feature::SystemTools, f64::from(u8::from(with_tools)));
            }
            Role::User | Role::Assistant => f.add(Feature::Message, 1.0),
            // Results are counted one by one: some providers want each in a message of its own, others all in one.
            Role::Tool => {}
        }
        let mut calls = 0.0f64;
        for block in &message.content {
            match block {
                Block::Text { text, .. } => f.text(text, ruler),
                Block::Reasoning { text, .. } => {
                    f.add(Feature::Thought, 1.0);
                    f.add(Feature::Thinking, ruler.count(text) as f64);
                }
                Block::ToolUse { name, input, .. } => {
                    calls += 1.0;
                    f.add(Feature::Json, ruler.count(name).saturating_add(ruler.count(&input.to_string())) as f64);
                }
                Block::ToolResult { content, .. } => {
                    f.add(Feature::Result, 1.0);
                    f.text(content, ruler);
                }
            }
        }
        f.add(Feature::Call, calls);
        f.add(Feature::Parallel, (calls - 1.0).max(0.0));
        f
    }

    fn text(&mut self, text: &str, ruler: &CachedCounter) {
        self.add(Feature::of(Class::of(text)), ruler.count(text) as f64);
    }

    /// Of the overhead besides the messages.
    pub fn of_frame(tools: &[Tool<'_>], declared: &str, schema: Option<&str>, ruler: &CachedCounter) -> Features {
        let mut f = Features::default();
        f.add(Feature::Request, 1.0);
        if !tools.is_empty() {
            f.add(Feature::Tools, 1.0);
            f.add(Feature::Tool, tools.len() as f64);
            f.add(Feature::Declared, ruler.count(declared) as f64);
        }
        if let Some(text) = schema {
            f.add(Feature::Schema, 1.0);
            f.add(Feature::SchemaText, ruler.count(text) as f64);
        }
        f
    }
}

impl Serialize for Features {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(Feature::ALL.iter().map(|f| (f.name(), self.get(*f))).filter(|(_, n)| *n != 0.0))
    }
}

impl<'de> Deserialize<'de> for Features {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let mut out = Features::default();
        for (name, amount) in BTreeMap::<String, f64>::deserialize(d)? {
            let found = Feature::ALL.iter().find(|f| f.name() == name);
            let feature = found.ok_or_else(|| {
                let known: Vec<&str> = Feature::ALL.iter().map(|f| f.name()).collect();
                serde::de::Error::custom(format!("no weight is called {name:?}; there are {}", known.join(", ")))
            })?;
            out.add(*feature, amount);
        }
        Ok(out)
    }
}
