//! Seed 001: batches of recap lines.

use super::{see, talk, texts, warnings, with};
use ptc_history::export;
use ptc_history::policy::{Policy, Strategy};
use ptc_history::view::{Reason, View};
use ptc_history::wire::Format;
use ptc_history::{Block, Compact, Compactable, Conversation, Message, Recap, Role, ViewContext, render, view};
use serde_json::json;

fn seed() -> Policy {
    with(Strategy::Batch, |p| p.pin_task = false)
}

#[test]
fn b_01_b_05_b_06_b_07_the_table_of_the_formula_oldest_first() {
    for (n, k) in [(1, 0), (6, 0), (7, 4), (8, 4), (10, 4), (11, 8), (14, 8), (15, 12)] {
        let view = see(&talk(n), &seed());
        let recaps: Vec<String> = (1..=k).map(|i| format!("recap - A{i}")).collect();
        assert_eq!(texts(&view)[..k], recaps, "n = {n}");
        // B-09: every user message before the boundary is gone, all behind it stay.
        let rest: Vec<String> = (k + 1..=n).flat_map(|i| [format!("U{i}"), format!("A{i} at length")]).collect();
        assert_eq!(texts(&view)[k..], rest, "n = {n}");
        assert_eq!((view.boundary_moves, view.stable_prefix), ((k / 4) as u64, k), "B-16, B-22");
    }
}

#[test]
fn b_08_d5_the_diagram_with_the_task_pinned() {
    let view = see(&talk(7), &Policy::with(Strategy::Batch));
    let expected = ["U1", "recap - A1", "recap - A2", "recap - A3", "recap - A4", "U5"];
    assert_eq!(texts(&view)[..6], expected);
    assert_eq!(
        (&view.shown[0].reason, &view.shown[1].reason, &view.shown[6].reason),
        (&Reason::Task, &Reason::Recap, &Reason::Recent)
    );
}

#[test]
fn b_03_disabled_or_empty_is_unchanged() {
    assert!(see(&[], &seed()).shown.is_empty());
    let off = see(&talk(20), &Policy::default());
    assert_eq!(off.messages(), talk(20));
    assert!(off.events.is_empty() && off.boundary_moves == 0);
}

proptest::proptest! {
    /// B-24: a session whose compaction is turned on and off before any of its requests.
    #[test]
    fn b_24_toggled_between_requests_nothing_is_lost_and_each_break_is_counted(
        on in proptest::collection::vec(proptest::bool::ANY, 2..30),
        pinned in proptest::bool::ANY,
    ) {
        let batch = with(Strategy::Batch, |p| p.pin_task = pinned);
        let mut talked = Conversation::new();
        let (mut before, mut was, mut breaks, mut toggles) = (None::<(View, Vec<String>)>, false, 0, 0);
        for (i, on) in on.iter().enumerate() {
            for message in talk(i + 1).split_off(2 * i) {
                talked.push(message).unwrap();
            }
            let policy = if *on { &batch } else { &Policy::default() };
            // The view goes on with a conversation that other policies have looked at, and owes them nothing.
            let view = view(&talked, policy, &ViewContext::default()).unwrap();
            let fresh = see(&talk(i + 1), policy).messages();
            let bodies = |v: &View| -> Vec<String> { v.messages().iter().map(|m| render::value(m).to_string()).collect() };
            proptest::prop_assert_eq!(&bodies(&view), &fresh.iter().map(|m| render::value(m).to_string()).collect::<Vec<_>>());
            if !on {
                proptest::prop_assert_eq!(bodies(&view), talk(i + 1).iter().map(|m| render::value(m).to_string()).collect::<Vec<_>>());
            }
            let bytes = bodies(&view);
            if let Some((old, then)) = &before {
                let begins = bytes.starts_with(then);
                proptest::prop_assert_eq!(view.breaks(old), !begins);
                breaks += u64::from(view.breaks(old));
                // Turned on or off where there is something to compact, the prefix is another one.
                let toggled = was != *on && i >= 7;
                toggles += u64::from(toggled);
                proptest::prop_assert!(!toggled || view.breaks(old), "turn {}", i + 1);
            }
            (before, was) = (Some((view, bytes)), *on);
        }
        proptest::prop_assert!(breaks >= toggles);
    }
}

