//! How long views take: one of 10,000 messages again after each append, under every strategy, and a whole render of
//! 1,000 messages. `cargo run --release -p ptc-history --example speed`, `-- NAME` for what has the name in it. All is
//! CPU time of the thread, so a busy machine does not show in it.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, clippy::unwrap_used)]

use cpu_time::ThreadTime;
use ptc_history::policy::Strategy;
use ptc_history::view::TokenCounter;
use ptc_history::{Block, Conversation, Message, Part, PartKind, Policy, Retention, Role, ViewContext, render, view};
use serde_json::json;
use std::time::Duration;

struct Quarter;

impl TokenCounter for Quarter {
    fn id(&self) -> u64 {
        1
    }
    fn message(&self, message: &Message) -> u64 {
        4 + message.content.iter().map(|b| b.bytes() as u64).sum::<u64>() / 4
    }
    fn overhead(&self) -> u64 {
        3
    }
}

/// The message at this place of a long session, with its time.
fn message(i: usize, inputs: bool) -> Message {
    let mut message = said(i, inputs);
    message.meta_mut().at = Some(i as i64 * 1000);
    message
}

/// Asked, called, answered, told; every so often an input.
fn said(i: usize, inputs: bool) -> Message {
    let words = "a few words on what was done and why ".repeat(4);
    match i % 4 {
        _ if i == 0 => Message::system(words),
        1 if inputs => {
            let part = Part {
                kind: PartKind::File,
                name: Some(format!("file{i}")),
                history_retention: Some(Retention::Summary),
                count: None,
                offset: None,
            };
            Message::of(Role::User, vec![Block::Text { text: words.repeat(10), part: Some(Box::new(part)) }])
        }
        1 => Message::user(format!("request {i}: {words}")),
        2 => Message::of(
            Role::Assistant,
            vec![Block::text(format!("recap - {words}")), Block::tool_use(format!("call{i}"), "find", json!({"n": i}))],
        ),
        3 => Message::of(Role::Tool, vec![Block::tool_result(format!("call{}", i - 1), words.repeat(5))]),
        _ => Message::assistant(format!("answer {i}: {words}\nrecap - {words}")),
    }
}

fn session(len: usize, inputs: bool) -> Conversation {
    Conversation::recorded((0..len).map(|i| message(i, inputs)))
}

/// The median and the longest of the times a view takes after each of 100 appends.
fn appends(policy: &Policy, with: &ViewContext<'_>, inputs: bool) -> (Duration, Duration) {
    let mut talk = session(9_900, inputs);
    let mut times = Vec::new();
    for len in 9_900..10_100 {
        talk.push(message(len, inputs)).unwrap();
        let start = ThreadTime::now();
        let made = view(&talk, policy, with).unwrap();
        let time = start.elapsed();
        // The first views make what later ones find made.
        if len >= 10_000 {
            times.push(time);
        }
        assert!(!made.shown.is_empty());
    }
    times.sort();
    (times[times.len() / 2], times[times.len() - 1])
}

fn main() {
    let chosen = std::env::args().nth(1).unwrap_or_default();
    let wanted = |name: &str| name.contains(&chosen);
    println!("a view of 10,000 messages after one append: median, longest of 100");
    let plain = ViewContext { now: Some(10_000_000), ..ViewContext::default() };
    let counted = ViewContext { counter: Some(&Quarter), ..plain };
    let policy = |strategy| Policy { max_age_ms: Some(6_000_000), ..Policy::with(strategy) };
    let budget = Policy { max_tokens: Some(100_000), ..policy(Strategy::None) };
    let ladder = Policy { ladder: true, ..budget.clone() };
    let mut runs: Vec<(&str, Policy, &ViewContext<'_>, bool)> =
        Strategy::ALL.map(|s| (s.name(), policy(s), &plain, false)).into();
    runs.extend([
        ("auto, counted", policy(Strategy::Auto), &counted, false),
        ("none, max_tokens", budget, &counted, false),
        ("none, max_tokens, ladder", ladder, &counted, false),
        ("none, 2,500 inputs by retention", policy(Strategy::None), &plain, true),
        ("auto, 2,500 inputs by retention", policy(Strategy::Auto), &plain, true),
    ]);
    for (name, policy, with, inputs) in runs.iter().filter(|(name, ..)| wanted(name)) {
        let (median, most) = appends(policy, with, *inputs);
        println!("{name:42} {median:>10.1?} {most:>10.1?}");
    }
    println!("a whole render of 1,000 messages, nothing remembered: median of 20");
    for strategy in Strategy::ALL.into_iter().filter(|s| wanted(s.name())) {
        let mut times: Vec<Duration> = (0..20)
            .map(|_| {
                let talk = session(1000, false);
                let start = ThreadTime::now();
                let text = render::text(&view(&talk, &policy(strategy), &plain).unwrap().messages());
                let time = start.elapsed();
                assert!(!text.is_empty());
                time
            })
            .collect();
        times.sort();
        println!("{:42} {:>10.1?}", strategy.name(), times[10]);
    }
}
