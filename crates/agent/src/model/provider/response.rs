//! The response: the raw answer read into a reply, the same way streamed and whole.

use super::error::{Kind, Part, RequestError};
use super::gate::MAX_TOOL_CALLS;
use super::name::ModelName;
use crate::model::Reply;
use genai::chat::{ChatFrameSink, ContentPart, FrameCtx, RawFrameRef, StopReason, StreamEnd};
use ptc_history::wire::usage::Usage;
use ptc_history::wire::{Format, Request as Wire};
use ptc_history::{Block, Role};
use ptc_turns::trace::record::ModelUsage;
use serde_json::{Map, Value, json};
use std::sync::{Mutex, PoisonError};
use tokio::time::Instant;

/// Listens to a stream: the client tells text and calls; usage to the last token, and thoughts with their signatures in
/// their places, stand in the frames.
pub(super) struct StreamRecorder {
    format: Format,
    heard: Mutex<Heard>,
    last: Mutex<Instant>,
}

#[derive(Default)]
struct Heard {
    frames: u64,
    usage: Map<String, Value>,
    /// Output items of Responses, parts of Gemini.
    items: Vec<Value>,
}

impl StreamRecorder {
    pub(super) fn new(format: Format) -> Self {
        StreamRecorder { format, heard: Mutex::default(), last: Mutex::new(Instant::now()) }
    }

    /// When the last sign of life came: a piece of the answer, anything else of it, or a comment between.
    pub(super) fn last(&self) -> Instant {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether anything was said at all.
    pub(super) fn silent(&self) -> bool {
        self.lock().frames == 0
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, frame: &Value) {
        let mut heard = self.lock();
        let response = frame.get("response");
        let usages = match self.format {
            // The beginning of Anthropic's answers tells the input, their end the output.
            Format::Anthropic => [frame.pointer("/message/usage"), frame.get("usage")],
            Format::Responses => [response.and_then(|r| r.get("usage")), None],
            Format::Gemini => [frame.get("usageMetadata"), None],
            Format::OpenAi | Format::Bedrock => [frame.get("usage"), None],
        };
        for (key, value) in usages.into_iter().flatten().filter_map(Value::as_object).flatten() {
            if !value.is_null() {
                heard.usage.insert(key.clone(), value.clone());
            }
        }
        match self.format {
            Format::Responses if frame.get("type").and_then(Value::as_str) == Some("response.output_item.done") => {
                heard.items.extend(frame.get("item").cloned());
            }
            Format::Gemini => {
                let parts = frame.pointer("/candidates/0/content/parts").and_then(Value::as_array);
                heard.items.extend(parts.into_iter().flatten().cloned());
            }
            _ => {}
        }
    }
}

impl ChatFrameSink for StreamRecorder {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        // What stands between the events of a stream, or is none (a page in its place), comes as a frame without data.
        if !frame.data.is_empty() {
            let mut told = self.lock();
            told.frames = told.frames.saturating_add(1);
        }
        if let Some(frame) = frame.json() {
            self.hear(&frame);
        }
    }
}

/// A whole answer.
pub(super) fn whole(name: &ModelName, response: &genai::chat::ChatResponse) -> Result<Reply, RequestError> {
    let none = Value::Null;
    let body = response.captured_raw_body.as_ref().unwrap_or(&none);
    let format = name.provider.format();
    // Some gateways answer 200 with an error in it.
    if body.get("error").is_some_and(|e| !e.is_null()) {
        return Err(RequestError::in_body(body));
    }
    let said = match format {
        Format::OpenAi => body.pointer("/choices/0/message").map(|m| {
            let mut m = m.clone();
            if let Some(m) = m.as_object_mut() {
                m.insert("role".into(), json!("assistant"));
            }
            vec![m]
        }),
        Format::Responses => body.get("output").and_then(Value::as_array).cloned(),
        Format::Anthropic => body.get("content").and_then(Value::as_array).cloned(),
        Format::Gemini => body.pointer("/candidates/0/content/parts").and_then(Value::as_array).cloned(),
        Format::Bedrock => None,
    };
    let Some(items) = said else {
        if let Some(failure) = refusal(body) {
            return Err(failure);
        }
        return Err(RequestError::new(Kind::Malformed("it holds no message of a model".into())));
    };
    let mut blocks = blocks(format, &items);
    // Plain thoughts that chat completions know under several names.
    let thought = response.reasoning_content.as_deref().filter(|t| !t.trim().is_empty());
    if let (Format::OpenAi, Some(text)) = (format, thought) {
        blocks.insert(0, Block::Reasoning { text: text.to_owned(), signature: None });
    }
    finished(name, blocks, response.stop_reason.as_ref(), Usage::read(format, body).ok())
}

