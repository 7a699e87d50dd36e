//! Chat completions of OpenAI, from a request body to a conversation.

use crate::conversation::message::{Block, Message, Role};
use crate::wire::decode::{Import, ImportError, arguments, kind, list, object, rest, shape, string, tools};
use crate::wire::tool::Tool;
use serde_json::Value;
pub(crate) fn import(body: &Value) -> Result<Import, ImportError> {
    let fields = object(body)?;
    let mut messages: Vec<Message> = Vec::new();
    // Calls of the format before `tool_calls` have no ids: each is answered by the next message of the role `function`.
    let mut open: Option<(String, String)> = None;
    for (i, m) in list(body, "messages", "")?.iter().enumerate() {
        let at = format!("messages[{i}]");
        match string(m, "role", &at)? {
            "system" | "developer" => messages.push(Message::of(Role::System, texts(m, &at)?)),
            "user" => messages.push(Message::of(Role::User, texts(m, &at)?)),
            "assistant" => {
                let mut blocks = assistant_blocks(m, &at)?;
                if let Some(call) = m.get("function_call").filter(|c| !c.is_null()) {
                    let at = format!("{at}.function_call");
                    let name = string(call, "name", &at)?;
                    let input = arguments(call.get("arguments").and_then(Value::as_str).unwrap_or_default());
                    let id = format!("function_call_{i}");
                    blocks.push(Block::tool_use(id.as_str(), name, input));
                    open = Some((id, name.to_owned()));
                }
                messages.push(Message::of(Role::Assistant, blocks));
            }
            "function" => {
                let name = string(m, "name", &at)?;
                let text = Message::of(Role::Tool, texts(m, &at)?).text().into_owned();
                let Some((id, _)) = open.take().filter(|(_, called)| called == name) else {
                    return Err(shape(at, "the result of the function_call before it, by its name"));
                };
                messages.push(Message::of(Role::Tool, vec![Block::tool_result(id, text)]));
            }
            "tool" => {
                let id = string(m, "tool_call_id", &at)?.to_owned();
                let text = Message::of(Role::Tool, texts(m, &at)?).text().into_owned();
                let result = Block::ToolResult { id, content: text, is_error: None, ms: None };
                match messages.last_mut() {
                    Some(last) if last.role == Role::Tool => last.content.push(result),
                    _ => messages.push(Message::of(Role::Tool, vec![result])),
                }
            }
            other => return Err(kind(format!("{at}.role"), other)),
        }
    }
    let (tools, others) = match fields.get("tools").and_then(Value::as_array) {
        Some(l) => tools(l, |t| t.get("function").and_then(|f| Tool::from_wire(f, "parameters"))),
        None => (Vec::new(), Vec::new()),
    };
    // Declarations of that format too, where there are no others.
    let functions = fields.get("functions").and_then(Value::as_array).filter(|_| !fields.contains_key("tools"));
    let declared: Option<Vec<Tool>> =
        functions.and_then(|l| l.iter().map(|f| Tool::from_wire(f, "parameters")).collect());
    let known: &[&str] = if declared.is_some() { &["messages", "tools", "functions"] } else { &["messages", "tools"] };
    let tools = declared.unwrap_or(tools);
    let mut rest = rest(fields, known);
    if !others.is_empty() {
        rest.insert("tools".into(), Value::Array(others));
    }
    Ok(Import { messages, tools, rest })
}

fn assistant_blocks(m: &Value, at: &str) -> Result<Vec<Block>, ImportError> {
    let mut out = texts(m, at)?;
    let calls = m.get("tool_calls").and_then(Value::as_array);
    for (j, call) in calls.map(Vec::as_slice).unwrap_or_default().iter().enumerate() {
        let at = format!("{at}.tool_calls[{j}]");
        let function = call.get("function").ok_or_else(|| shape(format!("{at}.function"), "an object"))?;
        let input = arguments(function.get("arguments").and_then(Value::as_str).unwrap_or_default());
        out.push(Block::tool_use(string(call, "id", &at)?, string(function, "name", &at)?, input));
    }
    Ok(out)
}

/// The content: a string, parts of text, or null.
fn texts(m: &Value, at: &str) -> Result<Vec<Block>, ImportError> {
    match m.get("content") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::String(s)) => Ok(vec![Block::text(s.as_str())]),
        Some(Value::Array(parts)) => parts
            .iter()
            .enumerate()
            .map(|(j, p)| {
                let at = format!("{at}.content[{j}]");
                match p.get("type").and_then(Value::as_str) {
                    Some("text") => Ok(Block::text(string(p, "text", &at)?)),
                    Some("refusal") => Ok(Block::text(string(p, "refusal", &at)?)),
                    Some(other) => Err(kind(at, other)),
                    None => Err(shape(at, "a part with a type")),
                }
            })
            .collect(),
        Some(_) => Err(shape(format!("{at}.content"), "a string or an array of parts")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Calls and results of the format before `tool_calls` were ignored silently.
    #[test]
    fn calls_of_the_form_before_tool_calls_are_calls() {
        let body = json!({"model": "gpt-4", "functions": [{"name": "find", "parameters": {"type": "object"}}], "messages": [
            {"role": "user", "content": "Find sheep, then goats."},
            {"role": "assistant", "content": null, "function_call": {"name": "find", "arguments": "{\"what\":\"sheep\"}"}},
            {"role": "function", "name": "find", "content": "3 sheep"},
            {"role": "assistant", "content": "Now goats.", "function_call": {"name": "find", "arguments": "{\"what\":\"goats\"}"}},
            {"role": "function", "name": "find", "content": "none"},
            {"role": "assistant", "content": "3 sheep, no goats.", "function_call": null},
        ]});
        let read = import(&body).unwrap();
        let call =
            |what: &str, i: usize| Block::tool_use(format!("function_call_{i}"), "find", json!({ "what": what }));
        let result = |text: &str, i: usize| {
            Message::of(Role::Tool, vec![Block::tool_result(format!("function_call_{i}"), text)])
        };
        assert_eq!(read.messages[1].content, [call("sheep", 1)]);
        assert_eq!(read.messages[3].content, [Block::text("Now goats."), call("goats", 3)]);
        let texts = |m: &Message| m.answers().map(str::to_owned).collect::<Vec<String>>();
        assert_eq!(texts(&read.messages[2]), texts(&result("3 sheep", 1)));
        assert_eq!(texts(&read.messages[4]), texts(&result("none", 3)));
        assert_eq!(read.messages[5].content, [Block::text("3 sheep, no goats.")]);
        assert_eq!((read.tools.len(), read.rest.keys().map(String::as_str).collect::<Vec<_>>()), (1, vec!["model"]));
        let groups = crate::conversation::groups::Groups::of(&read.messages);
        assert_eq!((groups.orphans(), groups.open().count()), (0, 0));
        assert!(crate::tokens::Request::is_body(&body));
    }

    #[test]
    fn a_result_that_answers_no_such_call_is_an_error_with_its_place() {
        for (messages, words) in [
            (
                json!([{"role": "function", "name": "f", "content": "x"}]),
                "messages[0]: expected the result of the function_call before it",
            ),
            (
                json!([
                    {"role": "assistant", "content": null, "function_call": {"name": "g", "arguments": "{}"}},
                    {"role": "function", "name": "f", "content": "x"},
                ]),
                "messages[1]: expected the result of the function_call before it, by its name",
            ),
            (
                json!([{"role": "assistant", "function_call": {"arguments": "{}"}}]),
                "messages[0].function_call.name: expected a string",
            ),
        ] {
            let error = import(&json!({ "messages": messages })).unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
