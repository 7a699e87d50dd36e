//! Bytes as recorded conversations, in our form or that of a provider: views under every strategy, or words.

use super::outside::{folder, ptc, write};
use ptc_history::Format;
use ptc_history::wire::Request;

/// Reads the input as a file of conversations, shows the first and reports on all; and as the body of each provider.
pub fn conversation(data: &[u8]) {
    let data = data.get(..super::MAX_INPUT_BYTES).unwrap_or(data);
    if let Ok(body) = serde_json::from_slice(data) {
        for format in [Format::OpenAi, Format::Responses, Format::Anthropic, Format::Gemini, Format::Bedrock] {
            match Request::import(format, &body) {
                Ok(import) => drop(ptc_history::export(&import.messages, format)),
                Err(e) => super::outside::words(&e.to_string()),
            }
        }
    }
    let path = write(&folder("conversation"), "c.jsonl", data).display().to_string();
    // What cannot be read once cannot be read again.
    if ptc(&["history", "view", &path, "--why"], "") == 0 {
        ptc(&["history", "view", &path, "--format", "anthropic"], "");
        ptc(&["history", "view", &path, "--format", "gemini"], "");
        ptc(&["history", "report", &path, "--json"], "");
    }
}
