//! What a user was promised of strategies, in figures, on recorded sessions and on generated ones.

// Tests unwrap and panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::panic)]

use ptc_history::export;
use ptc_history::policy::{Prices, Strategy};
use ptc_history::report::{self, Row};
use ptc_history::tokens::{MessageCounter, Profiles, Request};
use ptc_history::wire::validate::validate_open;
use ptc_history::{Block, Conversation, Format, Message, Policy, Role, ViewContext, view};
use serde_json::json;
use std::sync::Arc;

/// Counts as OpenAI does: o200k, exact for text.
fn counter() -> MessageCounter {
    let request = json!({ "provider": "openai", "model": "gpt-4o", "messages": [] });
    serde_json::from_value::<Request>(request).unwrap().counter(Profiles::built_in()).unwrap()
}

fn read(lines: &str) -> Vec<Conversation> {
    lines.lines().map(|l| Conversation::from_json(&serde_json::from_str(l).unwrap()).unwrap()).collect()
}

/// Five stitched sessions of 71 to 108 messages: real turns, beside others than in life.
fn stitched() -> Vec<Conversation> {
    read(include_str!("data/stitched.jsonl"))
}

fn row(all: &[Conversation], policy: &Policy) -> Row {
    let counter = counter();
    report::row(all, policy, Prices::default(), &ViewContext { counter: Some(&counter), ..ViewContext::default() })
        .unwrap()
}

/// A hundred messages: a system prompt, a task, and turns of a call, its result, an answer and a request.
fn hundred() -> Conversation {
    let mut talk = Conversation::recorded([Message::system("You count."), Message::user("Count the sheep.")]);
    for i in 0..24 {
        let id = format!("c{i}");
        talk.push(Message::of(Role::Assistant, vec![Block::tool_use(&id, "count", json!({ "field": i }))])).unwrap();
        talk.push(Message::of(Role::Tool, vec![Block::tool_result(&id, format!("{} sheep, all white", i * 7))]))
            .unwrap();
        talk.push(Message::assistant(format!("Field {i} has {} sheep. Which field comes next?", i * 7))).unwrap();
        talk.push(Message::user(format!("Now field {}, behind the mill.", i + 1))).unwrap();
    }
    talk.push(Message::assistant("That is the last one.")).unwrap();
    talk.push(Message::user("How many are there in all?")).unwrap();
    assert_eq!(talk.len(), 100);
    talk
}

/// Every strategy with its defaults; the one that needs a time gets one behind all messages.
fn all() -> impl Iterator<Item = Policy> {
    Strategy::ALL.into_iter().map(|s| Policy { from_timestamp: Some(0), ..Policy::with(s) })
}

#[test]
fn auto_reaches_its_four_figures_at_once_without_a_model() {
    let auto = row(&stitched(), &Policy::with(Strategy::Auto));
    let figures = format!("{:.1} / {:.1} / {:.1} / {:.1}", auto.cumulative, auto.last, auto.cached, auto.cost);
    assert!(auto.cumulative >= 53.0, "saved over all requests: {figures}");
    assert!(auto.last >= 69.5, "saved of the last request: {figures}");
    assert!(auto.cached >= 88.0, "cached: {figures}");
    assert!(auto.cost <= 66.0, "cost: {figures}");
    assert_eq!((auto.failed, auto.over_budget), (0, 0));
}

/// F-30, K-09, V11: no strategy parts a pair or drops a system message, on recorded sessions with tools and without.
#[test]
fn no_strategy_splits_a_pair_or_drops_a_system_message() {
    let mut conversations = read(include_str!("data/conversations.jsonl"));
    conversations.truncate(8);
    conversations.extend(stitched().into_iter().take(1));
    conversations.push(hundred());
    let calls =
        |c: &Conversation| c.messages().flat_map(|m| &m.content).filter(|b| matches!(b, Block::ToolUse { .. })).count();
    assert!(conversations.iter().map(calls).sum::<usize>() > 50, "there are pairs to split");
    for policy in all() {
        let row = row(&conversations, &policy);
        assert_eq!((row.pairs_split, row.system_dropped, row.failed), (0, 0, 0), "{:?}", policy.strategy);
        assert!(row.requests > 100, "{:?}", policy.strategy);
    }
}

