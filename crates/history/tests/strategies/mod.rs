//! The strategies of seeds 001, 002 and 004, as their requirements say.
#![allow(clippy::panic)] // a test helper that cannot go on says why

mod batch;
mod clear;
mod custom;
mod model;
mod plan;
mod summarize;
mod window;

use ptc_history::policy::{Policy, Strategy};
use ptc_history::view::{Level, Reason, View};
use ptc_history::{Block, Conversation, Message, Role, ViewContext, view};
use serde_json::json;

/// System, task, then `turns` times a call with its result and an answer: 2 + 3 * turns messages.
fn agent(turns: usize) -> Vec<Message> {
    let mut out = vec![Message::system("rules"), Message::user("the task")];
    for i in 1..=turns {
        let id = format!("c{i}");
        let call = Block::tool_use(&id, "find", json!({ "page": i }));
        out.push(Message::of(Role::Assistant, vec![call]));
        out.push(Message::of(Role::Tool, vec![Block::tool_result(&id, format!("page {i}: {}", "row ".repeat(60)))]));
        out.push(Message::assistant(format!("Page {i} holds nothing of use, so the next one is looked at.")));
    }
    out
}

/// `U1 A1 U2 A2 ...`
fn talk(pairs: usize) -> Vec<Message> {
    let pair = |i| [Message::user(format!("U{i}")), Message::assistant(format!("A{i} at length\nrecap - A{i}"))];
    (1..=pairs).flat_map(pair).collect()
}

fn see(list: &[Message], policy: &Policy) -> View {
    view(&Conversation::recorded(list.to_vec()), policy, &ViewContext::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn texts(view: &View) -> Vec<String> {
    view.shown.iter().map(|s| s.message.text().lines().next().unwrap_or_default().to_owned()).collect()
}

fn summaries(view: &View) -> Vec<usize> {
    let of = |w: &Reason| if let Reason::Summary { of } = w { Some(*of) } else { None };
    view.shown.iter().filter_map(|s| of(&s.reason)).collect()
}

fn warnings(view: &View) -> Vec<&str> {
    view.events.iter().filter(|e| e.level == Level::Warn).map(|e| &*e.text).collect()
}

fn with(strategy: Strategy, set: impl FnOnce(&mut Policy)) -> Policy {
    let mut policy = Policy::with(strategy);
    set(&mut policy);
    policy
}
