//! What every view keeps, whatever the conversation, the policy and the place in it: random and recorded ones.
//!
//! `PTC_CASES` sets how many random conversations are tried, `PTC_RECORDED` names a folder of recorded ones
//! (`*.jsonl`, one `{"messages": [...]}` a line) to be tried beside the committed sample.

// Tests unwrap and panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::panic)]

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use ptc_history::conversation::groups::Groups;
use ptc_history::policy::{BatchTurns, Prices, RetentionSummary, ShrinkAfter, Strategy as Way, SummaryRole, When};
use ptc_history::report::{self, Row};
use ptc_history::view::{Level, Reason, TokenCounter, View, ViewError};
use ptc_history::{
    Block, Conversation, Message, Part, PartKind, Policy, Retention, Role, ViewContext, render, view, why,
};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Tokens by rule: what they are matters less here than that they are the same for trigger, action and check.
struct Quarter;

impl TokenCounter for Quarter {
    fn id(&self) -> u64 {
        4
    }
    fn message(&self, message: &Message) -> u64 {
        4 + message.content.iter().map(|b| b.bytes().div_ceil(4) as u64).sum::<u64>()
    }
    fn overhead(&self) -> u64 {
        7
    }
}

const WITH: ViewContext<'static> = ViewContext {
    counter: Some(&Quarter),
    now: Some(2_000),
    summarizer: None,
    summary_cache: None,
    compact: None,
    strategy: None,
};

fn counted<'a>(messages: impl IntoIterator<Item = &'a Message>) -> u64 {
    Quarter.overhead() + messages.into_iter().map(|m| Quarter.message(m)).sum::<u64>()
}

/// What comes next in a random conversation.
#[derive(Clone, Debug)]
enum Next {
    System(bool),
    User(usize),
    Inputs(Vec<(usize, u8, u8)>),
    Answer(usize),
    /// Calls at once; the flag uses an id that was used before.
    Call(usize, bool),
    /// A result of the open call of this place, in a message of the user or the tool, with words or without.
    Result(usize, usize, bool, bool),
    /// All open calls answered in one message.
    Results(usize),
    Orphan,
    Blank(u8),
    Thought,
    Both,
}

fn next() -> impl Strategy<Value = Next> {
    let size = || prop_oneof![6 => 0..40_usize, 2 => 300..900_usize, 1 => 2_000..12_000_usize];
    prop_oneof![
        1 => any::<bool>().prop_map(Next::System),
        4 => size().prop_map(Next::User),
        3 => prop::collection::vec((size(), 0..4_u8, 0..5_u8), 1..4).prop_map(Next::Inputs),
        5 => size().prop_map(Next::Answer),
        5 => (1..4_usize, prop::bool::weighted(0.2)).prop_map(|(n, again)| Next::Call(n, again)),
        5 => (0..4_usize, size(), any::<bool>(), any::<bool>()).prop_map(|(i, s, u, w)| Next::Result(i, s, u, w)),
        4 => size().prop_map(Next::Results),
        1 => Just(Next::Orphan),
        1 => (0..6_u8).prop_map(Next::Blank),
        1 => Just(Next::Thought),
        1 => Just(Next::Both),
    ]
}

fn part(i: usize, size: usize, kind: u8, retention: u8) -> Block {
    let kinds = [PartKind::Table, PartKind::File, PartKind::Narrative, PartKind::Tool];
    let kind = kinds[usize::from(kind) % 4];
    let rows = || (0..size / 20).map(|r| format!("| {r} | cell {} |\n", r * i)).collect::<String>();
    let text = match kind {
        PartKind::Table => format!("| id | name |\n|---|---|\n{}", rows()),
        _ => format!("line {i}\n").repeat(size / 8),
    };
    let history_retention = match retention {
        0 => None,
        1 => Some(Retention::Full),
        2 => Some(Retention::Drop),
        _ => Some(Retention::Summary),
    };
    let name = (!size.is_multiple_of(3)).then(|| format!("input{}", size % 3));
    Block::Text { text, part: Some(Box::new(Part { kind, name, history_retention, count: None, offset: None })) }
}

