//! Seed 004: the sliding window and its safe cuts.

use super::{agent, see, summaries, talk, texts, warnings, with};
use ptc_history::export;
use ptc_history::policy::{Policy, Strategy};
use ptc_history::view::Reason;
use ptc_history::wire::Format;
use ptc_history::{Block, Message, Role};
use serde_json::json;

fn window(size: usize) -> Policy {
    with(Strategy::SlidingWindow, |p| (p.max_messages, p.summarize_removed, p.pin_task) = (size, false, false))
}

fn call(ids: &[&str]) -> Message {
    Message::of(Role::Assistant, ids.iter().map(|id| Block::tool_use(*id, "f", json!({}))).collect())
}

fn answer(id: &str) -> Message {
    Message::of(Role::User, vec![Block::tool_result(id, "ok")])
}

/// How many of the newest stay.
fn kept(list: &[Message], size: usize) -> usize {
    let messages = see(list, &window(size)).messages();
    assert_eq!(messages[..], list[list.len() - messages.len()..]);
    messages.len()
}

#[test]
fn f_08_f_10_more_than_fit_are_cut_and_the_target_itself_is_a_cut() {
    assert_eq!(kept(&talk(5), 10), 10, "equality is a no-op");
    assert_eq!(kept(&talk(5), 11), 10);
    for size in 1..10 {
        assert_eq!(kept(&talk(5), size), size, "off by none");
    }
}

#[test]
fn f_09_f_30_a_cut_parts_no_pair() {
    // Parallel results in messages of their own: the seed keeps an orphan at the head.
    let list = [call(&["a", "b"]), answer("a"), answer("b"), Message::assistant("done"), Message::user("thanks")];
    assert_eq!((1..=5).map(|n| kept(&list, n)).collect::<Vec<_>>(), [1, 2, 2, 2, 5]);
    let list = [Message::user("u"), call(&["a"]), answer("a"), call(&["b"]), answer("b")];
    assert_eq!((1..=5).map(|n| kept(&list, n)).collect::<Vec<_>>(), [2, 2, 2, 4, 5]);
}

#[test]
fn f_11_without_a_safe_cut_the_last_group_stays_and_that_is_said() {
    let list = [Message::user("u"), call(&["a", "b", "c"]), answer("a"), answer("b"), answer("c")];
    let view = see(&list, &window(2));
    assert_eq!(view.shown.len(), 4);
    assert!(warnings(&view)[0].starts_with("over_window: 4 messages stay, max_messages is 2"), "{:?}", view.events);
    assert!(warnings(&see(&list, &window(4))).is_empty());
}

#[test]
fn f_12_calls_that_wait_are_never_cut_off() {
    let list = [Message::user("u"), Message::assistant("a"), call(&["x", "y"]), answer("x"), Message::user("wait")];
    let view = see(&list, &window(1));
    assert_eq!(view.messages(), list[2..]);
    assert!(view.shown.iter().all(|s| s.reason == Reason::Open));
}

#[test]
fn f_13_f_14_system_messages_and_the_task_are_pinned() {
    let mut list = agent(10);
    list.insert(8, Message::system("later"));
    let view = see(&list, &with(Strategy::SlidingWindow, |p| (p.max_messages, p.summarize_removed) = (6, false)));
    assert_eq!(texts(&view)[..3], ["rules", "the task", "later"]);
    assert_eq!(view.shown.len(), 3 + 6);
}

#[test]
fn f_15_f_17_f_25_f_31_what_is_cut_off_leaves_one_capped_summary() {
    let mut list = agent(30);
    let mut old = Message::assistant("summary of an older file");
    old.meta_mut().memory = true;
    list.insert(2, old);
    let view = see(&list, &with(Strategy::SlidingWindow, |p| p.max_messages = 6));
    assert_eq!(texts(&view)[..4], ["rules", "the task", "summary of an older file", "TL;DR of 84 messages"]);
    assert_eq!(summaries(&view), [84]);
    assert!(view.shown[3].message.text().chars().count() <= 1600);
    // A view as the base of a later one: the summary is carried over into the next.
    let mut base = view.messages();
    base.extend(talk(3));
    let later = see(&base, &with(Strategy::SlidingWindow, |p| p.max_messages = 6));
    assert_eq!(summaries(&later), [90]);
    assert!(summaries(&see(&list, &with(Strategy::SlidingWindow, |p| p.summarize_removed = false))).is_empty());
}

#[test]
fn f_18_a_strict_provider_gets_a_user_message_first() {
    let view = see(&talk(5), &window(3));
    assert_eq!(view.shown[0].message.role, Role::Assistant);
    let body = export(&view.messages(), Format::Anthropic).unwrap();
    assert_eq!(body["messages"][0]["role"], "user");
}

#[test]
fn f_29_a_window_holds_one_message_at_least() {
    let error = window(0).check().unwrap_err().to_string();
    assert_eq!(error, "max_messages must be a whole number from 1, got 0");
}
