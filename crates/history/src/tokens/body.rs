//! Counting a provider's request body: which provider's it is, and what of it is counted.

use super::{Api, Request, Schema};
use crate::conversation::message::{Block, Role};
use crate::wire::{self, Format, ImportError};
use serde_json::Value;

/// Why a body cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// Not in the format of a provider.
    #[error("this is the request body of no provider: it has no messages, input or contents")]
    Unknown,
    /// Bodies of Gemini and Bedrock do not contain the model: it is in the address.
    #[error(
        "the body (format {0}) does not say which model it is for; add \"model\", and \"provider\" where it is another's"
    )]
    NoModel(Format),
    /// It contains something that a conversation cannot express.
    #[error(transparent)]
    Import(#[from] ImportError),
}

/// Where the formats keep the schema of the answer.
const SCHEMAS: [&str; 6] = [
    "/response_format/json_schema/schema",
    "/text/format/schema",
    "/generationConfig/responseSchema",
    "/generationConfig/responseJsonSchema",
    "/output_format/schema",
    "/output_config/format/schema",
];

/// Fields that only bodies of providers have; reading them as [`Request`] would not count them.
const FOREIGN: [&str; 7] =
    ["contents", "input", "system", "systemInstruction", "system_instruction", "instructions", "toolConfig"];

impl Request {
    /// Whether this JSON can only be a provider's body, not a serialized `Request`.
    pub fn is_body(value: &Value) -> bool {
        let called = |m: &Value| {
            let old = m.get("role").and_then(Value::as_str) == Some("function");
            old || ["tool_calls", "tool_call_id", "function_call", "type", "parts"].iter().any(|k| m.get(k).is_some())
        };
        let messages = value.get("messages").and_then(Value::as_array);
        FOREIGN.iter().any(|k| value.get(k).is_some()) || messages.is_some_and(|all| all.iter().any(called))
    }

    /// Reads the request body of OpenAI (chat, Responses), Anthropic, Gemini or Bedrock. `"model"` and `"provider"` may
    /// be given beside it; without a provider the format decides, and for a plain one the name of the model.
    ///
    /// ```
    /// use ptc_history::tokens::{Api, Request};
    ///
    /// let body = serde_json::json!({"model": "claude-sonnet-4-5", "system": "Be brief.", "max_tokens": 9,
    ///     "messages": [{"role": "user", "content": "Hello"}]});
    /// let request = Request::of_body(&body)?;
    /// assert_eq!((request.provider.as_str(), request.api, request.messages.len()), ("anthropic", Api::Anthropic, 2));
    /// # Ok::<(), ptc_history::tokens::BodyError>(())
    /// ```
    ///
    /// # Errors
    /// [`BodyError`]
    pub fn of_body(body: &Value) -> Result<Request, BodyError> {
        let format = Format::of(body).ok_or(BodyError::Unknown)?;
        let word = |key: &str| body.get(key).and_then(Value::as_str);
        let model = word("model").or_else(|| word("modelId")).ok_or(BodyError::NoModel(format))?;
        let read = wire::Request::import(format, body)?;
        let sealed = |b: &Block| matches!(b, Block::Reasoning { signature: Some(_), .. });
        Ok(Request {
            opaque: read.messages.iter().filter(|m| m.role == Role::Assistant).flat_map(|m| &m.content).any(sealed),
            messages: read.messages,
            ..Request::around(body, format, model)
        })
    }

    /// What a body in this format says beside its messages, for this model: the provider, the tools and the schema.
    pub fn around(body: &Value, format: Format, model: &str) -> Request {
        let word = |key: &str| body.get(key).and_then(Value::as_str);
        let (provider, api) = match format {
            // A body of plain text could be of either.
            Format::OpenAi if word("provider").is_none() && model.starts_with("claude") => {
                ("anthropic", Api::Anthropic)
            }
            Format::OpenAi if word("provider") == Some("anthropic") => ("anthropic", Api::Anthropic),
            Format::OpenAi => ("openai", Api::Chat),
            Format::Responses => ("openai", Api::Responses),
            Format::Anthropic => ("anthropic", Api::Anthropic),
            Format::Gemini => ("google", Api::Google),
            Format::Bedrock => ("bedrock", Api::Converse),
        };
        let tools = body.get("tools").or_else(|| body.pointer("/toolConfig/tools")).or_else(|| body.get("functions"));
        let tools = tools.and_then(Value::as_array);
        let schema = SCHEMAS.iter().find_map(|at| body.pointer(at)).filter(|s| s.is_object());
        Request {
            provider: word("provider").unwrap_or(provider).to_owned(),
            api,
            model: model.to_owned(),
            opaque: false,
            messages: Vec::new(),
            tools: tools.cloned().unwrap_or_default(),
            schema: schema.map_or(Schema::None, |s| Schema::Shown(s.clone())),
        }
    }
}