fn conversation() -> impl Strategy<Value = Vec<Message>> {
    let marks = (prop::bool::weighted(0.04), prop::option::weighted(0.7, 0..1000_i64));
    prop::collection::vec((next(), marks), 0..36).prop_map(|list| {
        let mut out: Vec<Message> = Vec::new();
        let mut open: Vec<String> = Vec::new();
        for (i, (next, (memory, at))) in list.into_iter().enumerate() {
            let words = |size: usize| format!("said {i} {}", "word ".repeat(size / 5));
            let result = |id: String, size: usize| match size % 4 {
                0 => Block::tool_error(id, words(size)),
                _ => Block::tool_result(id, words(size)),
            };
            let mut m = match next {
                Next::System(long) => Message::system(words(if long { 200 } else { 3 })),
                Next::User(size) => Message::user(words(size)),
                Next::Inputs(inputs) => {
                    let parts = inputs.iter().map(|(size, kind, retention)| part(i, *size, *kind, *retention));
                    let mut blocks: Vec<Block> = parts.collect();
                    if inputs.len() == 2 {
                        blocks.insert(1, Block::text(words(9)));
                    }
                    Message::of(Role::User, blocks)
                }
                Next::Answer(size) if size % 2 == 0 => Message::assistant(format!("{}\nrecap - did {i}", words(size))),
                Next::Answer(size) => Message::assistant(words(size)),
                Next::Call(n, again) => {
                    let mut blocks = vec![Block::text(words(n))];
                    for k in 0..n {
                        let id = if again { "again".to_owned() } else { format!("c{i}_{k}") };
                        open.push(id.clone());
                        blocks.push(Block::tool_use(id, "find", json!({ "what": words(k) })));
                    }
                    Message::of(Role::Assistant, blocks)
                }
                Next::Result(which, size, user, text) if !open.is_empty() => {
                    let id = open.remove(which.min(open.len() - 1));
                    let mut blocks = vec![result(id, size)];
                    if text {
                        blocks.push(Block::text("go on"));
                    }
                    Message::of(if user { Role::User } else { Role::Tool }, blocks)
                }
                Next::Results(size) if !open.is_empty() => {
                    Message::of(Role::Tool, open.drain(..).map(|id| result(id, size)).collect())
                }
                Next::Result(..) | Next::Results(_) => Message::assistant("nothing to answer"),
                Next::Orphan => {
                    Message::of(Role::Tool, vec![Block::tool_result(format!("nobody{i}"), "?"), Block::text("hm")])
                }
                Next::Blank(kind) => match kind {
                    0 => Message::user("  "),
                    1 => Message::assistant(""),
                    2 => Message::of(Role::User, vec![]),
                    3 => Message::of(Role::Tool, vec![]),
                    4 => Message::system(" "),
                    _ => Message::of(Role::Assistant, vec![Block::Reasoning { text: " ".into(), signature: None }]),
                },
                Next::Thought => Message::of(
                    Role::Assistant,
                    vec![Block::Reasoning { text: words(40), signature: None }, Block::text("so")],
                ),
                Next::Both => {
                    let id = format!("b{i}");
                    let call = Block::tool_use(&id, "f", json!({}));
                    Message::of(Role::Assistant, vec![call, Block::tool_result(&id, "1"), Block::text("k")])
                }
            };
            if memory {
                m.meta_mut().memory = true;
            }
            if let Some(at) = at {
                // Clocks skew.
                m.meta_mut().at = Some(i as i64 * 100 + at);
            }
            out.push(m);
        }
        out
    })
}

