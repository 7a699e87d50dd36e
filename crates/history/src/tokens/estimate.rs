//! Counting a request: overhead and messages, one number for each, so that a view sums cached counts.

use super::cached_counter::CachedCounter;
use super::features::{Feature, Features};
use super::profile::{Declared, Profile, ProfileError, Profiles};
use super::request::{Request, Schema};
use super::tool_declarations;
use crate::conversation::message::{Block, Message, Role};
use crate::view::TokenCounter;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// How many input tokens a request has, with bounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The most likely number.
    pub tokens: u64,
    /// The real number is seldom lower.
    pub low: u64,
    /// The real number is seldom higher: budgets are compared with this one.
    pub high: u64,
    /// The source of the number.
    pub source: Source,
}

/// The source of a number; every number has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A profile, by its name, and nothing else.
    Profile(String),
    /// A profile, corrected by what was reported of earlier requests.
    Calibrated(String),
    /// The last reported usage, and a profile for the messages since.
    Anchored(String),
    /// A bound: no text has more tokens than bytes in a vocabulary of bytes, plus framing.
    Bytes,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Source::Profile(id) => write!(f, "profile {id}"),
            Source::Calibrated(id) => write!(f, "calibrated {id}"),
            Source::Anchored(id) => write!(f, "last usage, {id} since"),
            Source::Bytes => f.write_str("bytes"),
        }
    }
}

impl Serialize for Source {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// Counts the messages of one kind of request: this model, these tools, this answer schema. The one counter for
/// decision, shortening and check: a message's count depends on nothing but the message, so the request is the sum over
/// a view and the overhead (K-14).
///
/// ```
/// use ptc_history::tokens::{Api, MessageCounter, Profiles, Schema};
/// use ptc_history::{Conversation, Message};
///
/// let counter = MessageCounter::new(Profiles::built_in().find("openai", Api::Chat, "gpt-4o"), &[], &Schema::None)?;
/// let mut talk = Conversation::new();
/// talk.add_user_message("Hello")?;
/// let sum: u64 = talk.entries().iter().map(|e| e.tokens(counter.id(), |m| counter.message(m))).sum();
/// assert_eq!(counter.frame() + sum, 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MessageCounter {
    profile: Arc<Profile>,
    ruler: CachedCounter,
    weights: Features,
    frame: Features,
    /// Bytes of tools and schema.
    frame_bytes: u64,
    with_tools: bool,
    hidden_schema: bool,
    /// Tools that the provider runs: their declaration is not known here.
    hidden_tools: bool,
    id: u64,
}

impl MessageCounter {
    /// For requests with these tools, in the format of any provider, and this answer schema.
    ///
    /// # Errors
    /// [`ProfileError`] when the profile's counter is not known.
    pub fn new(profile: Arc<Profile>, tools: &[Value], schema: &Schema) -> Result<Self, ProfileError> {
        let ruler = profile.ruler()?;
        Ok(Self::with_ruler(profile, ruler, tools, schema))
    }

    /// The same with another counter of text: `seven`, which loads nothing, or the host's own (K-38).
    pub fn with_ruler(profile: Arc<Profile>, ruler: CachedCounter, tools: &[Value], schema: &Schema) -> Self {
        let tools = tool_declarations::tools(tools);
        let declared = match profile.tools {
            Declared::Typescript => tool_declarations::as_typescript(&tools),
            Declared::Json => tool_declarations::as_json(&tools),
        };
        let shown = match schema {
            Schema::None => None,
            Schema::Hidden => Some(String::new()),
            Schema::Shown(s) => Some(s.to_string()),
        };
        let frame = Features::of_frame(&tools, &declared, shown.as_deref(), &ruler);
        let mut counter = MessageCounter {
            weights: profile.weights.clone(),
            frame,
            frame_bytes: declared.len().saturating_add(shown.map_or(0, |s| s.len())) as u64,
            with_tools: !tools.is_empty(),
            hidden_schema: *schema == Schema::Hidden,
            hidden_tools: tools.iter().any(|t| t.parameters.is_none()),
            id: 0,
            profile,
            ruler,
        };
        counter.id = counter.digest();
        counter
    }