/// K-29: a hundred messages are fewer than ten after one compression, of each strategy whose numbers permit; system
/// prompt, task and summary stand beside what a window keeps.
#[test]
fn k_29_one_compression_leaves_fewer_than_ten_of_a_hundred() {
    let talk = hundred();
    for policy in [
        Policy::with(Strategy::WholeHistory),
        Policy::with(Strategy::WholeHistoryMultipleSystemMessages),
        Policy { last_messages: 5, ..Policy::with(Strategy::LastNMessages) },
        Policy { chunk_size: 20, ..Policy::with(Strategy::Chunked) },
        Policy { from_timestamp: Some(1), ..Policy::with(Strategy::FromTimestamp) },
        Policy { sticky_messages: 8, last_messages: 4, ..Policy::with(Strategy::StickySummary) },
        Policy { max_messages: 6, ..Policy::with(Strategy::SlidingWindow) },
        Policy { max_history_size: Some(9), ..Policy::default() },
    ] {
        // Of messages without a time their sequence says when they were.
        let talk = match policy.strategy {
            Strategy::FromTimestamp => Conversation::recorded(talk.messages().enumerate().map(|(i, m)| {
                let mut m = (**m).clone();
                m.meta_mut().at = Some(i64::from(i >= 97));
                m
            })),
            _ => talk.clone(),
        };
        let shown = view(&talk, &policy, &ViewContext::default()).unwrap();
        assert!(shown.shown.len() < 10, "{:?}: {} messages", policy.strategy, shown.shown.len());
        assert_eq!(talk.len(), 100, "the conversation stays");
    }
}

/// K-30: not a theorem, since messages may be tiny; so it is asked of recorded sessions of fifty messages and more.
#[test]
fn k_30_whole_history_saves_sixty_percent_of_fifty_messages_and_more() {
    let counter = counter();
    for talk in stitched() {
        assert!(talk.len() >= 50);
        let tokens = |policy: &Policy| {
            let view = view(&talk, policy, &ViewContext::default()).unwrap();
            view.shown.iter().map(|s| counter.message(&s.message)).sum::<u64>()
        };
        let (before, after) = (tokens(&Policy::default()), tokens(&Policy::with(Strategy::WholeHistory)));
        assert!(after * 10 <= before * 4, "{before} tokens became {after}");
    }
}

/// F-01, F-32: appending leaves every message where it lies, and a view hands out the same ones, not copies.
#[test]
fn f_32_payloads_are_never_copied() {
    let mut talk = hundred();
    let before: Vec<Arc<Message>> = talk.messages().cloned().collect();
    talk.add_user_message("One more.").unwrap();
    assert!(before.iter().zip(talk.messages()).all(|(a, b)| Arc::ptr_eq(a, b)));
    let shown = view(&talk, &Policy::default(), &ViewContext::default()).unwrap();
    assert_eq!(shown.shown.len(), 101);
    assert!(shown.shown.iter().zip(talk.messages()).all(|(s, m)| Arc::ptr_eq(&s.message, m)));
}

/// K-35: one writes, many read: who holds a conversation sees it as it was when it was taken, whole.
#[test]
fn k_35_readers_see_the_old_or_the_new_and_never_half() {
    let mut talk = hundred();
    let policy = Policy::with(Strategy::Auto);
    std::thread::scope(|scope| {
        let mut readers = Vec::new();
        for i in 0..8 {
            let (taken, policy) = (talk.clone(), &policy);
            readers.push(scope.spawn(move || {
                assert_eq!(taken.len(), 100 + i);
                (
                    view(&taken, policy, &ViewContext::default()).unwrap().messages(),
                    taken.messages().cloned().collect::<Vec<_>>(),
                )
            }));
            talk.add_user_message(format!("And {i}?")).unwrap();
        }
        for (i, reader) in readers.into_iter().enumerate() {
            let (seen, taken) = reader.join().unwrap();
            let again = Conversation::recorded(taken.iter().map(|m| (**m).clone()));
            assert_eq!(again.len(), 100 + i);
            assert_eq!(seen, view(&again, &policy, &ViewContext::default()).unwrap().messages());
        }
    });
    assert_eq!(talk.len(), 108);
}

/// F-04: an error without words gets some where the provider wants them, and is marked where the form can.
#[test]
fn f_04_errors_without_words_are_sent_as_each_provider_takes_them() {
    let talk = [
        Message::user("Count."),
        Message::of(Role::Assistant, vec![Block::tool_use("c1", "count", json!({}))]),
        Message::of(Role::Tool, vec![Block::tool_error("c1", "")]),
        Message::user("And?"),
    ];
    for format in Format::ALL {
        let body = export(&talk, format).unwrap();
        assert_eq!(validate_open(format, &body), [], "{format}: {body}");
        let text = body.to_string();
        let marked = match format {
            Format::OpenAi | Format::Responses => text.contains("\"output\"") || text.contains("\"tool\""),
            Format::Anthropic => text.contains("\"is_error\":true"),
            Format::Gemini => text.contains("\"error\""),
            Format::Bedrock => text.contains("\"status\":\"error\"") && !text.contains("\"content\":[]"),
        };
        assert!(marked, "{format}: {text}");
    }
}
