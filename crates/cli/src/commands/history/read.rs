//! Recorded conversations: our form, the request body of a provider, or its messages alone; a line each, the whole file,
//! or a message a line; traces.

use crate::terminal::io::Io;
use crate::traces::{DEFAULT_MODEL, recorded_model, split_model};
use ptc_agent::error_text;
use ptc_agent::{Error, ErrorKind};
use ptc_history::tokens::{Api, MessageCounter, Profiles};
use ptc_history::wire::Request;
use ptc_history::{Conversation, Format, tokens};
use serde_json::{Value, json};
use std::path::Path;

/// A conversation with its name.
pub struct RecordedConversation {
    /// Its `id`, or the number of its line.
    pub id: String,
    /// What was said.
    pub conversation: Conversation,
    /// What its requests hold beside the messages, and for which model.
    request: tokens::Request,
}

impl RecordedConversation {
    fn new(id: String, conversation: Conversation, body: &Value, format: Option<Format>) -> Self {
        let word = |key: &str| body.get(key).and_then(Value::as_str);
        let named = word("model").or_else(|| word("modelId"));
        let format = format.unwrap_or(Format::OpenAi);
        let mut request = tokens::Request::around(body, format, named.unwrap_or_default());
        // Recordings, and routers, write the provider before the model.
        let whole = named.filter(|m| format == Format::OpenAi && m.contains('/') && word("provider").is_none());
        if let Some(model) = whole.or(named.is_none().then_some(DEFAULT_MODEL)) {
            set_model(&mut request, model);
        }
        RecordedConversation { id, conversation, request }
    }

    /// Its model as `--model` takes it.
    pub fn model(&self) -> String {
        format!("{}/{}", self.request.provider, self.request.model)
    }

    /// Counts as this model's provider would, or as the one that was recorded.
    ///
    /// # Errors
    /// When the model's profile names a counter that is not known.
    pub fn counter(&mut self, model: Option<&str>) -> Result<MessageCounter, Error> {
        if let Some(model) = model {
            set_model(&mut self.request, model);
        }
        let counter = self.request.counter(Profiles::built_in());
        counter.map_err(|e| Error::new(ErrorKind::Usage, format!("model {}: {e}", self.model())))
    }
}

/// Makes it a request for this model, in the format that its provider usually has.
fn set_model(request: &mut tokens::Request, model: &str) {
    let (provider, name) = split_model(model);
    (request.provider, request.model) = (provider.to_owned(), name.to_owned());
    request.api = Api::of(provider, &request.tools, None);
}

/// The conversations of a file: of each line, a line that is none being a problem of its own; or of the whole of it, where
/// that is JSON over several lines, a message a line, or a trace, whose messages are those of full history.
fn file(path: &Path) -> Result<Vec<Result<RecordedConversation, Error>>, Error> {
    let text = ptc_agent::files::read_text(path)?;
    let usage = |words: String, at: &str| Error::new(ErrorKind::Usage, words).at(at);
    let place = |number: usize| format!("{}:{number}", path.display());
    let lines = || (1_usize..).zip(text.lines()).filter(|(_, l)| !l.trim().is_empty());
    let first = serde_json::from_str::<Value>(lines().next().map_or("", |l| l.1));
    match &first {
        Ok(header) if header.get("ptc_trace").is_some() => {
            let trace = ptc_agent::trace_file::read(path)?.trace;
            let id = trace.header.task.clone().unwrap_or_else(|| "1".to_owned());
            let messages = ptc_turns::messages(&trace, &ptc_turns::Policy::full(), None);
            let about = json!({ "model": recorded_model(&trace) });
            return Ok(vec![Ok(RecordedConversation::new(id, Conversation::recorded(messages), &about, None))]);
        }
        Ok(message) if is_message(message) => {
            let messages = lines().map(|(number, line)| {
                serde_json::from_str(line).map_err(|e| usage(format!("no JSON: {e}"), &place(number)))
            });
            let messages = Value::Array(messages.collect::<Result<_, _>>()?);
            return Ok(vec![one(messages, 1).map_err(|e| usage(e, &path.display().to_string()))]);
        }
        Err(_) if let Ok(whole) = serde_json::from_str::<Value>(&text) => {
            let all = several(whole).into_iter().zip(1..);
            return Ok(all.map(|(v, i)| one(v, i).map_err(|e| usage(e, &path.display().to_string()))).collect());
        }
        _ => {}
    }
    let all = lines().flat_map(|(number, line)| {
        let read = serde_json::from_str::<Value>(line).map_err(|e| format!("no JSON: {e}"));
        let values = read.map_or_else(|e| vec![Err(e)], |v| several(v).into_iter().map(Ok).collect());
        let one = move |v: Result<Value, String>| v.and_then(|v| one(v, number)).map_err(|e| usage(e, &place(number)));
        values.into_iter().map(one).collect::<Vec<_>>()
    });
    Ok(all.collect())
}