prop_compose! {
    fn policy()(
        strategy in prop::sample::select(Way::ALL.to_vec()),
        (a, b, c) in (1..6_usize, 1..5_usize, 0..12_usize),
        (pin_task, flag, user, ladder, retention, honour) in any::<(bool, bool, bool, bool, bool, bool)>(),
        max_tokens in prop::option::weighted(0.5, prop_oneof![1 => 1..60_u64, 4 => 60..3_000_u64]),
        max_history_size in prop::option::weighted(0.3, 2..20_usize),
        (always, caching) in any::<(bool, bool)>(),
        way in 0..4_u8,
        threshold in prop_oneof![Just(0_u64), Just(300), Just(10_000)],
        batch in prop_oneof![Just(BatchTurns::Auto), (1..5_usize).prop_map(BatchTurns::Turns)],
        shrink in prop_oneof![Just(ShrinkAfter::AtOnce), (0..4_usize).prop_map(ShrinkAfter::Moves)],
    ) -> Policy {
        Policy {
            pin_task,
            compact_user_messages: flag,
            summarize_removed: flag,
            min_messages: c,
            summary_tokens: 16 + (a * 20) as u64,
            summary_role: if user { SummaryRole::User } else { SummaryRole::Assistant },
            min_preserved_assistant_messages: a,
            batch_size: b,
            last_messages: c,
            sticky_messages: c + a,
            chunk_size: a * b,
            from_timestamp: Some(1500),
            max_messages: a + c,
            keep_tool_results: a - 1,
            keep_turns: a,
            batch_turns: batch,
            shrink_after: shrink,
            max_tokens,
            max_history_size,
            when: always.then_some(When::Always),
            enable_token_caching: caching,
            ladder,
            retention: retention || honour,
            honour_explicit_full: honour,
            auto_summary_threshold: threshold,
            retention_summary: [RetentionSummary::Line, RetentionSummary::Smart, RetentionSummary::Differential, RetentionSummary::Semantic][usize::from(way)],
            ..Policy::with(strategy)
        }
    }
}

/// The first thing the user says that is no result and not blank (D5).
fn task(talk: &Conversation) -> Option<usize> {
    let wordy = |m: &Message| m.calls().next().is_none() && m.answers().next().is_none();
    talk.messages().position(|m| m.role == Role::User && wordy(m) && !m.is_blank())
}

/// The messages at the end whose calls wait for results (F-12).
fn waiting(talk: &Conversation) -> Vec<(usize, String)> {
    let last = talk.groups().iter().rposition(|g| {
        g.open == 0
            && matches!(
                g.kind,
                ptc_history::conversation::groups::GroupKind::Answer
                    | ptc_history::conversation::groups::GroupKind::Exchange
            )
    });
    let from = last.and_then(|i| talk.groups().get(i)).map_or(0, |g| g.range.end);
    talk.pairs().open().filter(|(_, _, at)| *at >= from).map(|(id, _, at)| (at, id.to_owned())).collect()
}

/// What holds of one view (F-30, F-12, F-13, K-09, K-10, K-14, K-21, K-32, B-26, R-12, V3, V4, V6, V11).
fn keeps(talk: &Conversation, policy: &Policy, view: &View) -> Result<(), TestCaseError> {
    let messages = view.messages();
    // Tool pairs: no orphan, and no call without its result but those that have none.
    let groups = Groups::of(&messages);
    prop_assert_eq!(groups.orphans(), 0, "an orphan is shown");
    for (id, _, i) in groups.open() {
        let place = view.shown[i].place();
        let open = talk.pairs().open().any(|(o, _, at)| o == id && Some(at) == place);
        prop_assert!(open, "call {id} of message {place:?} is shown without its result");
    }
    // System, task and open calls stay, whole and in order.
    let kept = |at: usize| view.shown.iter().find(|s| s.place() == Some(at) && s.message == *talk.get(at).unwrap());
    let systems = |m: &&Message| m.role == Role::System;
    let had: Vec<&Message> = talk.messages().map(|m| &**m).filter(systems).collect();
    prop_assert_eq!(messages.iter().filter(systems).collect::<Vec<_>>(), had, "system messages");
    if let Some(task) = task(talk).filter(|_| policy.pin_task) {
        let inputs = talk.get(task).unwrap().content.iter().any(|b| matches!(b, Block::Text { part: Some(_), .. }));
        let there = view.shown.iter().any(|s| s.place() == Some(task));
        prop_assert!(if inputs { there } else { kept(task).is_some() }, "the task, message {task}, is gone");
    }
    for (at, id) in waiting(talk) {
        let there = view.shown.iter().any(|s| s.place() == Some(at) && s.message.calls().any(|c| c.0 == id));
        prop_assert!(there, "the open call {id} of message {at} is gone");
    }
    // Order; nothing twice; nothing that says nothing; a reason for all.
    let places: Vec<usize> =
        view.shown.iter().filter(|s| kept(s.from.start).is_some()).filter_map(|s| s.place()).collect();
    prop_assert!(places.windows(2).all(|w| w[0] < w[1]), "order: {places:?}");
    for s in &view.shown {
        prop_assert!(s.message.role == Role::System || !s.message.is_blank(), "a blank message, {:?}", s.reason);
        prop_assert!(s.from.start < s.from.end && s.from.end <= talk.len());
        prop_assert!(s.blocks.is_empty() || s.blocks.len() == s.message.content.len());
    }
    prop_assert!(view.stable_prefix <= view.shown.len());
    if talk.is_empty() {
        prop_assert!(view.shown.is_empty());
    }
    // Budgets, counted anew.
    let tokens = view.tokens.unwrap();
    prop_assert_eq!(tokens.after, counted(&messages));
    prop_assert_eq!(tokens.before, counted(talk.messages().map(|m| &**m)));
    prop_assert!(policy.max_tokens.is_none_or(|max| tokens.after <= max), "over max_tokens");
    prop_assert!(policy.max_history_size.is_none_or(|max| messages.len() <= max), "over max_history_size");
    // Every line has its reason, and a view differs from itself in nothing.
    let lines: String = why::lines(view).iter().map(|l| format!("{}\n", l.text)).collect();
    prop_assert_eq!(lines, render::text(&messages));
    Ok(())
}

