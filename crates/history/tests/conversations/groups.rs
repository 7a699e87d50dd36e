//! Which messages are kept or dropped together.

use ptc_history::conversation::groups::{GroupKind, Groups};
use ptc_history::{Block, Message, Role};
use serde_json::json;
use std::ops::Range;

fn call(ids: &[&str]) -> Message {
    Message::of(Role::Assistant, ids.iter().map(|i| Block::tool_use(*i, "f", json!({}))).collect())
}

fn answer(id: &str) -> Message {
    Message::of(Role::Tool, vec![Block::tool_result(id, "ok")])
}

fn shape(messages: &[Message]) -> Vec<(GroupKind, Range<usize>, usize)> {
    Groups::of(messages).all().iter().map(|g| (g.kind, g.range.clone(), g.open)).collect()
}

#[test]
fn parallel_results_in_separate_messages_are_one_group() {
    let m = [Message::system("s"), Message::user("u"), call(&["a", "b"]), answer("b"), answer("a")];
    let expected = vec![(GroupKind::System, 0..1, 0), (GroupKind::User, 1..2, 0), (GroupKind::Exchange, 2..5, 0)];
    assert_eq!(shape(&m), expected);
}

#[test]
fn ids_used_twice_pair_with_the_nearest_open_call() {
    let m = [call(&["a"]), answer("a"), call(&["a"]), answer("a")];
    assert_eq!(shape(&m), vec![(GroupKind::Exchange, 0..2, 0), (GroupKind::Exchange, 2..4, 0)]);
    // The first was never answered: the result is the second's.
    let m = [call(&["a"]), Message::user("u"), call(&["a"]), answer("a")];
    assert_eq!(
        shape(&m),
        vec![(GroupKind::Exchange, 0..1, 1), (GroupKind::User, 1..2, 0), (GroupKind::Exchange, 2..4, 0)]
    );
}

#[test]
fn a_late_result_draws_what_lies_between_into_the_group() {
    let m = [call(&["a"]), Message::user("wait"), Message::assistant("yes"), answer("a"), Message::user("u")];
    assert_eq!(shape(&m), vec![(GroupKind::Exchange, 0..4, 0), (GroupKind::User, 4..5, 0)]);
    assert_eq!(Groups::of(&m[..3]).redrawn(), 0);
    assert_eq!(Groups::of(&m).redrawn(), 4);
}

#[test]
fn orphans_and_open_calls_are_known() {
    let m = [answer("x"), call(&["a"])];
    let groups = Groups::of(&m);
    assert_eq!(groups.orphans(), 1);
    assert_eq!(groups.open().collect::<Vec<_>>(), vec![("a", "f", 1)]);
    assert_eq!(shape(&m), vec![(GroupKind::Orphan, 0..1, 0), (GroupKind::Exchange, 1..2, 1)]);
}

#[test]
fn call_and_result_in_one_message_are_an_exchange() {
    let m = Message::of(
        Role::Assistant,
        vec![Block::tool_use("a", "f", json!({})), Block::tool_result("a", "1"), Block::text("done")],
    );
    assert_eq!(shape(&[m]), vec![(GroupKind::Exchange, 0..1, 0)]);
}
