//! Strategies of the host's own: what they select is checked, and the view is one that can be sent.

use super::{agent, texts, warnings};
use proptest::prelude::*;
use ptc_history::conversation::groups::Groups;
use ptc_history::policy::{Policy, Strategy, When};
use ptc_history::tokens::{Counter, Seven};
use ptc_history::view::{CustomStrategy, Reason, Selected, StrategyInput, TokenCounter, View};
use ptc_history::wire::Format;
use ptc_history::wire::validate::{has_system, validate_open};
use ptc_history::{
    Block, Conversation, Message, Part, PartKind, Retention, Role, ViewContext, ViewError, export, view, why,
};
use serde_json::json;

/// A strategy that is a function.
struct Own<F>(F);

impl<F: Fn(&StrategyInput<'_>) -> Result<Vec<Selected>, String> + Send + Sync> CustomStrategy for Own<F> {
    fn name(&self) -> &'static str {
        "own"
    }

    fn select(&self, input: &StrategyInput<'_>) -> Result<Vec<Selected>, String> {
        (self.0)(input)
    }
}

struct Count;

impl TokenCounter for Count {
    fn id(&self) -> u64 {
        11
    }
    fn message(&self, message: &Message) -> u64 {
        4 + Seven.count(&message.text())
    }
    fn overhead(&self) -> u64 {
        3
    }
}

fn under(list: &[Message], policy: &Policy, own: &dyn CustomStrategy) -> Result<View, ViewError> {
    let context = ViewContext { strategy: Some(own), counter: Some(&Count), ..ViewContext::default() };
    view(&Conversation::recorded(list.to_vec()), policy, &context)
}

