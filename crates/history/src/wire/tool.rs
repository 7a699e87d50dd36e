//! Tools as a request declares them: a name, a description, a JSON schema.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A tool that the model may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its parameters, a JSON schema of an object.
    #[serde(default = "any_object")]
    pub parameters: Value,
}

fn any_object() -> Value {
    json!({ "type": "object" })
}

impl Tool {
    /// A tool that takes any object.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Tool { name: name.into(), description: Some(description.into()), parameters: any_object() }
    }

    /// Encodes name, description and parameters under the provider's field names.
    pub(super) fn to_wire(&self, parameters: &str) -> Value {
        let mut out = json!({ "name": self.name });
        if let Some(text) = &self.description {
            out["description"] = json!(text);
        }
        out[parameters] = self.parameters.clone();
        out
    }

    /// Decodes a declaration; `None` where there is no name: then the provider runs the tool.
    pub(super) fn from_wire(v: &Value, parameters: &str) -> Option<Tool> {
        Some(Tool {
            name: v.get("name")?.as_str()?.to_owned(),
            description: v.get("description").and_then(Value::as_str).map(str::to_owned),
            parameters: v.get(parameters).filter(|p| p.is_object()).cloned().unwrap_or_else(any_object),
        })
    }
}