#[test]
fn b_10_b_27_user_messages_stay_by_option() {
    let view = see(&talk(7), &with(Strategy::Batch, |p| p.compact_user_messages = false));
    assert_eq!(texts(&view)[..4], ["U1", "recap - A1", "U2", "recap - A2"]);
    assert_eq!(view.shown[2].reason, Reason::NotCompactable, "B-15: a kind that is always full");
}

#[test]
fn b_11_b_25_neighbours_are_one_message_for_a_strict_provider_and_nothing_but_role_and_content_is_sent() {
    let messages = see(&talk(11), &Policy::with(Strategy::Batch)).messages();
    let body = export(&messages, Format::Anthropic).unwrap();
    let roles: Vec<&str> = body["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert!(roles.windows(2).all(|w| w[0] != w[1]), "{roles:?}");
    assert!(body.to_string().contains("recap - A8"));
    for m in &messages {
        let keys: Vec<String> = render::value(m).as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys, ["role", "content"]);
    }
}

#[test]
fn b_12_b_13_what_a_kind_becomes() {
    for (text, recap) in [
        ("recap - a", Some("recap - a")),
        ("x\n   recap - b  \nrecap - c", Some("recap - b")),
        ("(code)\n;; recap - d", Some("recap - d")),
        ("# recap - e", Some("recap - e")),
        ("// recap - f", Some("recap - f")),
        ("Recap - g", None),
        ("a recap - h", None),
        ("", None),
    ] {
        let expected = recap.map_or(Compact::Uncompactable, |r| Compact::Short(r.to_owned()));
        assert_eq!(Recap.compact(&Message::assistant(text)), expected, "{text:?}");
    }
}

#[test]
fn b_14_without_a_recap_line_a_message_stays_whole_and_is_counted() {
    let mut list = talk(7);
    list[3] = Message::assistant("no line");
    let view = see(&list, &seed());
    assert_eq!(texts(&view)[..4], ["recap - A1", "no line", "recap - A3", "recap - A4"]);
    assert_eq!(view.shown[1].reason, Reason::NotCompactable);
    assert!(warnings(&view)[0].contains("1 older assistant messages have no recap line"), "{:?}", view.events);
    // B-28: whole ones are bounded by m + b - 1 and those that cannot be short.
    for n in 1..40 {
        let whole = see(&talk(n), &seed()).shown.iter().filter(|s| s.message.text().contains("at length")).count();
        assert!(whole < 3 + 4, "{n}: {whole}");
    }
}

/// Has no short form of anything.
struct Unchanged;

impl Compactable for Unchanged {
    fn id(&self) -> u64 {
        8
    }
}

/// As the turn manager would: it knows a summary of every program.
struct Program;

impl Compactable for Program {
    fn id(&self) -> u64 {
        7
    }
    fn compact(&self, message: &Message) -> Compact {
        let size = message.text().len();
        if size > 15 { Compact::Short(format!("; Defined: x = {size}")) } else { Compact::Short(" ".into()) }
    }
}

#[test]
fn b_12_b_14_b_26_a_host_compacts_its_own_way_and_blank_is_left_out() {
    let mut list = talk(7);
    list[1] = Message::assistant("recap - A1");
    let c = Conversation::recorded(list);
    let shown = view(&c, &seed(), &ViewContext { compact: Some(&Program), ..ViewContext::default() }).unwrap();
    assert_eq!(texts(&shown)[..4], ["; Defined: x = 23", "; Defined: x = 23", "; Defined: x = 23", "U5"]);
    // What one made is not taken for what another makes.
    let shown = view(&c, &seed(), &ViewContext::default()).unwrap();
    assert_eq!(texts(&shown)[0], "recap - A1");
}

#[test]
fn b_15_f_30_an_exchange_is_short_as_a_whole_or_not_at_all() {
    let call = |i: usize, text: &str| {
        let id = format!("c{i}");
        let call = vec![Block::text(text), Block::tool_use(&id, "f", json!({}))];
        [Message::of(Role::Assistant, call), Message::of(Role::Tool, vec![Block::tool_result(&id, "rows")])]
    };
    let mut list: Vec<Message> = vec![Message::user("U")];
    list.extend(call(1, "recap - looked"));
    list.extend(call(2, "no line"));
    list.extend(talk(5));
    let view = see(&list, &seed());
    assert_eq!(texts(&view)[..4], ["recap - looked", "no line", "", "recap - A1"]);
    assert!(view.shown[0].message.is_plain(), "call and result are gone together");
    assert_eq!(view.messages()[1..3], list[3..5], "and stay together");
}

