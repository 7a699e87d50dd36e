//! generateContent of Gemini, from a request body to a conversation.

use crate::conversation::message::{Block, Message, Role};
use crate::wire::decode::{
    self, Import, ImportError, conversation, elements, kind, list, object, push_user, shape, string,
};
use crate::wire::tool::Tool;
use serde_json::{Value, json};
pub(crate) fn import(body: &Value) -> Result<Import, ImportError> {
    let fields = object(body)?;
    let mut messages: Vec<Message> = Vec::new();
    let system = fields.get("systemInstruction").or_else(|| fields.get("system_instruction"));
    if let Some(parts) = system.and_then(|s| s.get("parts")).and_then(Value::as_array) {
        for (i, p) in parts.iter().enumerate() {
            messages.push(Message::system(string(p, "text", &format!("systemInstruction.parts[{i}]"))?));
        }
    }
    let mut ids = Ids::default();
    for (i, c) in conversation(body, "contents")?.iter().enumerate() {
        let at = format!("contents[{i}]");
        let mut blocks = Vec::new();
        for (j, p) in list(c, "parts", &format!("{at}."))?.iter().enumerate() {
            read(&mut blocks, p, &format!("{at}.parts[{j}]"), &mut ids)?;
        }
        match c.get("role").and_then(Value::as_str) {
            Some("model") => messages.push(Message::of(Role::Assistant, blocks)),
            Some("user" | "function") | None => push_user(&mut messages, blocks),
            Some(other) => return Err(kind(format!("{at}.role"), other)),
        }
    }
    let declarations = |t: &Value| t.get("functionDeclarations").is_some_and(Value::is_array);
    let (functions, others): (Vec<&Value>, Vec<&Value>) =
        elements(fields.get("tools")).iter().partition(|t| declarations(t));
    let others: Vec<Value> = others.into_iter().cloned().collect();
    let known = ["systemInstruction", "system_instruction", "contents", "messages", "tools"];
    let mut out = decode::import(fields, &known, messages, &others, |_| None);
    for function in functions.into_iter().flat_map(|t| elements(t.get("functionDeclarations"))) {
        let json_schema = function.get("parametersJsonSchema").is_some();
        out.tools.extend(Tool::from_wire(function, if json_schema { "parametersJsonSchema" } else { "parameters" }));
    }
    Ok(out)
}

/// Calls without ids are paired by name and order (part B, row "ids"): they get ids by their place.
#[derive(Default)]
struct Ids {
    calls: usize,
    open: Vec<(String, String)>,
}

impl Ids {
    fn call(&mut self, given: Option<&str>, name: &str) -> String {
        let id = given.map_or_else(|| format!("call_{}", self.calls), str::to_owned);
        self.calls = self.calls.saturating_add(1);
        self.open.push((id.clone(), name.to_owned()));
        id
    }

    fn result(&mut self, given: Option<&str>, name: &str) -> String {
        let found = match given {
            Some(id) => self.open.iter().position(|(i, _)| i == id),
            None => self.open.iter().position(|(_, n)| n == name),
        };
        match (given, found) {
            (_, Some(i)) => self.open.remove(i).0,
            (Some(id), None) => id.to_owned(),
            (None, None) => format!("orphan_{name}"),
        }
    }
}

fn read(out: &mut Vec<Block>, p: &Value, at: &str, ids: &mut Ids) -> Result<(), ImportError> {
    let data = p.get("thoughtSignature").or_else(|| p.get("thought_signature")).and_then(Value::as_str);
    let reasoning = |text: &str| Block::reasoning(text, "gemini", "signature", data);
    let thought = p.get("thought").and_then(Value::as_bool) == Some(true);
    if let Some(text) = p.get("text").and_then(Value::as_str) {
        if thought {
            out.push(reasoning(text));
            return Ok(());
        }
        out.extend(data.map(|_| reasoning("")));
        if data.is_none() || !text.is_empty() {
            out.push(Block::text(text));
        }
        return Ok(());
    }
    out.extend(data.map(|_| reasoning("")));
    if let Some(call) = p.get("functionCall") {
        let name = string(call, "name", at)?;
        let id = ids.call(call.get("id").and_then(Value::as_str), name);
        out.push(Block::tool_use(id, name, call.get("args").cloned().unwrap_or_else(|| json!({}))));
    } else if let Some(result) = p.get("functionResponse") {
        let name = string(result, "name", at)?;
        let id = ids.result(result.get("id").and_then(Value::as_str), name);
        let response = result.get("response").ok_or_else(|| shape(format!("{at}.response"), "an object"))?;
        let (content, is_error) = match worded(response) {
            Some((words, error)) => (words.to_owned(), error),
            None => (response.to_string(), false),
        };
        out.push(Block::ToolResult { id, content, is_error: Some(is_error), ms: None });
    } else {
        let key = p.as_object().and_then(|o| o.keys().find(|k| !k.starts_with("thought")));
        return Err(kind(at, key.map_or("?", String::as_str)));
    }
    Ok(())
}

/// The text of an answer in the form `{"output": text}` or `{"error": text}`, and whether it is an error.
pub(super) fn worded(v: &Value) -> Option<(&str, bool)> {
    let object = v.as_object().filter(|o| o.len() == 1)?;
    let (key, words) = object.iter().next()?;
    match key.as_str() {
        "output" => words.as_str().map(|w| (w, false)),
        "error" => words.as_str().map(|w| (w, true)),
        _ => None,
    }
}
