//! The promises that every strategy keeps, on random conversations with all the hazards that recorded ones have.
#![allow(clippy::unwrap_used)] // a test that cannot go on fails

use proptest::prelude::*;
use ptc_history::conversation::groups::Groups;
use ptc_history::policy::{BatchTurns, Policy, ShrinkAfter, Strategy as Way};
use ptc_history::tokens::{Api, CachedCounter, MessageCounter, Profiles, Schema, Seven};
use ptc_history::view::{Reason, View};
use ptc_history::{Block, Conversation, Message, Role, ViewContext, view};
use serde_json::json;

/// What comes next in a random conversation.
#[derive(Clone, Debug)]
enum Next {
    System,
    User(bool),
    Answer(bool),
    /// Calls at once; `true` uses an id a second time.
    Call(usize, bool, bool),
    /// Answers the open call of this place among the open ones, in a message of its own, as the user or the tool.
    Result(usize, usize, bool),
    Orphan,
    /// Call, result and text in one message.
    Both,
}

fn next() -> impl Strategy<Value = Next> {
    prop_oneof![
        1 => Just(Next::System),
        4 => any::<bool>().prop_map(Next::User),
        4 => any::<bool>().prop_map(Next::Answer),
        5 => (1..4_usize, prop::bool::weighted(0.1), any::<bool>()).prop_map(|(n, again, recap)| Next::Call(n, again, recap)),
        9 => (prop_oneof![4 => Just(usize::MAX), 1 => 0..4_usize], 1..400_usize, any::<bool>())
            .prop_map(|(i, size, user)| Next::Result(i, size, user)),
        1 => Just(Next::Orphan),
        1 => Just(Next::Both),
    ]
}

/// Conversations; without hazards each call is answered at once, by one message.
fn conversation() -> impl Strategy<Value = Vec<Message>> {
    let marks =
        (prop::bool::weighted(0.05), prop::option::weighted(0.7, 0..1000_i64), prop::option::weighted(0.1, 0..3_u32));
    (any::<bool>(), prop::collection::vec((next(), marks), 0..60)).prop_map(|(frames, list)| {
        let mut out: Vec<Message> = Vec::new();
        let mut open: Vec<String> = Vec::new();
        for (i, (next, (memory, at, frame))) in list.into_iter().enumerate() {
            let recap = |yes: bool| {
                if yes { format!("did {i}\nrecap - step {i}") } else { format!("said {i} {}", "x".repeat(i)) }
            };
            let mut m = match next {
                Next::System => Message::system(format!("rule {i}")),
                Next::User(long) => Message::user(format!("do {i} {}", "please ".repeat(if long { 40 } else { 1 }))),
                Next::Answer(yes) => Message::assistant(recap(yes)),
                Next::Call(n, again, yes) => {
                    let mut blocks = vec![Block::text(recap(yes))];
                    for k in 0..n {
                        let id = if again { "again".to_owned() } else { format!("c{i}_{k}") };
                        open.push(id.clone());
                        blocks.push(Block::tool_use(id, "find", json!({ "n": k })));
                    }
                    Message::of(Role::Assistant, blocks)
                }
                Next::Result(which, size, user) => {
                    if open.is_empty() {
                        continue;
                    }
                    let id = open.remove(which.min(open.len() - 1));
                    let text = "row ".repeat(size);
                    let block = if size % 5 == 0 { Block::tool_error(id, text) } else { Block::tool_result(id, text) };
                    let mut blocks = vec![block];
                    if size % 3 == 0 {
                        blocks.push(Block::text("go on"));
                    }
                    Message::of(if user { Role::User } else { Role::Tool }, blocks)
                }
                Next::Orphan => Message::of(Role::Tool, vec![Block::tool_result(format!("nobody{i}"), "?")]),
                Next::Both => {
                    let id = format!("b{i}");
                    let blocks =
                        vec![Block::tool_use(&id, "f", json!({})), Block::tool_result(&id, "1"), Block::text("k")];
                    Message::of(Role::Assistant, blocks)
                }
            };
            if memory {
                m.meta_mut().memory = true;
            }
            if let Some(at) = at {
                // Clocks skew.
                m.meta_mut().at = Some(i as i64 * 100 + at);
            }
            if let Some(frame) = frame.filter(|_| frames) {
                m.meta_mut().frame = Some(frame);
            }
            out.push(m);
        }
        out
    })
}

