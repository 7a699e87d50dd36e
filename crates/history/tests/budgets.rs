//! Seed 002's budgets: tokens, then messages; the ladder; and what cannot be.

// Tests unwrap and panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::panic)]

use ptc_history::policy::{Strategy, When};
use ptc_history::view;
use ptc_history::view::{Event, Level, TokenCounter, ViewContext};
use ptc_history::{Block, Conversation, Message, Policy, Role, View};
use serde_json::json;

/// A token a byte, two around each message, three around all.
struct Bytes;

impl TokenCounter for Bytes {
    fn id(&self) -> u64 {
        1
    }
    fn message(&self, message: &Message) -> u64 {
        2 + message.content.iter().map(|b| b.bytes() as u64).sum::<u64>()
    }
    fn overhead(&self) -> u64 {
        3
    }
}

fn with() -> ViewContext<'static> {
    ViewContext { counter: Some(&Bytes), ..ViewContext::default() }
}

fn shown(talk: &Conversation, policy: &Policy) -> View {
    view(talk, policy, &with()).unwrap()
}

fn places(view: &View) -> Vec<usize> {
    view.shown.iter().flat_map(|s| s.from.clone()).collect()
}

fn texts(events: &[Event]) -> String {
    events.iter().map(|e| format!("{}\n", e.text)).collect()
}

/// System, task, then `turns` answers of 20 bytes each with a remark of the user.
fn chat(turns: usize) -> Conversation {
    let mut talk = vec![Message::system("be brief"), Message::user("the task")];
    for i in 0..turns {
        talk.push(Message::assistant(format!("answer {i:013}")));
        talk.push(Message::user(format!("remark {i:013}")));
    }
    Conversation::recorded(talk)
}

/// A task and calls with results of so many characters.
fn work(results: &[usize]) -> Conversation {
    let mut talk = vec![Message::system("be brief"), Message::user("the task")];
    for (i, size) in results.iter().enumerate() {
        let id = format!("c{i}");
        talk.push(Message::of(Role::Assistant, vec![Block::tool_use(&id, "read", json!({ "page": i }))]));
        talk.push(Message::of(Role::Tool, vec![Block::tool_result(&id, "r".repeat(*size))]));
    }
    Conversation::recorded(talk)
}

#[test]
fn k_14_k_11_the_oldest_groups_go_until_it_holds() {
    let talk = chat(10);
    let full = shown(&talk, &Policy::default()).tokens.unwrap();
    assert_eq!((full.before, full.after), (3 + 10 + 10 + 20 * 22, 3 + 10 + 10 + 20 * 22));
    for (max, kept) in [(463, 20), (462, 19), (441, 19), (440, 18), (67, 2), (45, 1)] {
        let view = shown(&talk, &Policy { max_tokens: Some(max), ..Policy::default() });
        assert!(view.tokens.unwrap().after <= max);
        assert_eq!(view.shown.len(), 2 + kept, "max_tokens {max}");
        let newest: Vec<usize> = [0, 1].into_iter().chain(22 - kept..22).collect();
        assert_eq!(places(&view), newest, "system, task and the newest");
        // D8: nothing is dropped in silence.
        assert_eq!(view.events.is_empty(), kept == 20);
        assert_eq!(view.budget_cuts, 20 - kept as u64);
    }
    let view = shown(&talk, &Policy { max_tokens: Some(440), ..Policy::default() });
    let words = "max_tokens 440: 2 groups (2 messages) dropped from the oldest end, 463 to 419 tokens\n";
    assert_eq!(texts(&view.events), words);
}

