//! The work of a report, counted.

use super::*;
use crate::message::{Block, Message};
use crate::policy::Strategy;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts how often it is asked.
#[derive(Default)]
struct Asked(AtomicU64);

impl Measure for Asked {
    fn id(&self) -> u64 {
        7
    }
    fn message(&self, message: &Message) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed);
        4 + message.content.iter().map(|b| b.bytes() as u64).sum::<u64>() / 4
    }
    fn around(&self) -> u64 {
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

/// Every message is counted a few times in all, not once for every request that shows it.
#[test]
fn a_report_counts_no_message_for_each_request_again() {
    for strategy in Strategy::ALL {
        let policy = Policy { from_timestamp: Some(0), ..Policy::with(strategy) };
        let asked = |turns: usize| {
            let measure = Asked::default();
            let with = With { measure: Some(&measure), ..With::default() };
            let row = row(&[tiny(turns)], &policy, Prices::default(), &with).unwrap();
            assert_eq!((row.requests, row.failed), (turns as u64, 0), "{strategy:?}");
            measure.0.load(Ordering::Relaxed)
        };
        let (some, many) = (asked(150), asked(600));
        assert!(many < some * 5, "{strategy:?}: {some} for 150 turns, {many} for 600");
    }
}