/// A streamed answer that has ended as it should; `text` is all that was told.
pub(super) fn streamed(
    name: &ModelName,
    text: String,
    end: StreamEnd,
    tap: &StreamRecorder,
) -> Result<Reply, RequestError> {
    let format = name.provider.format();
    let heard = std::mem::take(&mut *tap.lock());
    let mut out = match format {
        Format::Responses | Format::Gemini => blocks(format, &heard.items),
        _ => Vec::new(),
    };
    // Some servers leave out the items, and the other forms have none.
    if !out.iter().any(|b| !matches!(b, Block::Text { .. })) {
        let parts = end.captured_content.map(|c| c.into_parts()).unwrap_or_default();
        out = of_parts(parts, end.captured_reasoning_content, format);
    }
    out.retain(|b| !matches!(b, Block::Text { .. }));
    if !text.is_empty() {
        let at = out.iter().position(|b| !matches!(b, Block::Reasoning { .. })).unwrap_or(out.len());
        out.insert(at, Block::text(text));
    }
    let usage = Usage::read(format, &Value::Object(heard.usage)).ok();
    finished(name, out, end.captured_stop_reason.as_ref(), usage)
}

/// The blocks of what the model said, read as requests are read: so that they go back as they came. What history does
/// not hold (searches that the provider ran) is left out.
fn blocks(format: Format, items: &[Value]) -> Vec<Block> {
    let wrapped = |items: Vec<Value>| match format {
        Format::OpenAi | Format::Bedrock => json!({ "messages": items }),
        Format::Responses => json!({ "input": items }),
        Format::Anthropic => json!({ "messages": [{ "role": "assistant", "content": items }] }),
        Format::Gemini => json!({ "contents": [{ "role": "model", "parts": items }] }),
    };
    let read = |items: Vec<Value>| Wire::import(format, &wrapped(items));
    // All at once where that can be: ids are made up by place.
    let read = read(items.to_vec()).map(|i| i.messages).unwrap_or_else(|_| {
        items.iter().filter_map(|item| read(vec![item.clone()]).ok()).flat_map(|i| i.messages).collect()
    });
    read.into_iter().filter(|m| m.role == Role::Assistant).flat_map(|m| m.content).collect()
}

