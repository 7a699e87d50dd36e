//! Seed 002: TL;DRs by rule, where the boundary lies, what is kept.

use super::{agent, see, summaries, talk, texts, warnings, with};
use ptc_history::policy::{Policy, Strategy, SummaryRole};
use ptc_history::view::{Reason, ViewError};
use ptc_history::{Block, Conversation, Message, Role, ViewContext, view};
use serde_json::json;

#[test]
fn k_01_k_34_without_a_strategy_nothing_is_ever_compressed() {
    let view = see(&agent(200), &Policy::default());
    assert_eq!(view.messages(), agent(200));
    assert!(view.boundary_moves == 0 && view.shown.iter().all(|s| s.reason == Reason::Everything));
}

#[test]
fn k_02_k_03_whole_history_keeps_system_task_memory_and_open_calls() {
    let mut list = agent(5);
    list.insert(7, Message::system("a rule that came later"));
    let mut memory = Message::user("the user lives in Bern");
    memory.meta_mut().memory = true;
    list.insert(9, memory);
    list.push(Message::of(Role::Assistant, vec![Block::tool_use("open", "find", json!({}))]));
    let view = see(&list, &Policy::with(Strategy::WholeHistory));
    let expected =
        ["rules", "the task", "a rule that came later", "the user lives in Bern", "TL;DR of 15 messages", ""];
    assert_eq!(texts(&view), expected);
    let reasons: Vec<&Reason> = view.shown.iter().map(|s| &s.reason).collect();
    assert_eq!(reasons[..4], [&Reason::System, &Reason::Task, &Reason::System, &Reason::Memory]);
    assert_eq!((reasons[4], reasons[5]), (&Reason::Summary { of: 15 }, &Reason::Open));
    assert_eq!(view.shown[4].message.role, Role::Assistant, "D4");
    let user = see(&list, &with(Strategy::WholeHistory, |p| p.summary_role = SummaryRole::User));
    assert_eq!(user.shown[4].message.role, Role::User);
}

#[test]
fn k_04_the_last_n_stay_and_pairs_are_not_cut() {
    // 47 messages: system, task, 15 turns of three.
    let list = agent(15);
    for n in 0..=list.len() + 2 {
        let view = see(&list, &with(Strategy::LastNMessages, |p| p.last_messages = n));
        let messages = view.messages();
        let whole = list.iter().rev().zip(messages.iter().rev()).take_while(|(a, b)| a == b).count();
        assert!(whole >= n.min(list.len()) && whole <= n.max(1) + 1 || n + 3 >= list.len(), "{n}: {whole}");
        assert!(summaries(&view).len() <= 1);
    }
    let all = see(&list, &with(Strategy::LastNMessages, |p| p.last_messages = 47));
    assert_eq!(all.messages(), list, "n >= len is a no-op");
    let none = see(&list, &with(Strategy::LastNMessages, |p| p.last_messages = 0));
    assert_eq!(none.messages(), see(&list, &Policy::with(Strategy::WholeHistory)).messages());
}

#[test]
fn k_05_chunks_are_whole_groups_in_order() {
    let view = see(&agent(6), &with(Strategy::Chunked, |p| p.chunk_size = 5));
    // Call and result are two that stay together; system and task are not counted.
    assert_eq!(summaries(&view), [5, 4, 5, 4], "{:?}", texts(&view));
    let one = see(&agent(6), &with(Strategy::Chunked, |p| p.chunk_size = 1));
    assert_eq!(summaries(&one), [2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1], "a group is never split");
    // Finished chunks stay as they are when the conversation goes on.
    let longer = see(&agent(7), &with(Strategy::Chunked, |p| p.chunk_size = 5));
    assert!(view.common(&longer) >= view.stable_prefix && view.stable_prefix >= 5);
}

#[test]
fn k_06_times_are_compared_with_the_place_as_the_second_word() {
    let list: Vec<Message> = (0..20)
        .map(|i| {
            let mut m = Message::user(format!("m{i}"));
            // A clock that goes back once, and a message without a time.
            m.meta_mut().at = (i != 11).then_some(if i == 12 { 0 } else { i * 10 });
            m
        })
        .collect();
    let policy = with(Strategy::FromTimestamp, |p| p.from_timestamp = Some(100));
    let shown = see(&list, &policy);
    assert_eq!(texts(&shown)[..4], ["m0", "TL;DR of 9 messages", "m10", "m11"]);
    let c = Conversation::recorded(list);
    let policy = with(Strategy::FromTimestamp, |p| p.max_age_ms = Some(50));
    let error = view(&c, &policy, &ViewContext::default()).unwrap_err();
    assert!(matches!(error, ViewError::Missing(_)) && error.to_string().contains("hand in `now`"), "{error}");
    let shown = view(&c, &policy, &ViewContext { now: Some(200), ..ViewContext::default() }).unwrap();
    assert_eq!(texts(&shown)[2], "m15");
    let timeless = see(&agent(5), &with(Strategy::FromTimestamp, |p| p.from_timestamp = Some(1)));
    assert_eq!(timeless.messages(), agent(5));
    assert!(warnings(&timeless)[0].contains("no message has a time"));
}

