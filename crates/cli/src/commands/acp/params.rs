//! What requests are given: folders, ids of sessions, MCP servers, and prompts as text.

use super::rpc::Fault;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The text at this key.
///
/// # Errors
/// When it is not there.
pub fn text<'p>(params: &'p Value, key: &str) -> Result<&'p str, Fault> {
    params.get(key).and_then(Value::as_str).ok_or_else(|| Fault::params(format!("{key} must be a text")))
}

/// The folder that the editor works in.
///
/// # Errors
/// When it is not there, or not absolute.
pub fn folder(params: &Value) -> Result<PathBuf, Fault> {
    let path = Path::new(text(params, "cwd")?);
    if path.is_absolute() { Ok(path.to_owned()) } else { Err(Fault::params("cwd must be an absolute path")) }
}

/// The MCP servers of the editor, as keys of task.toml with their values.
///
/// # Errors
/// When one cannot be used.
pub fn servers(params: &Value) -> Result<Vec<String>, Fault> {
    let mut keys = Vec::new();
    for server in params.get("mcpServers").and_then(Value::as_array).into_iter().flatten() {
        let name: String =
            text(server, "name")?.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        match server.get("type").and_then(Value::as_str) {
            None | Some("stdio") => {
                let args = server.get("args").and_then(Value::as_array);
                let args = args.into_iter().flatten().filter_map(Value::as_str);
                let words: Vec<&str> = std::iter::once(text(server, "command")?).chain(args).collect();
                keys.push(format!("mcp.{name}.command={}", Value::from(words)));
                pairs(server, "env", &mut |key, value| keys.push(format!("mcp.{name}.env.{key}={value}")));
            }
            Some("http") => {
                keys.push(format!("mcp.{name}.url={}", as_it_stands(text(server, "url")?)));
                pairs(server, "headers", &mut |key, value| keys.push(format!("mcp.{name}.headers.{key}={value}")));
            }
            Some(_) => {
                return Err(Fault::params(format!("the MCP server {name} is reached in no way that is known here")));
            }
        }
    }
    Ok(keys)
}

/// Names with their values, quoted.
fn pairs(server: &Value, key: &str, add: &mut dyn FnMut(Value, Value)) {
    for pair in server.get(key).and_then(Value::as_array).into_iter().flatten() {
        let of = |key: &str| pair.get(key).and_then(Value::as_str);
        if let (Some(name), Some(value)) = (of("name"), of("value")) {
            add(name.into(), as_it_stands(value));
        }
    }
}

/// A text in which a task's file takes no variables.
fn as_it_stands(text: &str) -> Value {
    text.replace('$', "$$").into()
}

/// A prompt as text: what was typed, with files that it names, and with the text of those that stand in it.
///
/// # Errors
/// When a part is no text.
pub fn prompt(params: &Value) -> Result<String, Fault> {
    let parts = params.get("prompt").and_then(Value::as_array);
    let parts = parts.ok_or_else(|| Fault::params("prompt must be a list of content"))?;
    let mut out = String::new();
    for part in parts {
        match part.get("type").and_then(Value::as_str) {
            Some("text") => out.push_str(text(part, "text")?),
            Some("resource_link") => out.push_str(&format!("[{}]({})", text(part, "name")?, text(part, "uri")?)),
            Some("resource") => {
                let resource = part.get("resource").unwrap_or(&Value::Null);
                let words = text(resource, "text").map_err(|_| no_text())?;
                out.push_str(&format!("\n<file uri={}>\n{words}\n</file>\n", Value::from(text(resource, "uri")?)));
            }
            _ => return Err(no_text()),
        }
    }
    Ok(out.trim().to_owned())
}

fn no_text() -> Fault {
    Fault::params("a part of the prompt is no text; pictures and sounds cannot be given")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    #[test]
    fn prompts_are_text_with_their_files() {
        let parts = json!({"prompt": [
            {"type": "text", "text": "Look at "},
            {"type": "resource_link", "name": "a.rs", "uri": "file:///a.rs"},
            {"type": "resource", "resource": {"uri": "file:///b", "text": "b's"}},
        ]});
        let expected = "Look at [a.rs](file:///a.rs)\n<file uri=\"file:///b\">\nb's\n</file>";
        assert_eq!(prompt(&parts).unwrap(), expected);
        for bad in [json!({}), json!({"prompt": [{"type": "image", "data": ""}]}), json!({"prompt": [3]})] {
            assert!(prompt(&bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn servers_are_keys_of_a_task() {
        let given = json!({"mcpServers": [
            {"name": "my files", "command": "/bin/x", "args": ["-a", "b \"c\""], "env": [{"name": "K", "value": "$v"}]},
            {"type": "http", "name": "web", "url": "http://localhost/mcp", "headers": []},
        ]});
        let expected = [
            r#"mcp.my-files.command=["/bin/x","-a","b \"c\""]"#,
            r#"mcp.my-files.env."K"="$$v""#,
            r#"mcp.web.url="http://localhost/mcp""#,
        ];
        assert_eq!(servers(&given).unwrap(), expected);
        assert!(servers(&json!({"mcpServers": [{"type": "sse", "name": "x", "url": "u"}]})).is_err());
        assert!(folder(&json!({"cwd": "here"})).is_err());
    }
}