#[test]
fn k_21_what_cannot_be_is_an_error_with_the_numbers() {
    let talk = chat(3);
    let error = |max| {
        let before = talk.to_json();
        let error =
            view(&talk, &Policy { max_tokens: Some(max), ladder: true, ..Policy::default() }, &with()).unwrap_err();
        assert_eq!(talk.to_json(), before, "K-22: all is as it was");
        error.to_string()
    };
    let words =
        "maxTokens must accommodate system prompt: max_tokens is 12, the system prompt takes 13; raise max_tokens";
    assert_eq!(error(12), words);
    // Equality leaves no room for anything else.
    assert!(error(13).starts_with("max_tokens is 13, and what may not be dropped"), "{}", error(13));
    assert!(error(13).contains("takes 45; raise max_tokens"), "{}", error(13));
    assert!(error(44).contains("takes 45"));
    let none = view(&talk, &Policy { max_tokens: Some(9), ..Policy::default() }, &ViewContext::default()).unwrap_err();
    assert_eq!(none.to_string(), "max_tokens counts tokens: hand in a measure");
}

#[test]
fn k_10_k_13_messages_are_limited_with_all_that_is_sent() {
    for n in 0..30 {
        let talk = chat(n);
        let view = shown(&talk, &Policy { max_history_size: Some(20), ..Policy::default() });
        assert_eq!(view.shown.len(), talk.len().min(20));
        assert!(places(&view).starts_with(&[0, 1]));
    }
    // Pairs go together, so there may be fewer.
    let view = shown(&work(&[5; 10]), &Policy { max_history_size: Some(9), ..Policy::default() });
    assert_eq!(places(&view), [0, 1, 16, 17, 18, 19, 20, 21]);
    let talk = Conversation::recorded((0..4).map(|i| Message::system(format!("rule {i}"))));
    let error = view_error(&talk, &Policy { max_history_size: Some(3), ..Policy::default() });
    assert_eq!(error, "max_history_size is 3, and 4 messages may not be dropped; raise it");
}

fn view_error(talk: &Conversation, policy: &Policy) -> String {
    view(talk, policy, &with()).unwrap_err().to_string()
}

#[test]
fn k_13_k_15_k_27_first_the_strategy_then_tokens_then_messages() {
    let talk = chat(20);
    let both = Policy { max_history_size: Some(20), ..Policy::with(Strategy::WholeHistory) };
    let view = shown(&talk, &both);
    assert!(view.shown.len() < 20 && view.budget_cuts == 0, "compression stands before trimming");
    // With a budget the strategy works only when the whole is over it, unless it is told to work always.
    let roomy = Policy { max_tokens: Some(10_000), ..Policy::with(Strategy::WholeHistory) };
    assert_eq!(shown(&talk, &roomy).shown.len(), talk.len());
    assert!(shown(&talk, &Policy { when: Some(When::Always), ..roomy.clone() }).shown.len() < 5);
    let tight = Policy { max_tokens: Some(600), ..roomy };
    let view = shown(&talk, &tight);
    assert!(view.shown.len() < 5 && view.budget_cuts == 0 && view.boundary_moves > 0);
    // All three: what the strategy leaves is trimmed to the tokens, and then to the messages.
    let all = Policy {
        last_messages: 12,
        max_tokens: Some(300),
        max_history_size: Some(6),
        ..Policy::with(Strategy::LastNMessages)
    };
    let view = shown(&talk, &all);
    assert!(view.tokens.unwrap().after <= 300 && view.shown.len() <= 6);
    let budgets = view.events.iter().filter(|e| e.text.starts_with("max_"));
    let order: Vec<&str> = budgets.filter_map(|e| e.text.split(' ').next()).collect();
    assert_eq!(order, ["max_tokens", "max_history_size"]);
}

#[test]
fn f_12_f_13_pins_are_never_dropped() {
    let mut list: Vec<Message> = work(&[100; 6]).messages().map(|m| (**m).clone()).collect();
    list.insert(6, Message::system("a rule in between"));
    list.push(Message::of(Role::Assistant, vec![Block::tool_use("open", "read", json!({}))]));
    let talk = Conversation::recorded(list);
    for ladder in [false, true] {
        let view = shown(&talk, &Policy { max_tokens: Some(70), ladder, ..Policy::default() });
        let kept = places(&view);
        for at in [0, 1, 6, talk.len() - 1] {
            assert!(kept.contains(&at), "message {at} of {kept:?}");
        }
    }
}