#[test]
fn k_07_each_system_message_opens_a_stretch() {
    let mut list = vec![Message::user("before"), Message::assistant("hello")];
    list.extend([Message::system("s1"), Message::user("u1"), Message::assistant("a1")]);
    list.extend([Message::system("s2")]);
    list.extend([Message::system("s3"), Message::user("u3"), Message::assistant("a3"), Message::user("v3")]);
    let view = see(&list, &Policy::with(Strategy::WholeHistoryMultipleSystemMessages));
    // The preamble is of the first stretch; one with nothing but its system message gets no TL;DR.
    let expected = ["before", "s1", "TL;DR of 3 messages", "s2", "s3", "u3", "TL;DR of 2 messages"];
    assert_eq!(texts(&view), expected);
}

#[test]
fn k_08_k_09_the_policy_is_asked_each_time_and_gives_the_same() {
    let c = Conversation::recorded(agent(20));
    let policy = Policy::with(Strategy::WholeHistory);
    let first = view(&c, &policy, &ViewContext::default()).unwrap();
    assert_eq!(view(&c, &policy, &ViewContext::default()).unwrap(), first);
    assert_eq!(*first.shown[0].message, Message::system("rules"));
}

#[test]
fn k_24_k_26_two_messages_stay_and_fewer_are_warned_of() {
    let list: Vec<Message> = (0..12).map(|i| Message::assistant(format!("a{i}"))).collect();
    let view = see(&list, &Policy::with(Strategy::WholeHistory));
    assert_eq!(texts(&view), ["TL;DR of 11 messages", "a11"]);
    assert!(warnings(&view).is_empty());
    let view = see(&list[..1], &Policy::with(Strategy::WholeHistory));
    assert_eq!(warnings(&view), ["strategy whole_history leaves 1 message: context may be lost"]);
}

#[test]
fn k_25_a_short_history_is_not_compressed() {
    for strategy in [Strategy::WholeHistory, Strategy::LastNMessages, Strategy::Chunked] {
        let policy = with(strategy, |p| p.last_messages = 2);
        let nine = see(&talk(5)[..9], &policy);
        assert_eq!(nine.messages(), talk(5)[..9]);
        assert!(nine.shown.iter().all(|s| s.reason == Reason::Small));
        assert!(!summaries(&see(&talk(5), &policy)).is_empty(), "exactly ten are compressed");
        let early = with(strategy, |p| (p.min_messages, p.last_messages) = (3, 1));
        assert!(!summaries(&see(&talk(2), &early)).is_empty());
    }
}

#[test]
fn k_29_k_30_a_hundred_messages_become_less_than_ten() {
    let list = agent(33)[..100].to_vec();
    let size = |m: &[Message]| m.iter().map(|m| m.content.iter().map(Block::bytes).sum::<usize>()).sum::<usize>();
    for policy in [
        Policy::with(Strategy::WholeHistory),
        with(Strategy::LastNMessages, |p| p.last_messages = 5),
        with(Strategy::Chunked, |p| (p.chunk_size, p.summary_tokens) = (20, 100)),
        Policy::with(Strategy::WholeHistoryMultipleSystemMessages),
    ] {
        let view = see(&list, &policy);
        assert!(view.shown.len() < 10, "{:?}: {}", policy.strategy, view.shown.len());
        assert!(size(&view.messages()) * 10 <= size(&list) * 4, "{:?}", policy.strategy);
    }
}

#[test]
fn a_sticky_boundary_moves_only_when_too_many_wait() {
    let policy = with(Strategy::StickySummary, |p| (p.last_messages, p.sticky_messages) = (4, 12));
    let list = agent(30);
    let mut moved = Vec::new();
    let mut before = see(&[], &policy);
    for len in 1..=list.len() {
        let now = see(&list[..len], &policy);
        if now.boundary_moves == before.boundary_moves {
            assert_eq!(before.common(&now), before.shown.len());
        } else {
            moved.push(len);
        }
        assert!(now.shown.len() <= 2 + 1 + 13);
        before = now;
    }
    assert!(moved.len() >= 8 && moved.windows(2).all(|w| w[1] - w[0] >= 7), "{moved:?}");
}

#[test]
fn a_tldr_says_most_of_the_newest_and_keeps_to_its_bound() {
    let tokens = 100;
    let view = see(&agent(60), &with(Strategy::WholeHistory, |p| p.summary_tokens = tokens));
    let text = view.shown[2].message.text().into_owned();
    assert!(text.chars().count() <= 4 * tokens as usize, "{text}");
    assert!(text.contains("earlier turns") && text.contains("find(60)") && !text.contains("find(1)"), "{text}");
    assert_eq!(view.shown[2].blocks.len(), view.shown[2].message.content.len(), "a reason for each line");
    assert_eq!(view.shown[2].blocks.last(), Some(&Reason::Folded { turn: 120 }));
}

#[test]
fn k_07_a_late_result_that_moves_a_turn_makes_the_summary_anew() {
    let called = Message::of(Role::User, vec![Block::tool_use("a", "f", json!({}))]);
    let list = [
        Message::system("s"),
        Message::user("u"),
        Message::assistant("hi"),
        called,
        Message::assistant("x"),
        Message::system("s2"),
        Message::user("u2"),
        Message::of(Role::Tool, vec![Block::tool_result("a", "1")]),
        Message::assistant("y"),
    ];
    let policy = with(Strategy::WholeHistoryMultipleSystemMessages, |p| p.min_messages = 0);
    let talk = Conversation::recorded(list.clone());
    view(&talk.up_to(7), &policy, &ViewContext::default()).unwrap();
    let alone = view(&Conversation::recorded(list), &policy, &ViewContext::default()).unwrap();
    assert_eq!(view(&talk, &policy, &ViewContext::default()).unwrap(), alone);
}
