//! Bytes as the answer of a provider, whole and streamed: a reply, or words.

use super::outside::{Server, words};
use ptc_agent::model::{ProviderModel, RetryPolicy};
use ptc_agent::{Environment, Model as _, Request};
use ptc_history::Message;
use std::sync::OnceLock;
use std::time::Duration;

const NAMES: [&str; 4] = ["openai/m", "openai-responses/m", "anthropic/m", "gemini/m"];
/// Most bytes of an answer.
const MAX_ANSWER_BYTES: usize = 24 << 20;

/// Asks a model that answers with the input. Its first line says of whom (`anthropic`), how (`stream`), the status
/// (`429`) and how often the rest is said (`x1000`).
pub fn model(data: &[u8]) {
    static SERVER: OnceLock<Server> = OnceLock::new();
    let server = Server::of(&SERVER);
    let at = data.iter().position(|b| *b == b'\n').unwrap_or(0);
    let (head, body) = (String::from_utf8_lossy(&data[..at]), data.get(at + 1..).unwrap_or_default());
    let said = |word: &str| head.split(' ').any(|w| w == word);
    let name = NAMES.iter().rev().find(|n| said(n.trim_end_matches("/m"))).unwrap_or(&NAMES[at % NAMES.len()]);
    let number = |prefix: &str| head.split(' ').find_map(|w| w.strip_prefix(prefix)?.parse::<usize>().ok());
    let status = number("").filter(|s| (200..600).contains(s)).unwrap_or(200) as u16;
    let times = number("x").unwrap_or(1).clamp(1, MAX_ANSWER_BYTES / body.len().max(1) + 1);
    let (body, stream) = (body.repeat(times), said("stream"));
    let kind = if stream { "text/event-stream" } else { "application/json" };
    server.answer(move |_| (status, kind, body.clone()));
    let variables = ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GEMINI_BASE_URL"];
    let keys = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"];
    let environment: Environment =
        variables.map(|v| (v, server.url.as_str())).into_iter().chain(keys.map(|k| (k, "sk-secret"))).collect();
    let wait = Duration::from_secs(5);
    let patience =
        RetryPolicy { connect: wait, first: wait, idle: wait, total: wait, tries: 1, ..RetryPolicy::default() };
    let parsed = name.parse().unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut model = ProviderModel::new(parsed, &environment, patience).unwrap_or_else(|e| panic!("{e}"));
    let messages = [Message::system("s"), Message::user("u")];
    let mut heard = 0;
    let mut listen = |piece: &str| heard += piece.len();
    let mut request = Request::new(&messages);
    if stream {
        request.said = Some(&mut listen);
    }
    match model.reply(request) {
        Ok(reply) => assert!(reply.text.len() <= MAX_ANSWER_BYTES * 3, "{} bytes", reply.text.len()),
        Err(e) => {
            let said = e.to_string();
            words(&said);
            assert!(!said.contains("sk-secret"), "{said}");
        }
    }
}
