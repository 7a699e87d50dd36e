//! The work of a report, counted.

use super::*;
use crate::conversation::message::{Block, Message};
use crate::policy::Strategy;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts how often it is asked for the tokens of a message, and how often it is looked whether they are known.
#[derive(Default)]
struct Asked {
    counted: AtomicU64,
    looked_up: AtomicU64,
}

impl TokenCounter for Asked {
    fn id(&self) -> u64 {
        self.looked_up.fetch_add(1, Ordering::Relaxed);
        7
    }
    fn message(&self, message: &Message) -> u64 {
        self.counted.fetch_add(1, Ordering::Relaxed);
        4 + message.content.iter().map(|b| b.bytes() as u64).sum::<u64>() / 4
    }
    fn overhead(&self) -> u64 {
        3
    }
}

/// Turns of a few words each, every third with a call and its result.
fn tiny(turns: usize) -> Conversation {
    let mut all = vec![Message::system("Be brief."), Message::user("Count.")];
    for i in 0..turns {
        if i % 3 == 0 {
            all.push(Message::of(Role::Assistant, vec![Block::tool_use(format!("c{i}"), "f", serde_json::json!({}))]));
            all.push(Message::of(Role::Tool, vec![Block::tool_result(format!("c{i}"), "1")]));
        } else {
            all.extend([Message::assistant(format!("n{i}")), Message::user("next")]);
        }
    }
    Conversation::recorded(all)
}

/// How often messages are counted, and how often they are looked up, in a report of so many turns.
fn work(strategy: Strategy, turns: usize) -> (u64, u64) {
    let policy = Policy { from_timestamp: Some(0), ..Policy::with(strategy) };
    let counter = Asked::default();
    let view_context = ViewContext { counter: Some(&counter), ..ViewContext::default() };
    let row = row(&[tiny(turns)], &policy, Prices::default(), &view_context).unwrap();
    assert_eq!((row.requests, row.failed), (turns as u64, 0), "{strategy:?}");
    (counter.counted.load(Ordering::Relaxed), counter.looked_up.load(Ordering::Relaxed))
}

/// Every message is counted a few times in all, not once for every request that shows it.
#[test]
fn a_report_counts_no_message_for_each_request_again() {
    for strategy in Strategy::ALL {
        let (some, many) = (work(strategy, 150).0, work(strategy, 600).0);
        assert!(many < some * 5, "{strategy:?}: {some} for 150 turns, {many} for 600");
    }
}

/// Nor is a request gone over again for the next one where nothing moved for long, or where it shows little of a long
/// conversation. Left out are the strategies that move every few turns here and show a part that grows with the
/// conversation: each of these views is made.
#[test]
fn a_report_goes_over_no_message_for_each_request_again() {
    let one_by_one = [Strategy::Batch, Strategy::Chunked, Strategy::ClearToolResults, Strategy::Auto];
    for strategy in Strategy::ALL.into_iter().filter(|s| !one_by_one.contains(s)) {
        let (some, many) = (work(strategy, 200).1, work(strategy, 800).1);
        assert!(many < some * 6, "{strategy:?}: {some} for 200 turns, {many} for 800");
    }
}
