//! Recorded conversations: our form, or the request body of a provider, one a line.

use ptc_agent::Problem;
use ptc_history::provider::Request;
use ptc_history::{Conversation, Format};
use serde_json::Value;
use std::path::Path;

/// A conversation with its name.
pub struct Recorded {
    /// Its `id`, or the number of its line.
    pub id: String,
    /// What was said.
    pub conversation: Conversation,
}

/// The conversations of a JSONL file; a line that is none is a problem of its own.
pub fn file(path: &Path) -> Result<Vec<Result<Recorded, Problem>>, Problem> {
    let text = ptc_agent::problem::read_text(path)?;
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    Ok(lines
        .map(|(i, line)| one(line, i + 1).map_err(|e| Problem::new(format!("{}:{}: {e}", path.display(), i + 1))))
        .collect())
}

fn one(line: &str, number: usize) -> Result<Recorded, String> {
    let value: Value = serde_json::from_str(line).map_err(|e| format!("no JSON: {e}"))?;
    let id = match value.get("id") {
        Some(Value::String(s)) => s.clone(),
        Some(other) => other.to_string(),
        None => number.to_string(),
    };
    // Our own form first: what is left is a provider's, and its shape says whose.
    let own = Conversation::from_json(&value).map_err(|e| e.to_string());
    let conversation = match (own, Format::of(&value)) {
        (Ok(c), _) => c,
        (Err(_), Some(format)) => {
            let read = Request::import(format, &value).map_err(|e| e.to_string())?;
            Conversation::recorded(read.messages)
        }
        (Err(e), None) => return Err(e),
    };
    Ok(Recorded { id, conversation })
}
