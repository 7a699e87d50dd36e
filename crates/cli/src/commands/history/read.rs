//! Recorded conversations: our form, or the request body of a provider, one a line or the whole file; traces.

use crate::terminal::io::Io;
use ptc_agent::error_text;
use ptc_agent::{Error, ErrorKind};
use ptc_history::wire::Request;
use ptc_history::{Conversation, Format, tokens};
use serde_json::Value;
use std::path::Path;

/// A conversation with its name.
pub struct RecordedConversation {
    /// Its `id`, or the number of its line.
    pub id: String,
    /// What was said.
    pub conversation: Conversation,
}

/// The conversations of a JSONL file, a line that is none being a problem of its own; or the one that the whole file is:
/// a JSON object over several lines, or a trace, whose messages are those of full history.
fn file(path: &Path) -> Result<Vec<Result<RecordedConversation, Error>>, Error> {
    let text = ptc_agent::files::read_text(path)?;
    let first = text.lines().find(|l| !l.trim().is_empty()).unwrap_or_default();
    match serde_json::from_str::<Value>(first) {
        Ok(header) if header.get("ptc_trace").is_some() => {
            let trace = ptc_agent::trace_file::read(path)?.trace;
            let id = trace.header.task.clone().unwrap_or_else(|| "1".to_owned());
            let messages = ptc_turns::messages(&trace, &ptc_turns::Policy::full(), None);
            return Ok(vec![Ok(RecordedConversation { id, conversation: Conversation::recorded(messages) })]);
        }
        Err(_) if serde_json::from_str::<Value>(&text).is_ok() => {
            return Ok(vec![
                one(&text, 1).map_err(|e| Error::new(ErrorKind::Usage, e.to_string()).at(&path.display().to_string())),
            ]);
        }
        _ => {}
    }
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    Ok(lines
        .map(|(i, line)| {
            let number = i.saturating_add(1);
            let at = format!("{}:{number}", path.display());
            one(line, number).map_err(|e| Error::new(ErrorKind::Usage, e).at(&at))
        })
        .collect())
}

/// How many lines that cannot be read are reported one by one.
const TOLD: usize = 3;

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
    wrong.iter().take(TOLD).for_each(|p| io.warn(&p.text()));
    if wrong.len() > TOLD {
        io.warn(&format!("{}: {} more lines cannot be read", path.display(), wrong.len().saturating_sub(TOLD)));
    }
    Ok(out)
}

fn one(line: &str, number: usize) -> Result<RecordedConversation, String> {
    let value: Value = serde_json::from_str(line).map_err(|e| format!("no JSON: {e}"))?;
    let id = match value.get("id") {
        Some(Value::String(s)) => s.clone(),
        Some(other) => other.to_string(),
        None => number.to_string(),
    };
    let ours = Conversation::is_ours(&value);
    // Our own form where it can be: a provider's body has fields of its own, which must not be passed over.
    let body = tokens::Request::is_body(&value) && !ours;
    let own = if body { None } else { Some(Conversation::from_json(&value).map_err(|e| e.to_string())) };
    let conversation = match (own, Format::of(&value)) {
        (Some(Ok(c)), _) => c,
        (Some(Err(e)), Some(format)) if !ours => {
            // It may be either: where it is neither, each reader says why.
            let read =
                Request::import(format, &value).map_err(|other| format!("{e}; as a body of {format}: {other}"))?;
            Conversation::recorded(read.messages)
        }
        (Some(Err(e)), _) => return Err(e),
        (None, Some(format)) => {
            let read = Request::import(format, &value).map_err(|e| e.to_string())?;
            Conversation::recorded(read.messages)
        }
        (None, None) => return Err("no conversation: expected {\"messages\": [...]}".to_owned()),
    };
    Ok(RecordedConversation { id, conversation })
}