#[test]
fn b_18_b_20_the_prompt_stands_first_and_nothing_is_written_to() {
    let mut list = vec![Message::system("prompt"), Message::system("setup")];
    list.extend(talk(9));
    let c = Conversation::recorded(list.clone());
    let first = view(&c, &seed(), &ViewContext::default()).unwrap();
    assert_eq!(texts(&first)[..3], ["prompt", "setup", "recap - A1"]);
    assert_eq!(c.messages().map(|m| (**m).clone()).collect::<Vec<_>>(), list);
    assert_eq!(view(&c, &seed(), &ViewContext::default()).unwrap(), first);
}

#[test]
fn b_19_messages_of_a_frame_that_was_left_are_left_out_and_that_is_a_move() {
    let framed = |text: &str, frame| {
        let mut m = Message::assistant(text);
        m.meta_mut().frame = Some(frame);
        m
    };
    let inside = [framed("main", 0), framed("sub a", 1), framed("sub b", 1), framed("subsub", 2)];
    let before = see(&inside, &seed());
    assert_eq!(texts(&before), ["main", "sub a", "sub b", "subsub"], "frames in order");
    let mut list = inside.to_vec();
    list.push(framed("back", 0));
    list.push(framed("sub again", 1));
    let after = see(&list, &seed());
    assert_eq!(texts(&after), ["main", "back", "sub again"]);
    assert!(after.boundary_moves > before.boundary_moves);
}

#[test]
fn b_21_statistics_are_an_event_of_each_view() {
    let said = |list: &[Message]| see(list, &seed()).events[0].text.to_string();
    assert_eq!(said(&[]), "batch: 0 messages became 0, 0 bytes became 0 (100.0 %)");
    assert_eq!(said(&talk(7)), "batch: 14 messages became 10, 175 bytes became 115 (65.7 %)");
}

#[test]
fn b_12_b_19_what_is_remembered_of_one_conversation_is_not_shown_of_another() {
    // Two ways of compacting, one after the other, each as if it had been alone.
    let c = Conversation::recorded(talk(9));
    let by = |c: &Conversation, how: &dyn Compactable| {
        texts(&view(c, &seed(), &ViewContext { compact: Some(how), ..ViewContext::default() }).unwrap())
    };
    let fresh = || Conversation::recorded(talk(9));
    assert_eq!(by(&c, &Unchanged), by(&fresh(), &Unchanged));
    assert_eq!(by(&c, &Recap), by(&fresh(), &Recap));
    assert_eq!(by(&c, &Program), by(&fresh(), &Program));
    // Two conversations that began alike and left as many messages, but not the same ones.
    let framed = |mut m: Message, frame| {
        m.meta_mut().frame = Some(frame);
        m
    };
    let call = vec![Block::text("a\nrecap - a"), Block::tool_use("a", "f", json!({}))];
    let base = [
        framed(Message::user("task"), 0),
        framed(Message::of(Role::Assistant, call), 0),
        framed(Message::user("note"), 2),
        framed(Message::of(Role::Tool, vec![Block::tool_result("a", "1")]), 3),
    ];
    let user = |frame| framed(Message::user("go on"), frame);
    let last = |frame| framed(Message::assistant("b\nrecap - b"), frame);
    let policy = with(Strategy::Batch, |p| {
        (p.pin_task, p.compact_user_messages) = (false, false);
        (p.min_preserved_assistant_messages, p.batch_size) = (1, 1);
    });
    let shared = Conversation::recorded(base.clone());
    for more in [vec![user(2), user(1), last(1)], vec![user(2), user(3), user(3), user(2), last(2)]] {
        let mut fork = shared.clone();
        for m in &more {
            fork.push(m.clone()).unwrap();
        }
        let alone = Conversation::recorded(base.iter().chain(&more).cloned());
        let with = ViewContext::default();
        assert_eq!(view(&fork, &policy, &with).unwrap(), view(&alone, &policy, &with).unwrap());
    }
}
