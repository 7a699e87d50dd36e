//! Tools that a model calls on the wire: declared with schemas, asked together, answered as results.

use crate::schema;
use crate::tools::toolbox::Toolbox;
use ptc_history::Block;
use ptc_history::wire::Tool;
use ptc_lisp::interface::{CallDeadline, ToolRequest, ToolSpec, Tools};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use serde_json::{Map, Value, json};

/// Characters of a tool's name that every provider takes.
const NAME: usize = 64;

/// A tool as it is declared, and under which name it is granted here.
#[derive(Clone)]
pub(super) struct Declared {
    pub wire: Tool,
    name: String,
}

/// The declarations of all tools. Names that a provider would refuse (`time.now`) are written with `_`, and told apart
/// by a number where two become the same.
pub(super) fn declare(specs: &[ToolSpec]) -> Vec<Declared> {
    let mut all: Vec<Declared> = Vec::new();
    for spec in specs {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let base: String = spec.name.chars().map(plain).take(NAME).collect();
        let taken = |name: &str| all.iter().any(|d| d.wire.name == name);
        let name = std::iter::once(base.clone())
            .chain((2..).map(|n| format!("{}_{n}", base.chars().take(NAME - 8).collect::<String>())))
            .find(|name| !taken(name))
            .unwrap_or(base);
        let mut wire = Tool::new(name, spec.description.clone());
        wire.parameters = parameters(spec);
        all.push(Declared { wire, name: spec.name.clone() });
    }
    all
}

fn parameters(spec: &ToolSpec) -> Value {
    let Some(params) = &spec.params else { return json!({"type": "object"}) };
    let properties: Map<String, Value> = params.iter().map(|p| (p.name.clone(), schema::schema(&p.shape))).collect();
    let needed = |p: &&ptc_lisp::interface::Param| !matches!(p.shape, ptc_lisp::types::Type::Optional(_));
    let required: Vec<&str> = params.iter().filter(needed).map(|p| p.name.as_str()).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// Makes the calls among `blocks`, all at once, and gives their results in order. What cannot be called is answered
/// with an error for the model to read.
pub(super) fn answer(
    tools: &mut Toolbox,
    declared: &[Declared],
    blocks: &[Block],
    limits: &Limits,
    cancelled: &dyn Fn() -> bool,
) -> Vec<Block> {
    let calls: Vec<(&str, &str, &Value)> = blocks
        .iter()
        .filter_map(|b| match b {
            Block::ToolUse { id, name, input } => Some((id.as_str(), name.as_str(), input)),
            _ => None,
        })
        .collect();
    let ready: Vec<Result<(&str, ptc_lisp::value::Value), String>> = calls
        .iter()
        .map(|(_, name, input)| {
            let Some(tool) = declared.iter().find(|d| d.wire.name == *name || d.name == *name) else {
                let known: Vec<&str> = declared.iter().map(|d| d.wire.name.as_str()).collect();
                return Err(format!("there is no tool {name}; the tools are {}", known.join(", ")));
            };
            let args = match input {
                Value::Null => json!({}),
                Value::Object(_) => (*input).clone(),
                other => return Err(format!("the arguments must be a JSON object, got {other}")),
            };
            if let Some(missing) = missing(&tool.wire.parameters, &args) {
                return Err(format!("the argument {missing} is missing"));
            }
            let args = json::parse_text(&args.to_string(), limits).map_err(|e| e.message)?;
            Ok((tool.name.as_str(), args))
        })
        .collect();
    let asked: Vec<ToolRequest<'_>> = ready
        .iter()
        .zip(1..)
        .filter_map(|(r, id)| r.as_ref().ok().map(|(name, args)| ToolRequest { id, name, args }))
        .collect();
    let wait = CallDeadline { cancelled, left_ms: None, limits };
    let mut answers = tools.call_many(&asked, &wait).into_iter();
    ready
        .iter()
        .zip(&calls)
        .map(|(ready, (id, ..))| {
            let answer = match ready {
                Err(words) => Err(words.clone()),
                Ok(_) => answers.next().unwrap_or_else(|| Err("nobody answered".to_owned())),
            };
            let text = answer.and_then(|value| match value.as_str() {
                Some(text) => Ok(text.to_owned()),
                None => json::to_text(&value).map_err(|e| e.message),
            });
            match text {
                Ok(text) => Block::tool_result(*id, text),
                // F-04: an error has words.
                Err(words) if words.trim().is_empty() => Block::tool_error(*id, "the tool failed without words"),
                Err(words) => Block::tool_error(*id, words),
            }
        })
        .collect()
}

fn missing<'a>(parameters: &'a Value, args: &Value) -> Option<&'a str> {
    let required = parameters.get("required")?.as_array()?;
    required.iter().filter_map(Value::as_str).find(|name| args.get(name).is_none())
}
