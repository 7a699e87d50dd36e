//! The request: the conversation in the provider's form, repaired, marked and checked by `ptc-history`; the rest by
//! the client.

use super::name::{ModelName, Provider};
use crate::error::Error;
use crate::error_text;
use crate::model::{Request, Settings};
use genai::chat::{ChatOptions, ChatRequest, JsonSpec};
use ptc_history::Message;
use ptc_history::repair::{Target, repair};
use ptc_history::wire::validate::validate;
use ptc_history::wire::{Cache, CacheBreakpoint, Format, Ttl};
use serde_json::{Map, Value, json};

/// What one request before this one was: what of it stands again tells where cache breakpoints pay.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PreviousRequest(Vec<Message>);

impl PreviousRequest {
    /// How many messages at the start are as they were; and whether all of them are.
    fn common(&self, messages: &[Message]) -> (usize, bool) {
        let n = self.0.iter().zip(messages).take_while(|(a, b)| a.role == b.role && a.content == b.content).count();
        (n, n == self.0.len())
    }

    /// Remembers a request.
    pub(super) fn remember(&mut self, messages: &[Message]) {
        self.0 = messages.to_vec();
    }

    /// Where a cached prefix may end: after what the last request held too, and after all of this one unless the last
    /// one was not continued: then a mark there would be paid for and not read.
    fn cache(&self, messages: &[Message]) -> Cache {
        let (common, extended) = self.common(messages);
        let mut boundaries = Vec::new();
        let mut mark = |len: usize| {
            if let Some(after) = len.checked_sub(1) {
                boundaries.push(CacheBreakpoint { after, ttl: Ttl::Short });
            }
        };
        mark(common);
        if extended {
            mark(messages.len());
        }
        Cache { head: Some(Ttl::Short), boundaries }
    }
}

/// The members of the body that are the conversation.
///
/// # Errors
/// When the provider would refuse it even after repair, as an empty one.
fn conversation(
    name: &ModelName,
    request: &Request<'_>,
    before: &PreviousRequest,
) -> Result<Map<String, Value>, Error> {
    if request.messages.is_empty() {
        return Err(Error::model(error_text!("{name}: nothing is asked"; "give a user message")));
    }
    let format = name.provider.format();
    let (common, extended) = before.common(request.messages);
    let target = Target { changed: (!extended).then_some(common), ..Target::request(format).model(&name.model) };
    let repaired = repair(request.messages, request.tools, &target);
    let cache = if !request.settings.caches() || !takes_marks(name) {
        Cache::default()
    } else {
        before.cache(request.messages)
    };
    let body = repaired.request().body(format, &cache.place(&repaired, format));
    if let Some(v) = validate(format, &body).first() {
        return Err(Error::model(error_text!("{name}: the request would be refused: {v}"; "ask with a user message")));
    }
    match body {
        Value::Object(members) => Ok(members),
        _ => Err(Error::model(format!("{name}: the request has no body"))),
    }
}

/// Whether breakpoints are written: OpenAI's models take them from 5.6 on and cache by themselves before; its other
/// servers refuse the field.
fn takes_marks(name: &ModelName) -> bool {
    match name.provider {
        Provider::Anthropic => true,
        Provider::OpenAi | Provider::OpenAiResponses => version(&name.model).is_some_and(|v| v >= (5, 6)),
        Provider::Gemini | Provider::Ollama | Provider::Compatible => false,
    }
}

/// The version in `gpt-5.6-mini`.
fn version(model: &str) -> Option<(u64, u64)> {
    let number = model.strip_prefix("gpt-")?.split('-').next()?;
    let (major, minor) = number.split_once('.').unwrap_or((number, "0"));
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// OpenAI's thinking models refuse `max_tokens` and know `max_completion_tokens`. `gpt-5-chat` is none of them.
fn thinks(name: &ModelName) -> bool {
    let openai = matches!(name.provider, Provider::OpenAi | Provider::OpenAiResponses);
    if name.model == "gpt-5-chat" || name.model.starts_with("gpt-5-chat-") {
        return false;
    }
    let named = ["o1", "o3", "o4"].iter().any(|o| name.model.starts_with(o));
    openai && (named || version(&name.model).is_some_and(|v| v >= (5, 0)))
}

/// The name that the client is given. It reads more out of names than we promise: `-high` at the end becomes a setting,
/// some names another cache mode. Only Anthropic's must be right, for the most tokens of an answer, which is a
/// member that must be there.
pub(super) fn client_name(name: &ModelName) -> String {
    match name.provider {
        Provider::Anthropic => {
            let (_, last) = name.model.rsplit_once('-').unwrap_or_default();
            let word = ["zero", "none", "low", "medium", "high", "xhigh", "max", "minimal"].contains(&last);
            if word { format!("{}-", name.model) } else { name.model.clone() }
        }
        _ => "model".to_owned(),
    }
}

/// The request for the client, and its options. All of the conversation is in the options: members that are merged into
/// the body last stand there as they are. What the client makes of messages by itself joins blocks, drops `is_error`
/// and marks whole messages only.
pub(super) fn build(
    name: &ModelName,
    request: &Request<'_>,
    before: &PreviousRequest,
) -> Result<(ChatRequest, ChatOptions), Error> {
    let Settings { max_tokens, temperature, extra, .. } = request.settings.clone();
    let mut options = ChatOptions::default()
        .with_capture_usage(true)
        .with_capture_content(true)
        .with_capture_tool_calls(true)
        .with_capture_raw_body(true);
    // On the wires where it asks for nothing: only what comes anyway is kept.
    if matches!(name.provider.format(), Format::OpenAi | Format::Anthropic) {
        options = options.with_capture_reasoning_content(true);
    }
    options.temperature = temperature;
    let mut members = conversation(name, request, before)?;
    if name.provider != Provider::Gemini {
        members.insert("model".into(), json!(name.model));
    }
    if let Some(most) = max_tokens {
        if thinks(name) && name.provider == Provider::OpenAi {
            members.insert("max_completion_tokens".into(), json!(most));
        } else {
            options.max_tokens = Some(u32::try_from(most).unwrap_or(u32::MAX));
        }
    }
    if takes_marks(name) && name.provider != Provider::Anthropic {
        members.insert("prompt_cache_options".into(), json!({ "mode": "explicit" }));
    }
    if name.provider == Provider::OpenAiResponses && thinks(name) {
        // Nothing is stored there; so what it thought has to come back with the next request.
        members.insert("include".into(), json!(["reasoning.encrypted_content"]));
    }
    if let Some(schema) = request.schema {
        options = options.with_response_format(JsonSpec::new("answer", schema.clone()));
    }
    for (key, value) in extra.unwrap_or_default() {
        let settings = &mut options;
        match (key.as_str(), value) {
            // The client writes some of its members itself, and what is merged last would replace all of them.
            ("generationConfig", Value::Object(mut own)) if name.provider == Provider::Gemini => {
                let mut fill = |key: &str, value: Option<Value>| {
                    if let (Some(v), false) = (value, own.contains_key(key)) {
                        own.insert(key.to_owned(), v);
                    }
                };
                fill("temperature", settings.temperature.map(Value::from));
                fill("maxOutputTokens", settings.max_tokens.map(Value::from));
                fill("responseMimeType", request.schema.map(|_| json!("application/json")));
                fill("responseJsonSchema", request.schema.cloned());
                members.insert(key, Value::Object(own));
            }
            (_, value) => {
                members.insert(key, value);
            }
        }
    }
    let options = options.with_extra_body(Value::Object(members));
    Ok((ChatRequest::from_user("-"), options))
}