/// What holds of an error: the numbers are right (K-21, K-22).
fn right(error: &ViewError, policy: &Policy) -> Result<(), TestCaseError> {
    match error {
        ViewError::SystemOverBudget { max_tokens, system } => {
            prop_assert!(system > max_tokens && policy.max_tokens == Some(*max_tokens));
            prop_assert!(error.to_string().contains("maxTokens must accommodate system prompt"));
        }
        ViewError::PinnedOverBudget { max_tokens, pinned } => {
            prop_assert!(pinned > max_tokens && policy.max_tokens == Some(*max_tokens));
        }
        ViewError::PinnedOverSize { max_history_size, pinned } => {
            prop_assert!(pinned > max_history_size && policy.max_history_size == Some(*max_history_size));
        }
        other => prop_assert!(false, "no such error can be here: {other}"),
    }
    Ok(())
}

/// All promises for a conversation under a policy, at each of these lengths of it, in order.
fn promises(whole: &Conversation, policy: &Policy, lengths: &[usize]) -> Result<(), TestCaseError> {
    let as_it_was = whole.to_json();
    let mut before: Option<View> = None;
    let mut moves = 0;
    for k in lengths {
        // Entries are shared: what is remembered from one length meets the next.
        let talk = whole.up_to(*k);
        let now = match view(&talk, policy, &WITH) {
            Ok(now) => now,
            Err(error) => {
                right(&error, policy)?;
                prop_assert_eq!(view(&talk, policy, &WITH), Err(error));
                before = None;
                continue;
            }
        };
        // Looking closely costs more than the view does: at every third length, and always at the last.
        if (whole.len() - k).is_multiple_of(3) {
            keeps(&talk, policy, &now)?;
        }
        // B-16, B-17: the boundary never goes back, and between its moves each view begins with the one before.
        prop_assert!(now.boundary_moves >= moves, "moves {} after {moves}", now.boundary_moves);
        moves = now.boundary_moves;
        if let Some(before) =
            before.filter(|b| (b.boundary_moves, b.budget_cuts, now.budget_cuts) == (now.boundary_moves, 0, 0))
        {
            prop_assert_eq!(before.common(&now), before.shown.len(), "no move, and not its beginning, at {}", k);
        }
        before = Some(now);
    }
    // B-18, K-20, K-32, P-26, F-28: the same again, from a file, with nothing remembered, and with counts forgotten.
    let again = view(whole, policy, &WITH);
    let resumed = Conversation::from_json(&as_it_was).unwrap();
    prop_assert_eq!(&view(&resumed, policy, &WITH), &again);
    let other = Policy { enable_token_caching: !policy.enable_token_caching, ..policy.clone() };
    prop_assert_eq!(&view(whole, &other, &WITH), &again);
    prop_assert_eq!(whole.to_json(), as_it_was, "the conversation changed");
    Ok(())
}

