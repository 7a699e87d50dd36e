//! The form of a recorded model's file, as it is written and read.

use crate::clock::sha256;
use crate::model::CountedAs;
use ptc_history::{Block, Message, render};

/// What a first line says of the model that was recorded: budgets are counted with its tokens again.
const HEAD: (&str, &str) = ("<!-- ptc: recorded from ", " -->");

/// The first line of a recording.
pub(crate) fn head(model: &CountedAs) -> String {
    // Data in a comment: a name that could end it is not worth a comment.
    let data = serde_json::to_string(&(&model.provider, model.api, &model.model)).unwrap_or_default();
    if data.contains("--") { String::new() } else { format!("{}{data}{}\n", HEAD.0, HEAD.1) }
}

/// The model that a first line names.
pub(crate) fn read_head(text: &str) -> Option<CountedAs> {
    let data = text.lines().next()?.strip_prefix(HEAD.0)?.strip_suffix(HEAD.1)?;
    let (provider, api, model) = serde_json::from_str(data).ok()?;
    Some(CountedAs { provider, api, model })
}

/// The information behind the tildes of a fence that holds a reply byte for byte.
pub(crate) const VERBATIM: &str = "ptc:verbatim";
/// The information behind the tildes of a fence that holds the blocks of a reply, and whether it was cut, as JSON.
pub(crate) const BESIDE: &str = "ptc:beside";

/// What a reply holds beside its text.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Beside {
    /// Its blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<ptc_history::Block>,
    /// Whether it was cut.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// What stands in a heading before the hash of the request that its reply was given to, and behind it. Markdown shows
/// neither.
const REQUEST: (&str, &str) = ("<!-- request ", " -->");
/// Hexadecimal digits of a hash.
const DIGITS: usize = 32;

/// The heading of a recorded reply.
pub(crate) fn heading(turn: u64, request: Option<&str>) -> String {
    let request = request.map(|r| format!(" {}{r}{}", REQUEST.0, REQUEST.1)).unwrap_or_default();
    format!("## Turn {turn}{request}\n\n")
}

/// The hash that a heading holds.
pub(crate) fn read_request(heading: &str) -> Option<String> {
    let (_, rest) = heading.split_once(REQUEST.0)?;
    let (hash, _) = rest.split_once(REQUEST.1)?;
    (hash.len() == DIGITS && hash.bytes().all(|b| b.is_ascii_hexdigit())).then(|| hash.to_lowercase())
}

/// The hash of a request: the first digits of the SHA-256 of its messages, as `ptc messages --json` prints them. Times
/// that calls took are no part of it.
pub(crate) fn request_hash(messages: &[Message]) -> String {
    let text = if messages.iter().all(Message::is_plain) {
        render::json(messages)
    } else {
        let mut untimed = messages.to_vec();
        for block in untimed.iter_mut().flat_map(|m| &mut m.content) {
            match block {
                Block::ToolResult { ms, .. } => *ms = None,
                Block::Text { part, .. } => *part = None,
                Block::Reasoning { .. } | Block::ToolUse { .. } => {}
            }
        }
        render::json(&untimed)
    };
    sha256(text.as_bytes()).chars().take(DIGITS).collect()
}