    /// The same with the weights that a calibration learned.
    #[must_use]
    pub(super) fn with_weights(mut self, weights: &Features) -> Self {
        self.weights = weights.clone();
        self.id = self.digest();
        self
    }

    /// A key of what counts of messages depend on: two counters with one id return the same for every message (K-32).
    fn digest(&self) -> u64 {
        let mut hash = Sha256::new();
        hash.update(self.ruler.id());
        hash.update([0, u8::from(self.with_tools)]);
        for f in Feature::ALL {
            hash.update(self.weights.get(*f).to_bits().to_le_bytes());
        }
        let bytes: [u8; 32] = hash.finalize().into();
        bytes.iter().take(8).fold(0, |n, b| n << 8 | u64::from(*b))
    }

    /// Its id, for [`crate::conversation::Entry::tokens`].
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The profile it counts with.
    pub fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    /// Its counter of text.
    pub fn ruler(&self) -> &CachedCounter {
        &self.ruler
    }

    /// The overhead besides the messages: hidden prompts, tools, schema.
    pub fn frame(&self) -> u64 {
        whole(self.frame.dot(&self.weights))
    }

    /// A message with its framing.
    pub fn message(&self, message: &Message) -> u64 {
        let n = whole(Features::of_message(message, self.with_tools, &self.ruler).dot(&self.weights));
        if message.content.is_empty() { n } else { n.max(1) }
    }

    /// The features of a message under this counter.
    pub fn features(&self, message: &Message) -> Features {
        Features::of_message(message, self.with_tools, &self.ruler)
    }

    /// The features of the overhead.
    pub fn frame_features(&self) -> &Features {
        &self.frame
    }

    /// Whether parts of these messages cannot be counted: signed reasoning, signatures of calls, tools of the provider.
    pub fn is_opaque(&self, message: &Message) -> bool {
        message.content.iter().any(|b| match b {
            // Reasoning is either encrypted, or sent in the form a model wants, or left out by the server: its tokens
            // are unknown.
            Block::Reasoning { .. } => true,
            Block::ToolUse { .. } => self.profile.sealed_calls,
            // No provider accepts a blank text: it stands for something that the record does not show.
            Block::Text { text, .. } => text.trim().is_empty(),
            Block::ToolResult { .. } => false,
        })
    }

    /// Tokens of a request with these messages. `opaque` says that they have parts which are not shown.
    pub fn estimate<'a>(&self, messages: impl IntoIterator<Item = &'a Message>, opaque: bool) -> Estimate {
        let mut sum = self.frame();
        let mut opaque = opaque || self.hidden_tools;
        let mut last = None;
        for m in messages {
            sum = sum.saturating_add(self.message(m));
            opaque |= self.is_opaque(m);
            last = Some(m.role);
        }
        if last == Some(Role::Assistant) {
            sum = sum.saturating_add(whole(self.weights.get(Feature::Closing)));
        }
        self.labelled(sum, opaque, Source::Profile(self.profile.id.clone()))
    }

    /// A sum with its bounds.
    pub(super) fn labelled(&self, tokens: u64, opaque: bool, source: Source) -> Estimate {
        let e = &self.profile.error;
        let n = tokens as f64;
        let schema = if self.hidden_schema { e.schema } else { 0.0 };
        let opaque = if opaque { e.opaque } else { 0.0 };
        // Signed reasoning counts in full, in part, or not at all: a little lower, much higher.
        let below = if opaque > 0.0 { e.below.max(0.45) } else { e.below };
        Estimate {
            tokens,
            low: whole(n - n * below - e.tokens - schema),
            high: (n + n * e.above + e.tokens + schema + opaque).max(n).ceil() as u64,
            source,
        }
    }

    /// The same counter with its margin in every number: a view within a budget under it exceeds that budget at the
    /// provider as seldom as `high` is exceeded (K-14, K-16).
    #[must_use]
    pub fn with_margin(&self) -> Self {
        let mut out = self.clone();
        let e = &self.profile.error;
        let mut weights = Features::default();
        for f in Feature::ALL {
            // A negative weight (system_tools) is used as it is: more of it would reduce the margin.
            let w = self.weights.get(*f);
            weights = weights.with(*f, if w > 0.0 { w * (1.0 + e.above) } else { w });
        }
        let hidden = if self.hidden_schema { e.schema } else { 0.0 };
        let request = weights.get(Feature::Request) + e.tokens + hidden;
        out.weights = weights.with(Feature::Request, request);
        out.id = out.digest();
        out
    }

    /// An upper bound for any vocabulary of bytes: a byte a token, and twice the framing. Within the budget by bytes, a
    /// request certainly is. Not for requests with parts that are not shown.
    pub fn bound<'a>(&self, messages: impl IntoIterator<Item = &'a Message>) -> Estimate {
        let mut bytes = self.frame_bytes;
        let mut framing = without_text(&self.frame);
        for m in messages {
            bytes = bytes.saturating_add(bytes_of(m));
            framing.sum(&without_text(&self.features(m)));
        }
        let framing = 2.0 * framing.dot(&self.profile.weights).max(0.0);
        let most = bytes.saturating_add(framing.ceil() as u64);
        Estimate { tokens: most, low: 0, high: most, source: Source::Bytes }
    }
}

