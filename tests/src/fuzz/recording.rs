//! Bytes as recordings, of a model and of a tool: replies that are run and answers that are given, or words.

use super::outside::words;
use ptc_agent::ReplayModel;
use ptc_agent::tools::Recording;
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_turns::{Config, Policy, Session, TurnContext};

/// Reads the input as a file of replies and runs them, and as a file of answers and asks for them.
pub fn recording(data: &[u8]) {
    let text = super::text(data);
    let limits = Limits { fuel: 30_000, memory_bytes: 2 << 20, cpu_ms: 0, wall_ms: 0, ..Limits::default() };
    match ReplayModel::parse("r.md", &text) {
        Ok(model) => {
            let mut session = Session::new(Config { limits: limits.clone(), prompt: "p".into(), ..Config::default() });
            for reply in model.replies().iter().take(5) {
                if session.reply(reply, TurnContext::without_host()).is_err() {
                    break;
                }
            }
            session.messages(&Policy::compressed());
        }
        Err(e) => words(&e.to_string()),
    }
    match Recording::parse("r.jsonl", &text, &limits) {
        Ok(mut recording) => {
            for args in
                text.lines().filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok()?.get("args").cloned())
            {
                let Ok(args) = json::parse_text(&args.to_string(), &limits) else { continue };
                if let Err(e) = recording.answer(&args, &limits) {
                    // What was recorded as an error is reported as it was recorded.
                    assert!(e.len() <= 2 * text.len() + 4096, "{e}");
                }
            }
            let none = json::parse_text("{\"none\": [1]}", &limits).unwrap_or_default();
            if let Err(e) = recording.answer(&none, &limits) {
                words(&e);
            }
        }
        Err(e) => words(&e.to_string()),
    }
}