/// The view of a strategy that always selects these.
fn selecting(list: &[Message], selected: Vec<Selected>) -> Result<View, ViewError> {
    under(list, &Policy::default(), &Own(move |_: &StrategyInput<'_>| Ok(selected.clone())))
}

fn keep(places: impl IntoIterator<Item = usize>) -> Vec<Selected> {
    places.into_iter().map(Selected::Message).collect()
}

fn instead(of: std::ops::Range<usize>, text: &str) -> Selected {
    Selected::Instead { of, message: Message::assistant(text) }
}

/// Whether calls and results are whole, all system messages are there, and each provider would take it.
fn can_be_sent(list: &[Message], view: &View) {
    let messages = view.messages();
    let (groups, had) = (Groups::of(&messages), Groups::of(list));
    assert_eq!(groups.orphans(), 0, "{messages:#?}");
    let open = |g: &Groups| g.open().map(|(id, ..)| id.to_owned()).collect::<Vec<_>>();
    assert_eq!(open(&groups), open(&had), "{messages:#?}");
    let systems = |all: &[Message]| all.iter().filter(|m| m.role == Role::System).cloned().collect::<Vec<_>>();
    assert_eq!(systems(&messages), systems(list));
    assert!(messages.iter().all(|m| m.role == Role::System || !m.is_blank()), "{messages:#?}");
    for format in Format::ALL {
        let body = export(&messages, format).unwrap_or_else(|e| panic!("{e}"));
        assert!(validate_open(format, &body).is_empty());
    }
}

#[test]
fn it_chooses_and_its_name_is_the_reason() {
    let list = agent(3);
    let view = selecting(
        &list,
        vec![Selected::Message(0), Selected::Message(1), instead(2..8, "two pages"), Selected::Message(10)],
    )
    .unwrap();
    assert_eq!(
        texts(&view),
        ["rules", "the task", "two pages", "Page 3 holds nothing of use, so the next one is looked at."]
    );
    assert_eq!(view.shown[2].reason, Reason::Made { by: "own" });
    assert_eq!((view.shown[0].reason, view.shown[1].reason), (Reason::System, Reason::Task));
    assert_eq!((view.boundary_moves, view.stable_prefix), (8, 3));
    let told = why::text(&view);
    assert!(told.contains("made by own") && told.contains("shown by own"), "{told}");
    can_be_sent(&list, &view);
}

#[test]
fn what_is_always_shown_is_put_back() {
    let mut list = agent(2);
    list.push(Message::of(Role::Assistant, vec![Block::tool_use("open", "find", json!({}))]));
    for selected in [Vec::new(), keep([4]), vec![instead(0..9, "all of it")], vec![instead(3..5, " ")]] {
        let view = selecting(&list, selected).unwrap();
        assert_eq!(texts(&view)[..2], ["rules", "the task"]);
        let last = view.shown.last().unwrap();
        assert_eq!((last.reason, &*last.message), (Reason::Open, &list[8]));
        can_be_sent(&list, &view);
    }
    // With neither a system message nor a task the newest message is left.
    let policy = Policy { pin_task: false, ..Policy::default() };
    let talk = [Message::user("a"), Message::assistant("b")];
    let none = under(&talk, &policy, &Own(|_: &StrategyInput<'_>| Ok(Vec::new()))).unwrap();
    assert_eq!(texts(&none), ["b"]);
    assert_eq!(warnings(&none), ["strategy own leaves 1 message: context may be lost"]);
}

#[test]
fn halves_of_pairs_are_left_out() {
    let list = agent(2);
    // A call without its result, and a result without its call.
    for selected in [keep([0, 1, 2, 4, 7]), keep([0, 1, 3, 4, 5, 6, 7])] {
        let view = selecting(&list, selected).unwrap();
        assert!(warnings(&view)[0].contains("halves of tool pairs"), "{:?}", view.events);
        can_be_sent(&list, &view);
    }
    let alone = Message::of(Role::Tool, vec![Block::tool_result("c1", "page 1")]);
    let view = selecting(&list, vec![Selected::Instead { of: 2..5, message: alone }]).unwrap();
    can_be_sent(&list, &view);
}

#[test]
fn what_cannot_be_is_an_error() {
    let list = agent(1);
    for (selected, words) in [
        (keep([0, 5]), "strategy own: there is no message 5; the conversation has 5, counted from 0"),
        (keep([usize::MAX]), "strategy own: there is no message 18446744073709551615;"),
        (keep([0, 2, 1]), "strategy own: message 1 comes after message 2; each may be selected once"),
        (keep([3, 3]), "strategy own: message 3 comes after message 3;"),
        (vec![instead(0..3, "x"), Selected::Message(2)], "strategy own: message 2 comes after message 2;"),
        (vec![instead(2..2, "x")], "strategy own: a message stands for none (2..2); say which it stands for"),
        (vec![instead(4..9, "x")], "strategy own: there is no message 8;"),
    ] {
        let error = selecting(&list, selected).unwrap_err().to_string();
        assert!(error.starts_with(words), "{error}");
    }
    let failing = Own(|_: &StrategyInput<'_>| Err("the index is not loaded".to_owned()));
    assert_eq!(
        under(&list, &Policy::default(), &failing).unwrap_err().to_string(),
        "strategy own: the index is not loaded"
    );
    let both = under(&list, &Policy::with(Strategy::Auto), &failing).unwrap_err().to_string();
    assert_eq!(
        both,
        "the host gives a strategy (own), and the policy says strategy = \"auto\"; set strategy = \"none\""
    );
}

/// Retention comes before it, budgets behind it, and over budget only where the policy says so.
#[test]
fn retention_and_budgets_are_those_of_the_policy() {
    let part = Part {
        kind: PartKind::Text,
        name: Some("notes".into()),
        history_retention: Some(Retention::Drop),
        count: None,
        offset: None,
    };
    let input = Block::Text { text: "word ".repeat(300), part: Some(Box::new(part)) };
    let mut list = vec![Message::system("s"), Message::of(Role::User, vec![Block::text("go"), input])];
    list.extend((0..9).map(|i| Message::assistant(format!("{i} {}", "word ".repeat(20)))));
    list.push(Message::user("on"));
    let all = Own(|input: &StrategyInput<'_>| {
        assert!(input.conversation.messages().all(|m| m.text().len() < 500), "inputs are as their retention says");
        assert!(input.is_pinned(0) && input.is_pinned(1) && !input.is_pinned(2) && input.is_pinned(11));
        Ok(keep(0..input.conversation.len()))
    });
    let whole = under(&list, &Policy::default(), &all).unwrap();
    assert_eq!(whole.shown.len(), 12);
    let tight = Policy { max_tokens: Some(80), when: Some(When::Always), ..Policy::default() };
    let view = under(&list, &tight, &all).unwrap();
    assert!(view.tokens.unwrap().after <= 80 && view.budget_cuts > 0);
    assert_eq!((texts(&view)[0].as_str(), texts(&view).last().unwrap().as_str()), ("s", "on"));
    // Where the whole fits, a strategy for over budget is not asked.
    let refuses = Own(|_: &StrategyInput<'_>| Err("asked".to_owned()));
    let wide = Policy { max_tokens: Some(9_000), ..Policy::default() };
    assert_eq!(under(&list, &wide, &refuses).unwrap().shown.len(), 12);
    let over = under(&list, &Policy { max_tokens: Some(200), ..Policy::default() }, &all).unwrap();
    assert_eq!(over.boundary_moves, whole.boundary_moves + 1);
}

/// The results of calls that were made together, in a message each.
fn parallel(open: bool) -> Vec<Message> {
    let call = |id: &str| Block::tool_use(id, "find", json!({"q": id}));
    let result = |id: &str| Message::of(Role::Tool, vec![Block::tool_result(id, format!("found {id}"))]);
    let mut list = vec![Message::system("rules"), Message::user("the task")];
    list.push(Message::of(Role::Assistant, vec![Block::text("I look."), call("a"), call("b"), call("c")]));
    list.extend([result("a"), result("b"), result("c"), Message::assistant("Found."), Message::user("more")]);
    if open {
        list.push(Message::of(Role::Assistant, vec![Block::text("Again."), call("d"), call("e")]));
        list.push(result("d"));
    }
    list
}

#[test]
fn one_result_of_calls_made_together_keeps_its_call_alone() {
    let list = parallel(false);
    let view = selecting(&list, keep([0, 1, 2, 4, 6, 7])).unwrap();
    can_be_sent(&list, &view);
    assert_eq!(warnings(&view), ["2 halves of tool pairs whose other half is not shown are left out"]);
    let messages = view.messages();
    assert_eq!(messages[2].calls().map(|c| c.0).collect::<Vec<_>>(), ["b"]);
    assert_eq!((messages[2].text().into_owned(), &messages[3]), ("I look.".to_owned(), &list[4]));
    // A result in place of all three answers its own call.
    let one = Message::of(Role::Tool, vec![Block::tool_result("c", "short")]);
    let view = selecting(
        &list,
        vec![Selected::Message(2), Selected::Instead { of: 3..6, message: one.clone() }, Selected::Message(7)],
    )
    .unwrap();
    can_be_sent(&list, &view);
    let messages = view.messages();
    assert_eq!((messages[2].calls().map(|c| c.0).collect::<Vec<_>>(), &messages[3]), (vec!["c"], &one));
}

/// What stands in place of messages of calls that wait comes before the calls: between them and their results no
/// provider takes anything.
#[test]
fn nothing_is_put_between_open_calls_and_their_results() {
    let list = parallel(true);
    let result = || Message::of(Role::Tool, vec![Block::tool_result("d", "short")]);
    for (of, message) in [
        (9..10, Message::assistant("made")),
        (8..9, Message::assistant("made")),
        (8..10, Message::user("made")),
        (7..9, Message::assistant("made")),
        (5..10, Message::assistant("made")),
        (9..10, Message::system("made")),
        (9..10, result()),
        (8..10, result()),
        (8..9, Message::of(Role::Assistant, vec![Block::tool_use("d", "find", json!({}))])),
        (8..9, Message::of(Role::Assistant, vec![Block::tool_use("e", "find", json!({}))])),
        (3..4, Message::of(Role::Assistant, vec![Block::tool_use("e", "find", json!({}))])),
        (3..4, Message::of(Role::Tool, vec![Block::tool_result("e", "a lie")])),
    ] {
        let selected: Vec<Selected> = (0..of.start)
            .map(Selected::Message)
            .chain([Selected::Instead { of: of.clone(), message: message.clone() }])
            .chain((of.end..10).map(Selected::Message))
            .collect();
        let view = selecting(&list, selected).unwrap();
        let messages = view.messages();
        assert_eq!(&messages[messages.len() - 2..], &list[8..], "{of:?} {message:?}");
        let groups = Groups::of(&messages);
        assert_eq!((groups.orphans(), groups.open().count()), (0, 1), "{of:?} {messages:#?}");
        for format in Format::ALL {
            let body = export(&messages, format).unwrap_or_else(|e| panic!("{of:?} {e}"));
            assert_eq!(validate_open(format, &body), [], "{format} {of:?} {message:?}");
        }
    }
}

/// The results that have just come are what the model is asked about: they are shown, with their calls.
#[test]
fn the_newest_results_are_shown_with_their_calls() {
    let list = &parallel(false)[..6];
    for selected in [Vec::new(), keep([5]), keep([0, 1]), vec![instead(1..6, "all of it")], vec![instead(4..5, "made")]]
    {
        let made = selected.iter().any(|s| matches!(s, Selected::Instead { .. }));
        let view = selecting(list, selected).unwrap();
        can_be_sent(list, &view);
        let messages = view.messages();
        assert_eq!(messages.len(), 6 + usize::from(made), "{messages:#?}");
        assert_eq!(messages[messages.len() - 4..], list[2..]);
        assert_eq!(warnings(&view), [""; 0]);
    }
}

/// A system message that a strategy makes is sent where each provider takes one.
#[test]
fn made_system_messages_can_be_sent() {
    let list = agent(3);
    for of in [0..1, 0..2, 1..2, 2..5, 5..8, 2..10] {
        let made = Selected::Instead { of: of.clone(), message: Message::system("summary so far") };
        let selected: Vec<Selected> = (0..of.start)
            .map(Selected::Message)
            .chain([made])
            .chain((of.end..list.len()).map(Selected::Message))
            .collect();
        let view = selecting(&list, selected).unwrap();
        assert_eq!(texts(&view).iter().filter(|t| *t == "summary so far").count(), 1, "{of:?}");
        let systems: Vec<String> =
            view.messages().iter().filter(|m| m.role == Role::System).map(|m| m.text().into_owned()).collect();
        assert!(systems.contains(&"rules".to_owned()), "{of:?} {systems:?}");
        let expected: Vec<&str> = systems.iter().map(String::as_str).collect();
        for format in Format::ALL {
            let body = export(&view.messages(), format).unwrap_or_else(|e| panic!("{of:?} {e}"));
            assert_eq!(validate_open(format, &body), [], "{format} {of:?}");
            assert_eq!(has_system(format, &body, &expected), [], "{format} {of:?}");
        }
    }
}

#[test]
fn a_panic_is_an_error_that_names_the_strategy() {
    let list = agent(1);
    for (panics, text) in [
        (
            Own((|_: &StrategyInput<'_>| panic!("oh {}", 5)) as fn(&StrategyInput<'_>) -> _),
            "strategy own: it panicked: oh 5",
        ),
        (Own(|_: &StrategyInput<'_>| panic!("oh")), "strategy own: it panicked: oh"),
        (Own(|_: &StrategyInput<'_>| std::panic::panic_any(5)), "strategy own: it panicked"),
    ] {
        assert_eq!(under(&list, &Policy::default(), &panics).unwrap_err().to_string(), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is selected: an error that names the strategy, or a view that can be sent.
    #[test]
    fn any_selection_is_a_view_or_an_error(
        turns in 0..4_usize,
        open in any::<bool>(),
        ladder in any::<bool>(),
        places in proptest::collection::vec((0..16_usize, 0..4_usize, 0..5_u8), 0..10),
        max in proptest::option::of(40..400_u64),
        sorted in any::<bool>(),
    ) {
        let mut list = agent(turns);
        if open {
            list.push(Message::of(Role::Assistant, vec![Block::tool_use("open", "find", json!({}))]));
        }
        let mut selected: Vec<Selected> = places.iter().map(|(at, len, kind)| {
            let message = match kind {
                0 => return Selected::Message(*at),
                1 => Message::assistant(""),
                2 => Message::of(Role::Tool, vec![Block::tool_result("c1", "r")]),
                3 => Message::of(Role::Assistant, vec![Block::tool_use("c2", "find", json!({}))]),
                _ => Message::assistant("short"),
            };
            Selected::Instead { of: *at..at + len, message }
        }).collect();
        let start = |s: &Selected| match s { Selected::Message(at) => *at, Selected::Instead { of, .. } => of.start };
        if sorted {
            selected.sort_by_key(start);
            selected.dedup_by_key(|s| start(s));
        }
        let policy = Policy { max_tokens: max, when: Some(When::Always), ladder, ..Policy::default() };
        let policy = if max.is_none() { Policy { when: None, ..policy } } else { policy };
        let own = Own(move |_: &StrategyInput<'_>| Ok(selected.clone()));
        match under(&list, &policy, &own) {
            Ok(view) => {
                can_be_sent(&list, &view);
                prop_assert_eq!(view.clone(), under(&list, &policy, &own).unwrap());
                prop_assert!(max.is_none_or(|max| view.tokens.unwrap().after <= max));
            }
            Err(ViewError::Strategy { name, .. }) => prop_assert_eq!(name, "own"),
            Err(e) => prop_assert!(max.is_some(), "{}", e),
        }
    }
}