/// A conversation in a line and a policy, for the report of a failure.
fn told(error: TestCaseError, talk: &Conversation, policy: &Policy) -> TestCaseError {
    let block = |b: &Block| match b {
        Block::Text { text, part: None } => format!("t{}", text.len()),
        Block::Text { text, part: Some(p) } => format!("{:?}({:?})t{}", p.kind, p.history_retention, text.len()),
        Block::Reasoning { .. } => "h".to_owned(),
        Block::ToolUse { id, .. } => format!("+{id}"),
        Block::ToolResult { id, content, .. } => format!("-{id}({})", content.len()),
    };
    let one = |m: &std::sync::Arc<Message>| {
        let memory = if m.meta.as_ref().is_some_and(|m| m.memory) { "memory " } else { "" };
        format!("{memory}{}: {}", m.role, m.content.iter().map(block).collect::<Vec<_>>().join(" "))
    };
    let sketch = talk.messages().map(one).collect::<Vec<_>>().join("\n  ");
    TestCaseError::fail(format!("{error}\nof:\n  {sketch}\nunder: {}\n", json!(policy)))
}

#[allow(clippy::disallowed_methods)] // A test is its own host.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Random conversations of each test; `.ci/run` tries `PTC_CASES=1000`.
fn cases() -> u32 {
    variable("PTC_CASES").map_or(200, |n| n.parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, max_shrink_iters: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn views_of_random_conversations_keep_their_promises(list in conversation(), policy in policy()) {
        let lengths: Vec<usize> = (0..=list.len()).collect();
        let talk = Conversation::recorded(list);
        promises(&talk, &policy, &lengths).map_err(|e| told(e, &talk, &policy))?;
    }

    /// Policies meet at the same messages, and what one of them left there is not taken for another's.
    #[test]
    fn policies_do_not_disturb_each_other(list in conversation(), policies in prop::collection::vec(policy(), 2..6)) {
        let shared = Conversation::recorded(list.clone());
        for k in [list.len() / 2, list.len()] {
            for policy in &policies {
                let alone = Conversation::recorded(list.iter().take(k).cloned());
                prop_assert_eq!(view(&shared.up_to(k), policy, &WITH), view(&alone, policy, &WITH));
            }
        }
    }
}

/// A report worked out request by request with nothing carried from one to the next.
fn reported(whole: &Conversation, policy: &Policy) -> Row {
    let mut row = Row::default();
    let mut before: Option<View> = None;
    let (mut last, mut full_last, mut full_before) = (0, 0, 0);
    let (mut cached, mut full_cached) = (0_u64, 0_u64);
    let systems = |all: Vec<Message>| all.into_iter().filter(|m| m.role == Role::System).collect::<Vec<_>>();
    for k in (0..whole.len()).filter(|k| whole.get(*k).unwrap().role == Role::Assistant) {
        let talk = whole.up_to(k);
        row.requests += 1;
        full_last = counted(talk.messages().map(|m| &**m));
        row.tokens_full += full_last;
        full_cached += full_before;
        full_before = full_last - Quarter.overhead();
        let now = match view(&talk, policy, &WITH) {
            Ok(now) => now,
            Err(error) => {
                row.failed += 1;
                row.failure.get_or_insert(error.to_string());
                continue;
            }
        };
        let messages = now.messages();
        last = counted(&messages);
        row.tokens += last;
        let common = before.as_ref().map_or(0, |b| b.common(&now));
        let mut same: u64 = messages[..common].iter().map(|m| Quarter.message(m)).sum();
        if let Some((a, b)) = before.as_ref().and_then(|b| b.shown.get(common)).zip(messages.get(common)) {
            let (x, y) = (a.message.text(), b.text());
            let start: String = x.chars().zip(y.chars()).take_while(|(c, d)| c == d).map(|(c, _)| c).collect();
            if a.message.role == b.role && !start.is_empty() {
                same += Quarter.message(&Message::new(b.role, start));
            }
        }
        cached += same.min(last);
        row.breaks += u64::from(before.as_ref().is_some_and(|b| now.breaks(b)));
        let (shown, had) = (Groups::of(&messages), talk.pairs());
        row.pairs_split += shown.open().count().saturating_sub(had.open().count()) as u64;
        row.pairs_split += shown.orphans().saturating_sub(had.orphans()) as u64;
        let all = talk.messages().map(|m| (**m).clone()).collect();
        row.system_dropped += u64::from(systems(messages) != systems(all));
        row.over_budget += u64::from(policy.max_tokens.is_some_and(|max| last > max));
        row.warnings += now.events.iter().filter(|e| e.level == Level::Warn).count() as u64;
        row.moves = now.boundary_moves;
        before = Some(now);
    }
    let percent = |part: f64, of: f64| if of == 0.0 { 0.0 } else { 100.0 * part / of };
    let prices = Prices::default();
    let cost = |all: u64, cached: u64| (all - cached) as f64 * prices.input + cached as f64 * prices.cached;
    row.cumulative = percent(row.tokens_full as f64 - row.tokens as f64, row.tokens_full as f64);
    row.last = percent(full_last as f64 - last as f64, full_last as f64);
    row.cached = percent(cached as f64, row.tokens as f64);
    row.cost = percent(cost(row.tokens, cached), cost(row.tokens_full, full_cached));
    row
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases().div_ceil(2), failure_persistence: None, max_shrink_iters: 20_000, ..ProptestConfig::default() })]

    /// What a report carries from request to request is what is worked out anew for each.
    #[test]
    fn a_report_is_the_sum_of_its_requests(list in conversation(), policy in policy()) {
        let talk = Conversation::recorded(list.clone());
        let row = report::row(std::slice::from_ref(&talk), &policy, Prices::default(), &WITH).unwrap();
        let anew = reported(&Conversation::recorded(list), &policy);
        prop_assert!(row == anew, "{row:?}\n{anew:?}\n{}", told(TestCaseError::fail("rows differ"), &talk, &policy));
    }
}