fn policy() -> impl Strategy<Value = Policy> {
    let ways = prop::sample::select(Way::ALL.to_vec());
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (ways, 1..6_usize, 1..5_usize, 0..12_usize, flags).prop_map(|(strategy, a, b, c, (pin, flag, user))| Policy {
        pin_task: pin,
        compact_user_messages: flag,
        summarize_removed: flag,
        min_messages: c,
        summary_tokens: 16 + (a * 20) as u64,
        summary_role: if user { ptc_history::policy::SummaryRole::User } else { Default::default() },
        min_preserved_assistant_messages: a,
        batch_size: b,
        last_messages: c,
        sticky_messages: c + a,
        chunk_size: a * b,
        from_timestamp: Some(1500),
        max_messages: a + c,
        keep_tool_results: a - 1,
        keep_turns: a,
        ..Policy::with(strategy)
    })
}

fn shown(c: &Conversation, p: &Policy) -> View {
    view(c, p, &ViewContext::default()).unwrap()
}

fn whole(view: &View, c: &Conversation) -> Vec<usize> {
    let same = |s: &&ptc_history::view::ViewMessage| c.get(s.from.start).is_some_and(|m| *m == s.message);
    view.shown.iter().filter(same).map(|s| s.from.start).collect()
}

fn calls(messages: &[Message]) -> (usize, usize) {
    let groups = Groups::of(messages);
    (groups.open().count(), groups.orphans())
}

/// Calls at the end that wait for results.
fn waiting(c: &Conversation) -> Vec<usize> {
    let mut out = Vec::new();
    for at in (0..c.len()).rev() {
        let m = c.get(at).unwrap();
        if c.pairs().open().any(|o| o.2 == at) {
            out.push(at);
        } else if m.role == Role::Assistant {
            break;
        }
    }
    out
}

/// OpenAI's own vocabulary, and the seven weights in its place.
fn counters() -> [MessageCounter; 2] {
    let profile = || Profiles::built_in().find("openai", Api::Chat, "gpt-4o");
    let exact = MessageCounter::new(profile(), &[], &Schema::None).unwrap();
    [exact, MessageCounter::with_ruler(profile(), CachedCounter::new(Seven), &[], &Schema::None)]
}

