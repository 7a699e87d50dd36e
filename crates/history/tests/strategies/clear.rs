//! Cleared tool results.

use super::{agent, see, with};
use ptc_history::policy::Strategy;
use ptc_history::view::Reason;
use ptc_history::{Block, Message, Role};
use serde_json::json;

fn results(list: &[Message], keep: usize) -> Vec<String> {
    let view = see(list, &with(Strategy::ClearToolResults, |p| p.keep_tool_results = keep));
    let result = |b: &Block| if let Block::ToolResult { content, .. } = b { Some(content.clone()) } else { None };
    view.messages().iter().flat_map(|m| m.content.iter().filter_map(result).collect::<Vec<_>>()).collect()
}

#[test]
fn older_results_become_notes_and_the_newest_stay() {
    let seen = results(&agent(5), 3);
    assert_eq!(seen[..2], ["[result cleared: 248 characters; turn 1]", "[result cleared: 248 characters; turn 3]"]);
    assert!(seen[2..].iter().all(|r| r.starts_with("page ")));
    let view = see(&agent(5), &with(Strategy::ClearToolResults, |_| ()));
    assert_eq!(view.shown[3].reason, Reason::Cleared { chars: 248 });
    assert_eq!((view.boundary_moves, view.stable_prefix, view.shown.len()), (2, 7, 17), "nothing else changes");
}

#[test]
fn what_the_model_has_not_seen_is_not_cleared() {
    let list = &agent(5)[..16];
    assert!(results(list, 0)[4].starts_with("page 5"));
    assert!(results(&agent(5), 0).iter().all(|r| r.starts_with('[')));
}

#[test]
fn an_error_keeps_its_first_line_and_a_short_result_stays() {
    let trace = format!("\nno such file: x\n{}", "  at frame\n".repeat(30));
    let list = [
        Message::of(Role::Assistant, vec![Block::tool_use("a", "f", json!({})), Block::tool_use("b", "f", json!({}))]),
        Message::of(Role::Tool, vec![Block::tool_error("a", trace.clone()), Block::tool_result("b", "ok")]),
        Message::assistant("hm"),
    ];
    let seen = results(&list, 0);
    assert_eq!(seen, [format!("[error cleared: {} characters; turn 1] no such file: x", trace.len()), "ok".to_owned()]);
    let view = see(&list, &with(Strategy::ClearToolResults, |p| p.keep_tool_results = 0));
    assert_eq!(*view.shown[1].blocks, [Reason::Cleared { chars: trace.len() }, Reason::Recent]);
}