/// A conversation as part of a longer one: no call of another part is answered in it, which would make one group of all.
fn chapter(n: usize, mut list: Vec<Message>) -> Vec<Message> {
    for block in list.iter_mut().flat_map(|m| &mut m.content) {
        if let Block::ToolUse { id, .. } | Block::ToolResult { id, .. } = block {
            id.insert_str(0, &format!("{n}."));
        }
    }
    list
}

proptest! {
    // Each makes every view of a long conversation.
    #![proptest_config(ProptestConfig { cases: cases().div_ceil(50), failure_persistence: None, max_shrink_iters: 500, ..ProptestConfig::default() })]

    /// A report passes over requests between which nothing moved: what it says of them is what each of them is.
    #[test]
    fn a_report_looks_ahead_and_is_the_sum_of_its_requests(
        lists in prop::collection::vec((conversation(), 40..240_usize, 0..400_usize, any::<bool>()), 1..4),
        policy in policy(),
        budgets in prop::bool::weighted(0.1),
    ) {
        let mut list = Vec::new();
        for (n, (talk, turns, words, calls)) in lists.into_iter().enumerate() {
            list.extend(chapter(n, talk));
            // Turns that are like each other.
            for i in 0..turns {
                let words = "and ".repeat(words / 4);
                if calls && i % 3 == 0 {
                    let id = format!("calm{n}.{i}");
                    list.push(Message::of(Role::Assistant, vec![Block::tool_use(&id, "f", json!({ "n": i }))]));
                    list.push(Message::of(Role::Tool, vec![Block::tool_result(id, words)]));
                } else {
                    list.extend([Message::assistant(format!("turn {i} {words}")), Message::user("next")]);
                }
            }
        }
        let policy = match budgets {
            true => policy,
            false => Policy { max_tokens: None, max_history_size: None, when: None, ..policy },
        };
        let talk = Conversation::recorded(list.clone());
        let row = report::row(std::slice::from_ref(&talk), &policy, Prices::default(), &WITH).unwrap();
        let anew = reported(&Conversation::recorded(list), &policy);
        prop_assert!(row == anew, "{row:?}\n{anew:?}\n{}", told(TestCaseError::fail("rows differ"), &talk, &policy));
    }
}

