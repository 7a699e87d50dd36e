//! What a report costs to make, and the reasons of views.
#![allow(clippy::unwrap_used, reason = "a test may")]

use ptc_history::conversation::render;
use ptc_history::policy::{BatchTurns, Policy, Prices, Strategy};
use ptc_history::report::row;
use ptc_history::view::TokenCounter;
use ptc_history::why::{Change, diff_text, lines, text};
use ptc_history::{Block, Conversation, Message, Part, PartKind, Retention, Role, ViewContext, view};
use serde_json::json;
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
            all.push(Message::of(Role::Assistant, vec![Block::tool_use(format!("c{i}"), "f", json!({}))]));
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

fn talk() -> Conversation {
    let mut c = Conversation::new();
    c.push(Message::system("s")).unwrap();
    let part = Part {
        kind: PartKind::File,
        name: Some("f".into()),
        history_retention: Some(Retention::Summary),
        count: None,
        offset: None,
    };
    let input = Block::Text { text: "x".repeat(2000), part: Some(Box::new(part)) };
    c.push(Message::of(Role::User, vec![input, Block::text("look\nat this\n")])).unwrap();
    for i in 0..6 {
        c.add_assistant_response(None, Some("prose"), vec![Block::tool_use(format!("c{i}"), "f", json!({}))], vec![])
            .unwrap();
        c.push(Message::of(Role::Tool, vec![Block::tool_result(format!("c{i}"), "line\nline")])).unwrap();
        c.push(Message::assistant("done")).unwrap();
        c.push(Message::user("next")).unwrap();
    }
    c
}

#[test]
fn every_line_of_every_view_has_its_reason() {
    for strategy in Strategy::ALL {
        let mut policy = Policy::with(strategy);
        policy.from_timestamp = Some(0);
        let view = view(&talk(), &policy, &ViewContext::default()).unwrap();
        let lines: String = lines(&view).iter().map(|l| format!("{}\n", l.text)).collect();
        assert_eq!(lines, render::text(&view.messages()), "{}", strategy.name());
    }
    let text = text(&view(&talk(), &Policy::default(), &ViewContext::default()).unwrap());
    assert!(text.contains("\ninput of 2000 bytes, as its history_retention says | [File: f, ~2KB]\n"), "{text}");
    assert!(text.contains("\nfull history                                 | look\n"), "{text}");
}

/// What was decided about the boundary is told with its figures, and why it does not move yet.
#[test]
fn decisions_are_told_with_their_figures() {
    let mut all = vec![Message::system("s"), Message::user("task")];
    for i in 0..40 {
        all.push(Message::assistant(format!("{i} {}", "word ".repeat(150))));
        all.push(Message::user(format!("next {i}")));
    }
    let view = view(&Conversation::recorded(all), &Policy::with(Strategy::Auto), &ViewContext::default()).unwrap();
    let (last, made) = view.steps.split_last().unwrap();
    assert!(made.len() > 1 && made.iter().all(|s| s.made) && !last.made, "{:?}", view.steps);
    assert_eq!(view.boundary_moves, made.len() as u64);
    let text = text(&view);
    let told: Vec<&str> = text.lines().rev().take(view.steps.len()).collect();
    assert!(told[0].starts_with("after turn 40, turn") && told[0].ends_with(" more: not yet"), "{}", told[0]);
    assert!(told[0].contains(" whole: saves ") && told[0].contains(" at the cached price; "), "{}", told[0]);
    assert!(told[1].contains(" were folded: saves ") && told[1].ends_with(" more: pays"), "{}", told[1]);
}

#[test]
fn two_views_are_compared() {
    let talk = talk();
    let all = view(&talk, &Policy::default(), &ViewContext::default()).unwrap();
    let same = all.diff(&all);
    assert!(same.iter().all(|c| matches!(c, Change::Kept(..))) && same.len() == all.shown.len());
    let policy = Policy { batch_turns: BatchTurns::Turns(2), ..Policy::with(Strategy::Auto) };
    let auto = view(&talk, &policy, &ViewContext::default()).unwrap();
    let changes = all.diff(&auto);
    let count = |f: fn(&Change<'_>) -> bool| changes.iter().filter(|c| f(c)).count();
    let kept = count(|c| matches!(c, Change::Kept(..)));
    let changed = count(|c| matches!(c, Change::Changed(..)));
    assert_eq!(kept + changed + count(|c| matches!(c, Change::Removed(_))), all.shown.len());
    assert_eq!(kept + changed + count(|c| matches!(c, Change::Added(_))), auto.shown.len());
    assert!(count(|c| matches!(c, Change::Added(_))) > 0);
    let text = diff_text(&changes);
    assert!(text.starts_with("= message 0 system: system message, never touched\n"), "{text}");
    // The other way round it is the same with signs exchanged.
    let back = auto.diff(&all);
    assert_eq!(back.iter().filter(|c| matches!(c, Change::Kept(..))).count(), kept);
}

#[test]
fn what_is_shown_otherwise_is_changed() {
    let talk = talk();
    let summarised = view(&talk, &Policy::default(), &ViewContext::default()).unwrap();
    let off = view(&talk, &Policy { retention: false, ..Policy::default() }, &ViewContext::default()).unwrap();
    let changes = off.diff(&summarised);
    let changed: Vec<_> = changes.iter().filter(|c| !matches!(c, Change::Kept(..))).collect();
    assert!(matches!(changed[..], [Change::Changed(a, b)] if a.place() == Some(1) && b.place() == Some(1)));
}