/// The blocks of what the client gathered from a stream.
fn of_parts(parts: Vec<ContentPart>, thought: Option<String>, format: Format) -> Vec<Block> {
    let provider = format.signature_owner().unwrap_or_default();
    let seal = |kind: &str, data: String| {
        let seal = ptc_history::conversation::message::Signature {
            provider: provider.to_owned(),
            model: None,
            kind: kind.into(),
            data,
        };
        Some(Box::new(seal))
    };
    let mut out = Vec::new();
    let mut signature: Option<String> = None;
    for part in parts {
        match part {
            ContentPart::ThoughtSignature(s) => {
                out.extend(
                    signature
                        .replace(s)
                        .map(|s| Block::Reasoning { text: String::new(), signature: seal("signature", s) }),
                );
            }
            ContentPart::ReasoningContent(text) => {
                let seal = signature.take().and_then(|s| seal("signature", s));
                out.push(Block::Reasoning { text, signature: seal });
            }
            other => {
                out.extend(
                    signature.take().map(|s| Block::Reasoning { text: String::new(), signature: seal("signature", s) }),
                );
                match other {
                    ContentPart::Text(text) => out.push(Block::text(text)),
                    ContentPart::ToolCall(c) => {
                        let input = if c.fn_arguments.is_null() { json!({}) } else { c.fn_arguments };
                        out.push(Block::tool_use(c.call_id, c.fn_name, input));
                    }
                    ContentPart::Custom(c)
                        if c.data.get("type").and_then(Value::as_str) == Some("redacted_thinking") =>
                    {
                        let data = c.data.get("data").and_then(Value::as_str).unwrap_or_default();
                        out.push(Block::Reasoning {
                            text: String::new(),
                            signature: seal("redacted", data.to_owned()),
                        });
                    }
                    _ => {}
                }
            }
        }
    }
    let thought = thought.filter(|t| !t.trim().is_empty());
    if let (Some(text), false) = (thought, out.iter().any(|b| matches!(b, Block::Reasoning { .. }))) {
        out.insert(0, Block::Reasoning { text, signature: None });
    }
    out
}

/// The reply, unless nothing was said.
fn finished(
    name: &ModelName,
    blocks: Vec<Block>,
    stop: Option<&StopReason>,
    usage: Option<Usage>,
) -> Result<Reply, RequestError> {
    if blocks.len() as u64 > MAX_TOOL_CALLS {
        return Err(RequestError::new(Kind::TooLarge { what: Part::Blocks, most: MAX_TOOL_CALLS }));
    }
    let cut = stop.is_some_and(StopReason::is_max_tokens);
    let mut reply = Reply { cut, usage: usage.map(|u| told(name, &u)), ..Reply::default() };
    for block in blocks {
        match block {
            Block::Text { text, .. } => reply.text.push_str(&text),
            Block::Reasoning { text, signature: seal } => {
                let model = Some(name.model.clone());
                let seal = seal.map(|s| Box::new(ptc_history::conversation::message::Signature { model, ..*s }));
                reply.blocks.push(Block::Reasoning { text, signature: seal });
            }
            other => reply.blocks.push(other),
        }
    }
    let calls = reply.blocks.iter().any(|b| matches!(b, Block::ToolUse { .. }));
    if reply.text.trim().is_empty() && !calls {
        let why = match stop {
            Some(StopReason::ContentFilter(s)) => format!("the provider's filter: {s}"),
            Some(s) => format!("it ended with {}", s.raw()),
            None => "it names no reason".to_owned(),
        };
        return Err(RequestError::new(Kind::Empty { why, cut }));
    }
    Ok(reply)
}

fn told(name: &ModelName, usage: &Usage) -> ModelUsage {
    ModelUsage {
        provider: name.provider.name().to_owned(),
        model: name.model.clone(),
        input_tokens: Some(usage.input),
        output_tokens: Some(usage.output),
        cached_tokens: Some(usage.cached),
        cache_write_tokens: Some(usage.cache_write).filter(|n| *n > 0),
        model_ms: None,
        retries: None,
    }
}

/// An answer that succeeds as HTTP and is an error all the same; or one that was blocked.
fn refusal(body: &Value) -> Option<RequestError> {
    let why = |w: &str| RequestError::new(Kind::Empty { why: format!("the provider's filter: {w}"), cut: false });
    if let Some(reason) = body.pointer("/promptFeedback/blockReason").and_then(Value::as_str) {
        return Some(why(reason));
    }
    // Gemini gives a candidate without parts when all of the answer was thought, or filtered.
    let reason = body.pointer("/candidates/0/finishReason")?.as_str()?;
    let stop = StopReason::from(reason.to_owned());
    Some(match stop {
        StopReason::ContentFilter(s) => why(&s),
        other => {
            RequestError::new(Kind::Empty { why: format!("it ended with {}", other.raw()), cut: other.is_max_tokens() })
        }
    })
}