proptest! {
    // Each is as long as twenty of the others.
    #![proptest_config(ProptestConfig { cases: cases().div_ceil(20), failure_persistence: None, max_shrink_iters: 2_000, ..ProptestConfig::default() })]

    /// K-32, D2: what is remembered of stretches of a long conversation is what is worked out anew: as it grows, at every
    /// length, and whatever other policies left there.
    #[test]
    fn long_conversations_are_remembered_right(
        lists in prop::collection::vec(conversation(), 12..24),
        policies in prop::collection::vec(policy(), 1..3),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 4),
        tokens in prop::option::of(3_000..60_000_u64),
    ) {
        let list: Vec<Message> = (0..).zip(lists).flat_map(|(n, list)| chapter(n, list)).collect();
        let shared = Conversation::recorded(list.clone());
        // Far from each other, and a few messages on.
        let cuts = cuts.iter().map(|cut| cut.index(list.len() + 1)).flat_map(|k| [k, k + 3, k + 9]);
        let cuts: Vec<usize> = cuts.filter(|k| *k <= list.len()).chain([list.len()]).collect();
        // Neighbours, that differ in one thing each; and a budget that a long conversation is over by a little.
        let neighbours = |p: &Policy| {
            let p = Policy { max_tokens: p.max_tokens.and(tokens).or(p.max_tokens), ..p.clone() };
            let threshold = p.auto_summary_threshold + 200;
            let unpinned = Policy { pin_task: !p.pin_task, ..p.clone() };
            let longer = Policy { keep_turns: p.keep_turns + 1, keep_tool_results: p.keep_tool_results + 2, ..p.clone() };
            let shorter = Policy { fold_call: 9, fold_request: 50, auto_summary_threshold: threshold, ..p.clone() };
            [p, unpinned, longer, shorter]
        };
        let policies: Vec<Policy> = policies.iter().flat_map(|p| [vec![p.clone()], neighbours(p).to_vec()].concat()).collect();
        let holds = |talk: &Conversation| {
            let anew = Conversation::from_json(&talk.to_json()).unwrap();
            for policy in &policies {
                let (remembered, anew) = (view(talk, policy, &WITH), view(&anew, policy, &WITH));
                prop_assert_eq!(remembered, anew, "at {} under {}", talk.len(), json!(policy));
            }
            Ok(())
        };
        for k in &cuts {
            holds(&shared.up_to(*k))?;
        }
        let mut grown = Conversation::new();
        for (k, message) in (1..).zip(list) {
            // What a record may hold and a conversation may not is left out.
            let _ = grown.push(message);
            if cuts.contains(&k) {
                holds(&grown)?;
            }
        }
    }
}

/// A session as they mostly are: asked with an input, called, answered, told.
fn session(len: usize) -> Conversation {
    let one = |i: usize| match i % 4 {
        _ if i == 0 => Message::system("be brief"),
        1 => Message::of(Role::User, vec![Block::text(format!("look into {i}")), part(i, 1_600 + i % 3, 1, 3)]),
        2 => Message::of(Role::Assistant, vec![Block::tool_use(format!("c{i}"), "find", json!({ "n": i }))]),
        3 => Message::of(Role::Tool, vec![Block::tool_result(format!("c{}", i - 1), "row ".repeat(60 + i * 7 % 900))]),
        _ => Message::assistant(format!("{}\nrecap - did {i}", "so it is ".repeat(i % 30))),
    };
    Conversation::recorded((0..len).map(one))
}