/// Whether it is a message, or an item of Responses, rather than a conversation.
fn is_message(v: &Value) -> bool {
    let lists = ["messages", "input", "contents"].iter().any(|k| v.get(k).is_some_and(Value::is_array));
    v.get("role").is_some() || (v.get("type").is_some() && !lists)
}

/// The conversations of a list of such; anything else is one.
fn several(value: Value) -> Vec<Value> {
    let is_conversation = |v: &Value| v.is_array() || (v.is_object() && !is_message(v));
    match value {
        Value::Array(all) if !all.is_empty() && all.iter().all(is_conversation) => all,
        one => vec![one],
    }
}

/// How many problems of a file are reported one by one.
pub const MAX_WARNINGS: usize = 3;

/// Those that can be read; the others are reported, the first of them one by one, and left out.
///
/// # Errors
/// When none can be read: then the file is something else.
pub fn readable(path: &Path, io: &mut Io<'_>) -> Result<Vec<RecordedConversation>, Error> {
    let mut wrong = Vec::new();
    let mut out = Vec::new();
    for r in file(path)? {
        match r {
            Ok(r) => out.push(r),
            Err(p) => wrong.push(p),
        }
    }
    if let (true, Some(first)) = (out.is_empty(), wrong.first()) {
        return Err(Error::new(
            ErrorKind::Usage,
            error_text!("{}", first.text(); "no conversation in this file can be read"),
        ));
    }
    wrong.iter().take(MAX_WARNINGS).for_each(|p| io.warn(&p.text()));
    if wrong.len() > MAX_WARNINGS {
        io.warn(&format!("{}: {} more lines cannot be read", path.display(), wrong.len().saturating_sub(MAX_WARNINGS)));
    }
    Ok(out)
}

fn one(value: Value, number: usize) -> Result<RecordedConversation, String> {
    let value = if value.is_array() { json!({ "messages": value }) } else { value };
    let id = match value.get("id") {
        Some(Value::String(s)) => s.clone(),
        Some(other) => other.to_string(),
        None => number.to_string(),
    };
    let ours = Conversation::is_ours(&value);
    // Our own form where it can be: a provider's body has fields of its own, which must not be passed over.
    let body = tokens::Request::is_body(&value) && !ours;
    let own = if body { None } else { Some(Conversation::from_json(&value).map_err(|e| e.to_string())) };
    let recorded = |read: ptc_history::wire::Import| Conversation::recorded(read.messages);
    let (conversation, format) = match (own, Format::of(&value)) {
        (Some(Ok(c)), _) => (c, None),
        (Some(Err(e)), Some(format)) if !ours => {
            // It may be either: where it is neither, each reader says why.
            let read =
                Request::import(format, &value).map_err(|other| format!("{e}; as a body of {format}: {other}"))?;
            (recorded(read), Some(format))
        }
        (Some(Err(e)), _) => return Err(e),
        (None, Some(format)) => (recorded(Request::import(format, &value).map_err(|e| e.to_string())?), Some(format)),
        (None, None) => {
            return Err("no conversation: expected {\"messages\": [...]} or an array of messages".to_owned());
        }
    };
    Ok(RecordedConversation::new(id, conversation, &value, format))
}
