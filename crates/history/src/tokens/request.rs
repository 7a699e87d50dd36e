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
#[serde(from = "Read")]
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
struct Read {
    provider: String,
    #[serde(default)]
    api: Option<Api>,
    model: String,
    messages: Vec<Marked>,
    #[serde(default)]
    tools: Option<Vec<Value>>,
    #[serde(default)]
    schema: Schema,
    #[serde(default)]
    opaque: bool,
}

#[derive(Deserialize)]
struct Marked {
    #[serde(flatten)]
    message: Message,
    #[serde(default)]
    opaque: bool,
}

impl From<Read> for Request {
    fn from(r: Read) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(v: Value) -> Request {
        serde_json::from_value(v).unwrap()
    }

    #[test]
    fn the_wire_format_is_guessed_where_it_is_not_said() {
        let of = |provider: &str, tools: Value, role: &str| {
            read(json!({"provider": provider, "model": "m", "tools": tools, "messages": [{"role": role, "content": "x"}]})).api
        };
        let flat = json!([{"type": "function", "name": "f", "parameters": {}}]);
        let nested = json!([{"type": "function", "function": {"name": "f"}}]);
        assert_eq!(of("openai", json!([]), "user"), Api::Chat);
        assert_eq!(of("openai", nested, "user"), Api::Chat);
        assert_eq!(of("openai", flat.clone(), "user"), Api::Responses);
        assert_eq!(of("openai", json!(null), "assistant"), Api::Responses);
        assert_eq!(of("bedrock", json!([]), "user"), Api::Converse);
        assert_eq!(of("anthropic", flat, "assistant"), Api::Anthropic);
    }

    #[test]
    fn k_14_tools_and_schema_are_part_of_the_input() {
        let base = json!({"provider": "openai", "model": "gpt-4o", "messages": [{"role": "user", "content": "x"}]});
        let with = |key: &str, value: Value| {
            let mut v = base.clone();
            v[key] = value;
            read(v).count()
        };
        let bare = read(base.clone()).count();
        let shape = json!({"type": "object", "properties": {"answer": {"type": "string"}}});
        let tools = with("tools", json!([{"type": "function", "function": {"name": "f", "parameters": shape}}]));
        assert!(tools.tokens > bare.tokens + 15, "{tools:?}");
        let shown = with("schema", shape);
        let hidden = with("schema", json!(true));
        assert!(shown.tokens > bare.tokens && hidden.tokens > bare.tokens);
        assert!(hidden.high - hidden.low > shown.high - shown.low, "its size is not known");
        assert_eq!(with("schema", json!(false)), bare);
        let opaque = with("opaque", json!(true));
        assert!(opaque.tokens == bare.tokens && opaque.high > bare.high + 500);
        assert!(
            serde_json::from_value::<Request>(json!({"provider": "p", "model": "m", "messages": [], "schema": 3}))
                .is_err()
        );
    }

    #[test]
    fn k_31_odd_requests_are_counted() {
        let deep = (0..100).fold(json!({"type": "string"}), |v, _| json!({"type": "object", "properties": {"x": v}}));
        for tools in [
            json!([null, 1, "x", [], {}]),
            json!([{"name": "f", "parameters": deep}]),
            json!([{"functionDeclarations": 3}]),
        ] {
            for (provider, model) in [("openai", "gpt-5"), ("", ""), ("anthropic", "claude-5"), ("google", "gemini-3")]
            {
                let r = read(json!({"provider": provider, "model": model, "tools": tools,
                    "messages": [{"role": "tool", "content": [{"type": "tool_result", "id": "", "content": "\u{0}"}]}, {"role": "user", "content": []}]}));
                let e = r.count();
                assert!(e.low <= e.tokens && e.tokens <= e.high && e.tokens > 0, "{e:?}");
            }
        }
    }
}
