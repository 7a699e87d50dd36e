//! A request whose tokens are to be counted.

use crate::conversation::message::{Message, Role};
use crate::wire::format::Format;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A wire format: it decides the overhead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// OpenAI chat completions, and compatible servers.
    Chat,
    /// OpenAI Responses.
    Responses,
    /// Anthropic Messages.
    Anthropic,
    /// Gemini generateContent.
    #[serde(alias = "gemini")]
    Google,
    /// Bedrock Converse.
    #[serde(alias = "bedrock")]
    Converse,
}

impl From<Api> for Format {
    fn from(api: Api) -> Self {
        match api {
            Api::Chat => Format::OpenAi,
            Api::Responses => Format::Responses,
            Api::Anthropic => Format::Anthropic,
            Api::Google => Format::Gemini,
            Api::Converse => Format::Bedrock,
        }
    }
}

impl Api {
    /// The likely format of a request that does not say: tools are declared flat for Responses (`{"type": "function",
    /// "name": ...}`), and only there the last message can be the assistant's (part B, last). Otherwise the provider's
    /// usual format.
    pub fn of(provider: &str, tools: &[Value], last: Option<Role>) -> Api {
        let flat = |t: &Value| t.get("type").and_then(Value::as_str) == Some("function") && t.get("name").is_some();
        match provider {
            "anthropic" => Api::Anthropic,
            "google" | "gemini" | "vertex" => Api::Google,
            _ if tools.iter().any(flat) => Api::Responses,
            "bedrock" => Api::Converse,
            "openai" | "azure-openai" if last == Some(Role::Assistant) => Api::Responses,
            _ => Api::Chat,
        }
    }
}

/// The schema of the answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Schema {
    /// Nothing.
    #[default]
    None,
    /// A schema that is not shown: its size is not known.
    Hidden,
    /// This one.
    Shown(Value),
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Ok(match Value::deserialize(d)? {
            Value::Null | Value::Bool(false) => Schema::None,
            Value::Bool(true) => Schema::Hidden,
            shown @ Value::Object(_) => Schema::Shown(shown),
            other => {
                let words = format!("schema must be a JSON schema, true (there is one) or false, got {other}");
                return Err(serde::de::Error::custom(words));
            }
        })
    }
}

/// A request: model, messages, and overhead.
///
/// ```
/// use ptc_history::tokens::{Request, Source};
///
/// let request: Request = serde_json::from_str(
///     r#"{"provider": "openai", "model": "gpt-4o", "messages": [{"role": "user", "content": "Hello"}]}"#,
/// )?;
/// let estimate = request.count();
/// assert_eq!(estimate.tokens, 8); // "Hello" is one, 4 around it, 3 before the answer
/// assert_eq!(estimate.source, Source::Profile("openai-chat".into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "RecordedRequest")]
pub struct Request {
    /// The provider: `openai`, `anthropic`, `google`, `bedrock`, or any other name.
    pub provider: String,
    /// The wire format.
    pub api: Api,
    /// The model, as the provider names it.
    pub model: String,
    /// What is said.
    pub messages: Vec<Message>,
    /// Declarations of tools, in the form of any provider.
    pub tools: Vec<Value>,
    /// The schema of the answer.
    pub schema: Schema,
    /// Whether the messages have parts that are not shown here: images, files, encrypted reasoning.
    pub opaque: bool,
}

#[derive(Deserialize)]
struct RecordedRequest {
    provider: String,
    #[serde(default)]
    api: Option<Api>,
    model: String,
    messages: Vec<RecordedMessage>,
    #[serde(default)]
    tools: Option<Vec<Value>>,
    #[serde(default)]
    schema: Schema,
    #[serde(default)]
    opaque: bool,
}

#[derive(Deserialize)]
struct RecordedMessage {
    #[serde(flatten)]
    message: Message,
    #[serde(default)]
    opaque: bool,
}

impl From<RecordedRequest> for Request {
    fn from(r: RecordedRequest) -> Self {
        let opaque = r.opaque || r.messages.iter().any(|m| m.opaque);
        let tools = r.tools.unwrap_or_default();
        let last = r.messages.last().map(|m| m.message.role);
        Request {
            api: r.api.unwrap_or_else(|| Api::of(&r.provider, &tools, last)),
            provider: r.provider,
            model: r.model,
            messages: r.messages.into_iter().map(|m| m.message).collect(),
            tools,
            schema: r.schema,
            opaque,
        }
    }
}