impl TokenCounter for MessageCounter {
    fn id(&self) -> u64 {
        MessageCounter::id(self)
    }
    fn message(&self, message: &Message) -> u64 {
        MessageCounter::message(self, message)
    }
    fn overhead(&self) -> u64 {
        self.frame()
    }
}

fn whole(n: f64) -> u64 {
    // Negative and not-a-number become 0.
    n.round() as u64
}

/// The features that count things instead of text.
fn without_text(f: &Features) -> Features {
    let mut out = f.clone();
    for text in [Feature::Declared, Feature::SchemaText, Feature::Thinking] {
        out = out.with(text, 0.0);
    }
    for class in super::Class::ALL {
        out = out.with(Feature::of(class), 0.0);
    }
    out
}

fn bytes_of(m: &Message) -> u64 {
    let bytes = m.content.iter().map(|b| match b {
        Block::Text { text, .. } => text.len(),
        Block::Reasoning { text, signature } => {
            text.len().saturating_add(signature.as_ref().map_or(0, |s| s.data.len()))
        }
        Block::ToolUse { id, name, input } => {
            id.len().saturating_add(name.len()).saturating_add(input.to_string().len())
        }
        Block::ToolResult { id, content, .. } => id.len().saturating_add(content.len()),
    });
    bytes.map(|n| n as u64).sum()
}

impl Request {
    /// Counts as the provider of this model would: `PROVIDER/NAME`, or a name of OpenAI's alone.
    ///
    /// # Errors
    /// In words.
    pub fn of_model(model: &str) -> Result<MessageCounter, String> {
        let (provider, name) = model.split_once('/').unwrap_or(("openai", model));
        let request = serde_json::json!({ "provider": provider, "model": name, "messages": [] });
        let request = serde_json::from_value::<Request>(request).map_err(|e| e.to_string());
        let counter = request.and_then(|r| r.counter(Profiles::built_in()).map_err(|e| e.to_string()));
        counter.map_err(|e| format!("model {model:?}: {e}; pass PROVIDER/NAME"))
    }

    /// The counter for it.
    ///
    /// # Errors
    /// [`ProfileError`] when the profile's counter is not known.
    pub fn counter(&self, profiles: &Profiles) -> Result<MessageCounter, ProfileError> {
        MessageCounter::new(profiles.find(&self.provider, self.api, &self.model), &self.tools, &self.schema)
    }

    /// Its tokens under the profiles that come with this crate.
    pub fn count(&self) -> Estimate {
        let profile = Profiles::built_in().find(&self.provider, self.api, &self.model);
        // Profiles are checked when read, so the ruler is there.
        let ruler = profile.ruler().unwrap_or_else(|_| CachedCounter::new(super::counter::Seven));
        MessageCounter::with_ruler(profile, ruler, &self.tools, &self.schema).estimate(&self.messages, self.opaque)
    }
}
