//! Tools as a model reads them: OpenAI's TypeScript declarations, and JSON for all others.

use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Schemas nest and refer to one another; a declaration goes no deeper, and follows no more references.
const MAX_DEPTH: usize = 32;
const MAX_REFERENCES: usize = 64;

/// A tool, independent of the provider.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it does.
    pub description: &'a str,
    /// The JSON schema of its arguments; `None` for tools that the provider runs.
    pub parameters: Option<&'a Value>,
}

/// The tools of a request in the format of any provider: OpenAI chat (`function`), Responses, Anthropic
/// (`input_schema`), Gemini (`functionDeclarations`, `parametersJsonSchema`), Bedrock (`toolSpec`).
pub fn tools(list: &[Value]) -> Vec<Tool<'_>> {
    let mut out = Vec::with_capacity(list.len());
    for tool in list {
        let many = ["functionDeclarations", "function_declarations"].iter().find_map(|k| tool.get(k)?.as_array());
        match many {
            Some(many) => out.extend(many.iter().map(one)),
            None => out.push(one(tool)),
        }
    }
    out
}

fn one(tool: &Value) -> Tool<'_> {
    let inner = ["function", "toolSpec"].iter().find_map(|k| tool.get(k).filter(|v| v.is_object())).unwrap_or(tool);
    let words = |key| inner.get(key).and_then(Value::as_str);
    let parameters = ["parameters", "input_schema", "parametersJsonSchema", "parameters_json_schema", "inputSchema"]
        .iter()
        .find_map(|k| inner.get(k).filter(|v| v.is_object()));
    // Bedrock wraps the schema once more.
    let parameters = parameters.map(|p| p.get("json").filter(|j| j.is_object()).unwrap_or(p));
    Tool {
        name: words("name").or_else(|| words("type")).unwrap_or_default(),
        description: words("description").unwrap_or_default(),
        parameters,
    }
}

/// As compact JSON, one tool after the other: close to what all providers but OpenAI use.
pub fn as_json(tools: &[Tool<'_>]) -> String {
    let mut out = String::new();
    for t in tools {
        let empty = Value::Object(Map::new());
        let tool = json!({"name": t.name, "description": t.description, "parameters": t.parameters.unwrap_or(&empty)});
        let _ = writeln!(out, "{tool}");
    }
    out
}

/// As OpenAI's models read them: a TypeScript namespace (openai/harmony publishes the form for gpt-oss; counts of
/// older models agree with it, docs/tokens.md).
pub fn as_typescript(tools: &[Tool<'_>]) -> String {
    if tools.is_empty() {
        return String::new();
    }
    let mut out = "namespace functions {\n\n".to_owned();
    for t in tools {
        comment(&mut out, t.description);
        let properties = t.parameters.and_then(|p| p.get("properties")).and_then(Value::as_object);
        match (t.parameters, properties.filter(|p| !p.is_empty())) {
            (Some(root), Some(properties)) => {
                let _ = writeln!(out, "type {} = (_: {{", t.name);
                let mut types = Types { root, references: MAX_REFERENCES };
                types.properties(&mut out, root, properties, 0);
                out.push_str("}) => any;\n\n");
            }
            _ => {
                let _ = write!(out, "type {} = () => any;\n\n", t.name);
            }
        }
    }
    out.push_str("} // namespace functions");
    out
}

/// A description of several lines is marked as a comment once, at the start: reported counts say so.
fn comment(out: &mut String, text: &str) {
    if !text.trim().is_empty() {
        let _ = writeln!(out, "// {}", text.trim_end());
    }
}

struct Types<'a> {
    root: &'a Value,
    references: usize,
}

impl<'a> Types<'a> {
    fn properties(&mut self, out: &mut String, schema: &Value, properties: &'a Map<String, Value>, depth: usize) {
        let required = schema.get("required").and_then(Value::as_array);
        for (name, property) in properties {
            comment(out, property.get("description").and_then(Value::as_str).unwrap_or_default());
            let needed = required.is_some_and(|r| r.iter().any(|n| n.as_str() == Some(name)));
            out.push_str(name);
            out.push_str(if needed { ": " } else { "?: " });
            self.kind(out, property, depth.saturating_add(1));
            out.push(',');
            match property.get("default") {
                None | Some(Value::Null) => {}
                Some(Value::String(s)) => {
                    let _ = write!(out, " // default: {s}");
                }
                Some(other) => {
                    let _ = write!(out, " // default: {other}");
                }
            }
            out.push('\n');
        }
    }

    // Recursion is bounded by MAX_DEPTH; references by MAX_REFERENCES in all, so that schemas which double cannot explode.
    fn kind(&mut self, out: &mut String, schema: &'a Value, depth: usize) {
        if depth > MAX_DEPTH {
            out.push_str("any");
            return;
        }
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            let found = target.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            match (found, self.references.checked_sub(1)) {
                (Some(found), Some(left)) => {
                    self.references = left;
                    self.kind(out, found, depth.saturating_add(1));
                }
                _ => out.push_str("any"),
            }
            return;
        }
        let any_of = ["anyOf", "oneOf"].iter().find_map(|k| schema.get(k)?.as_array());
        if let Some(all) = any_of {
            self.joined(out, all, depth);
        } else if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            let words: Vec<String> = values.iter().map(Value::to_string).collect();
            out.push_str(&words.join(" | "));
        } else {
            match schema.get("type") {
                Some(Value::Array(kinds)) => {
                    let words: Vec<&str> = kinds.iter().filter_map(Value::as_str).map(plain).collect();
                    out.push_str(&words.join(" | "));
                }
                Some(Value::String(kind)) if kind == "array" => {
                    match schema.get("items") {
                        Some(items) => self.kind(out, items, depth.saturating_add(1)),
                        None => out.push_str("any"),
                    }
                    out.push_str("[]");
                }
                kind => match schema.get("properties").and_then(Value::as_object).filter(|p| !p.is_empty()) {
                    Some(properties) => {
                        out.push_str("{\n");
                        self.properties(out, schema, properties, depth);
                        out.push('}');
                    }
                    None => out.push_str(plain(kind.and_then(Value::as_str).unwrap_or("any"))),
                },
            }
        }
    }

    fn joined(&mut self, out: &mut String, all: &'a [Value], depth: usize) {
        for (i, schema) in all.iter().enumerate() {
            if i > 0 {
                out.push_str(" | ");
            }
            self.kind(out, schema, depth.saturating_add(1));
        }
    }
}

fn plain(kind: &str) -> &str {
    match kind {
        "integer" => "number",
        other => other,
    }
}