#[test]
fn k_32_counts_are_the_same_with_and_without_memory() {
    let talk = work(&[500, 20, 3000, 8, 90]);
    for max in [100, 400, 900, 4000] {
        let policy = Policy { max_tokens: Some(max), ladder: true, ..Policy::default() };
        let without = Policy { enable_token_caching: false, ..policy.clone() };
        assert_eq!(view(&talk, &policy, &with()), view(&talk, &without, &with()));
    }
}

#[test]
fn p_18_d8_the_ladder_goes_down_step_by_step() {
    let talk = work(&[5000, 900, 900, 900, 900, 900, 900, 900, 40]);
    let mut steps = Vec::new();
    for max in [12_000, 9_000, 4_000, 2_000, 1_000, 480, 330, 150, 100] {
        let view =
            shown(&talk, &Policy { max_tokens: Some(max), ladder: true, summary_tokens: 64, ..Policy::default() });
        assert!(view.tokens.unwrap().after <= max);
        assert!(view.events.iter().all(|e| e.level == Level::Info && e.text.starts_with("max_tokens ")));
        // The newest group is as it was.
        let n = view.shown.len();
        assert_eq!(places(&view)[places(&view).len() - 2..], [talk.len() - 2, talk.len() - 1]);
        assert!(n >= 4);
        steps.push(view.events.len());
    }
    assert_eq!(steps[0], 0, "what fits is left alone");
    assert!(steps.windows(2).all(|w| w[0] <= w[1]), "a tighter budget never takes fewer steps: {steps:?}");
    assert_eq!(*steps.last().unwrap(), 7, "six steps, and then groups are dropped: {steps:?}");
    // The mildest step is a bound, and the place of the whole stands behind what is left.
    let view = shown(&talk, &Policy { max_tokens: Some(9_000), ladder: true, ..Policy::default() });
    let Block::ToolResult { content, .. } = &view.shown[3].message.content[0] else { panic!() };
    assert_eq!(content.chars().count(), 2000);
    assert!(content.ends_with("\n[… of 5000 characters; message 3]"));
    assert_eq!(view.shown[3].block_reason(0).to_string(), "seen, bounded from 5000 characters");
    // What the model has not seen yet stays whole, however long.
    let fresh = work(&[900, 900, 5000]);
    let view = shown(&fresh, &Policy { max_tokens: Some(6_000), ladder: true, ..Policy::default() });
    let Block::ToolResult { content, .. } = &view.shown.last().unwrap().message.content[0] else { panic!() };
    assert_eq!(content.len(), 5000);
}

/// Once it was over budget, an input that shrinks later does not bring back what was compressed (B-16, R-35).
#[test]
fn k_15_a_strategy_that_works_goes_on() {
    let part: Block = serde_json::from_value(json!({
        "type": "text", "text": "x".repeat(3000), "part": {"kind": "file", "name": "f", "history_retention": "summary"}
    }))
    .unwrap();
    let mut list: Vec<Message> = chat(15).messages().map(|m| (**m).clone()).collect();
    list.push(Message::of(Role::User, vec![part]));
    list.push(Message::assistant("seen"));
    let talk = Conversation::recorded(list);
    let policy = Policy { max_tokens: Some(2000), pin_task: false, ..Policy::with(Strategy::SlidingWindow) };
    let policy = Policy { max_messages: 8, ..policy };
    assert_eq!(shown(&talk.up_to(32), &policy).shown.len(), 32, "it fits");
    assert!(view(&talk.up_to(33), &policy, &with()).is_err(), "the input alone does not");
    let after = shown(&talk, &policy);
    assert!(after.tokens.unwrap().before > 2000 && after.shown.len() < 12, "{} shown", after.shown.len());
}