/// A conversation in a line, for the report of a failure.
fn sketch(list: &[Message]) -> String {
    let block = |b: &Block| match b {
        Block::Text { .. } => "t".to_owned(),
        Block::Reasoning { .. } => "h".to_owned(),
        Block::ToolUse { id, .. } => format!("+{id}"),
        Block::ToolResult { id, .. } => format!("-{id}"),
    };
    let one = |m: &Message| format!("{}:{}", &m.role.as_str()[..1], m.content.iter().map(block).collect::<String>());
    list.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// A result that nobody asked for is in no view, so a short form saves nothing by it (F-30): alone, beside a blank text,
/// beside a text that is shown, and before the first turn.
#[test]
fn what_no_view_shows_is_not_saved() {
    let orphan = |content: &str| Block::ToolResult {
        id: "nobody1".into(),
        content: content.into(),
        is_error: Some(false),
        ms: None,
    };
    let tool = |blocks: Vec<Block>| Message::of(Role::Tool, blocks);
    let said = || Message::assistant("did 0\nrecap - step 0");
    let long = "row ".repeat(60);
    for mut list in [
        vec![said(), tool(vec![orphan("?")])],
        vec![said(), tool(vec![orphan(&long), Block::text(" ")])],
        vec![said(), tool(vec![Block::text("\n"), orphan(&long), orphan("?")])],
        vec![said(), tool(vec![orphan(&long), Block::text("so it is")])],
        vec![tool(vec![orphan(&long)]), Message::user("go"), said()],
        vec![tool(vec![orphan(&long), Block::text(" ")]), Message::user("go"), said()],
        vec![Message::user("go"), tool(vec![orphan(&long), Block::text("a")]), said()],
    ] {
        list.extend((2..7).map(|i| Message::assistant(format!("said {i} {}", "x".repeat(i)))));
        let c = Conversation::recorded(list);
        for pin_task in [true, false] {
            let auto = Policy {
                keep_turns: 1,
                batch_turns: BatchTurns::Turns(1),
                shrink_after: ShrinkAfter::AtOnce,
                pin_task,
                ..Policy::with(Way::Auto)
            };
            let (full, short) = (shown(&c, &Policy::default()).messages(), shown(&c, &auto).messages());
            for counter in counters() {
                let count = |all: &[Message]| all.iter().map(|m| counter.message(m)).sum::<u64>();
                assert!(count(&short) <= count(&full), "{short:#?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// F-30, K-04, K-05, K-09, K-12, F-12, F-13, F-14, B-10, B-18, B-26, K-31: what no strategy may do.
    #[test]
    fn nothing_is_lost_that_must_stay(list in conversation(), p in policy()) {
        let c = Conversation::recorded(list.clone());
        let view = shown(&c, &p);
        let messages = view.messages();
        // Pairs: no half that the conversation has as a pair.
        let ((open, orphans), (had_open, _)) = (calls(&messages), calls(&list));
        prop_assert!(open <= had_open && orphans == 0, "{:?}: {open}/{had_open} open, {orphans} orphans", p.strategy);
        // Pins, byte for byte and in order.
        let kept = whole(&view, &c);
        for (at, m) in list.iter().enumerate() {
            prop_assert!(m.role != Role::System || kept.contains(&at), "system message {at} is gone");
        }
        let task = list.iter().position(|m| m.role == Role::User && m.is_plain());
        prop_assert!(!p.pin_task || task.is_none_or(|t| kept.contains(&t)), "the task is gone");
        for at in waiting(&c) {
            prop_assert!(kept.contains(&at), "{:?}: open call {at} is gone of {}", p.strategy, sketch(&list));
        }
        // Order, no message twice, none empty.
        prop_assert!(kept.windows(2).all(|w| w[0] < w[1]), "order: {kept:?}");
        for s in &view.shown {
            prop_assert!(!s.message.content.is_empty());
            prop_assert!(s.from.end <= list.len() && s.from.start < s.from.end, "{:?}: {s:?} of {}", p.strategy, sketch(&list));
            prop_assert!(s.blocks.is_empty() || s.blocks.len() == s.message.content.len());
            // The reason is the right one.
            let original = c.get(s.from.start).is_some_and(|m| *m == s.message);
            prop_assert_eq!(original, !matches!(s.reason, Reason::Summary { .. } | Reason::Folded { .. } | Reason::FoldedTurns { .. } | Reason::Recap | Reason::Cleared { .. })
                && (s.reason != Reason::NotCompactable || original), "{:?}", s.reason);
            prop_assert_eq!(s.message.role == Role::System, s.reason == Reason::System || matches!(s.reason, Reason::Everything | Reason::Small) && s.message.role == Role::System);
        }
        prop_assert!(view.stable_prefix <= view.shown.len());
        // The same again, and with nothing remembered.
        prop_assert_eq!(&shown(&c, &p), &view);
        prop_assert_eq!(&shown(&Conversation::recorded(list.clone()), &p), &view);
        let resumed = Conversation::from_json(&c.to_json()).unwrap();
        prop_assert_eq!(&shown(&resumed, &p), &view);
        prop_assert_eq!(c.messages().map(|m| (**m).clone()).collect::<Vec<_>>(), list);
    }

    /// B-16, B-17, B-22, R-35: the boundary never goes back, and between its moves each view begins with the one before.
    #[test]
    fn between_moves_each_view_begins_with_the_one_before(list in conversation(), p in policy()) {
        let mut c = Conversation::recorded(Vec::new());
        let mut before: Option<View> = None;
        for (at, m) in list.iter().enumerate() {
            c = Conversation::recorded(c.messages().map(|m| (**m).clone()).chain([m.clone()]));
            let now = shown(&c, &p);
            if let Some(before) = before {
                prop_assert!(now.boundary_moves >= before.boundary_moves, "{:?} at {at}: moves {} after {} of {}", p.strategy, now.boundary_moves, before.boundary_moves, sketch(&list));
                if now.boundary_moves == before.boundary_moves {
                    prop_assert_eq!(before.common(&now), before.shown.len(), "{:?} at {} of {}", p.strategy, at, sketch(&list));
                }
            }
            before = Some(now);
        }
    }

    /// What shortens turns, results and messages one by one never shows more than the full history has, in tokens as
    /// OpenAI counts them and as the seven weights estimate them: where a short form is not shorter, the whole is shown.
    #[test]
    fn no_view_is_larger_than_the_full_history(
        list in conversation(), (tiny, way) in (0..3_usize, 0..3_usize), p in policy(),
        batch_turns in prop_oneof![Just(BatchTurns::Auto), (1..5_usize).prop_map(BatchTurns::Turns)],
        shrink_after in prop_oneof![Just(ShrinkAfter::AtOnce), (0..4_usize).prop_map(ShrinkAfter::Moves)],
    ) {
        let ways = [Way::Auto, Way::ClearToolResults, Way::Batch];
        let p = Policy { strategy: ways[way], batch_turns, shrink_after, ..p };
        let mut list = list;
        // Chats of words, too.
        for (i, block) in list.iter_mut().flat_map(|m| &mut m.content).enumerate().filter(|_| tiny > 0) {
            let short = ["ok", "yes, do\nthat", "  ", "1"][i % 4];
            match block {
                Block::Text { text, .. } if i % 5 < 4 => *text = if tiny == 1 { short.to_owned() } else { " \n".repeat(40) + short },
                Block::ToolResult { content, .. } if i % 3 < 2 => *content = if tiny == 1 { short.to_owned() } else { " ".repeat(200) },
                _ => {}
            }
        }
        let c = Conversation::recorded(list.clone());
        let full = view(&c, &Policy { retention: p.retention, ..Policy::default() }, &ViewContext::default()).unwrap().messages();
        let short = shown(&c, &p).messages();
        for counter in counters() {
            let count = |all: &[Message]| all.iter().map(|m| counter.message(m)).sum::<u64>();
            prop_assert!(count(&short) <= count(&full), "{:?}: {} of {} tokens ({}) of {}\n{:#?}",
                p.strategy, count(&short), count(&full), counter.profile().id, sketch(&list), short);
        }
    }

    /// D2, K-08: a view may become the base of later views; what is short already stays as it is.
    #[test]
    fn a_view_of_a_view_is_that_view(list in conversation(), p in policy()) {
        // Auto's folds are no summaries of their own; and with messages go their times.
        let strategy = if matches!(p.strategy, Way::Auto | Way::FromTimestamp) { Way::Batch } else { p.strategy };
        // So short a view is not compressed again: what K-26 left of two messages would be one.
        let p = Policy { strategy, min_messages: p.min_messages.max(3), ..p };
        // A frame that could not be left for an open call of it can be once that is a recap.
        let mut list = list;
        list.iter_mut().filter_map(|m| m.meta.as_mut()).for_each(|m| m.frame = None);
        let once = shown(&Conversation::recorded(list.clone()), &p).messages();
        let twice = shown(&Conversation::recorded(once.clone()), &p).messages();
        prop_assert_eq!(once, twice, "{:?} of {}", p.strategy, sketch(&list));
    }
}