/// Each option that what is remembered depends on is part of what it is remembered by.
#[test]
fn policies_that_differ_in_one_option_share_nothing_that_hangs_on_it() {
    let options = [
        ("keep_turns", json!(3)),
        ("keep_tool_results", json!(40)),
        ("batch_turns", json!(2)),
        ("shrink_after", json!(5)),
        ("fold_prose", json!(7)),
        ("fold_call", json!(7)),
        ("fold_result", json!(7)),
        ("fold_request", json!(7)),
        ("pin_task", json!(false)),
        ("summary_role", json!("user")),
        ("summary_tokens", json!(90)),
        ("retention_summary", json!("differential")),
        ("auto_summary_threshold", json!(1000)),
        ("retention", json!(false)),
        ("max_tokens", json!(8_000)),
        ("enable_token_caching", json!(false)),
    ];
    let shared = session(500);
    let bases = [
        (Way::None, None, false),
        (Way::None, Some(5_000), false),
        (Way::None, Some(5_000), true),
        (Way::None, Some(12_000), true),
        (Way::Auto, None, false),
    ];
    for (strategy, max_tokens, ladder) in bases {
        let base = Policy { max_tokens, ladder, ..Policy::with(strategy) };
        let others = options.iter().map(|(key, value)| {
            let mut other = base.clone();
            other.set(key, value).unwrap();
            other
        });
        // From short to long, and each on what the ones before it left.
        let policies: Vec<Policy> = others.flat_map(|other| [base.clone(), other]).collect();
        for len in [330, 339, 500] {
            let talk = shared.up_to(len);
            let anew = |policy: &Policy| view(&session(len), policy, &WITH);
            let plain = anew(&base);
            for policy in &policies {
                let other = (*policy != base).then(|| anew(policy));
                assert_eq!(
                    &view(&talk, policy, &WITH),
                    other.as_ref().unwrap_or(&plain),
                    "at {len} under {}",
                    json!(policy)
                );
            }
        }
    }
}

/// The default policy shows everything as it is, however much it is (K-01, K-34, P-01, D1).
#[test]
fn without_a_policy_all_is_shown() {
    let talk = Conversation::recorded((0..400).map(|i| match i % 2 {
        0 => Message::user("x".repeat(1 + i * 50)),
        _ => Message::assistant(format!("{i}")),
    }));
    let view = view(&talk, &Policy::default(), &WITH).unwrap();
    assert_eq!(view.messages(), talk.messages().map(|m| (**m).clone()).collect::<Vec<_>>());
    assert_eq!((view.boundary_moves, view.budget_cuts, view.events.len()), (0, 0, 0));
    assert!(view.shown.iter().all(|s| s.reason == Reason::Everything));
}

#[allow(clippy::disallowed_methods)]
fn conversations(file: &Path) -> Vec<Conversation> {
    let text = std::fs::read_to_string(file).unwrap();
    let one = |line: &str| Conversation::from_json(&serde_json::from_str(line).unwrap()).unwrap();
    text.lines().filter(|l| !l.trim().is_empty()).map(one).collect()
}

/// Every strategy with and without budgets.
fn policies() -> Vec<Policy> {
    let mut out = Vec::new();
    for strategy in Way::ALL {
        let plain = Policy { max_age_ms: Some(0), ..Policy::with(strategy) };
        for (max_tokens, max_history_size, ladder) in
            [(None, None, false), (Some(4_000), None, false), (Some(4_000), None, true), (None, Some(20), false)]
        {
            out.push(Policy { max_tokens, max_history_size, ladder, ..plain.clone() });
        }
    }
    out
}

#[test]
fn views_of_recorded_conversations_keep_their_promises() {
    let mut files = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/conversations.jsonl")];
    if let Some(folder) = variable("PTC_RECORDED") {
        #[allow(clippy::disallowed_methods)]
        let list = std::fs::read_dir(folder).unwrap();
        files.extend(list.map(|f| f.unwrap().path()).filter(|f| f.extension().is_some_and(|e| e == "jsonl")));
    }
    let mut tried = 0;
    for file in files {
        for talk in conversations(&file) {
            // Before each message of the model, as requests are made.
            let asks = |at: &usize| talk.get(*at).is_none_or(|m| m.role == Role::Assistant);
            let lengths: Vec<usize> = (0..=talk.len()).filter(asks).collect();
            for policy in policies() {
                if let Err(error) = promises(&talk, &policy, &lengths) {
                    panic!("{} under {}: {error}", file.display(), json!(policy));
                }
                tried += lengths.len();
            }
        }
    }
    assert!(tried > 1000, "only {tried} views were made");
}
