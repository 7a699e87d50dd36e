//! R-31: inputs summed up by a model, and what happens when it does not answer.

// Tests unwrap and panic: that is how they fail.
#![allow(clippy::unwrap_used)]

use ptc_history::policy::RetentionSummary;
use ptc_history::view;
use ptc_history::view::summarizer::{Summarizer, SummaryCache, SummaryRequest};
use ptc_history::view::{Level, Reason, View, ViewContext};
use ptc_history::{Block, Conversation, Message, Part, PartKind, Policy, Retention, Role};
use std::sync::Mutex;

/// Answers as told, and keeps what it was asked.
struct Fake {
    answer: Mutex<Result<String, String>>,
    asked: Mutex<Vec<SummaryRequest>>,
}

impl Fake {
    fn new(answer: Result<&str, &str>) -> Self {
        let fake = Fake { answer: Mutex::new(Ok(String::new())), asked: Mutex::default() };
        fake.answers(answer);
        fake
    }
    fn answers(&self, answer: Result<&str, &str>) {
        *self.answer.lock().unwrap() = answer.map(str::to_owned).map_err(str::to_owned);
    }
    fn asked(&self) -> Vec<SummaryRequest> {
        self.asked.lock().unwrap().clone()
    }
}

impl Summarizer for Fake {
    fn summarize(&self, request: &SummaryRequest) -> Result<String, String> {
        self.asked.lock().unwrap().push(request.clone());
        self.answer.lock().unwrap().clone()
    }
}

fn input(name: &str) -> Message {
    let part = Part {
        kind: PartKind::File,
        name: Some(name.to_owned()),
        history_retention: Some(Retention::Summary),
        count: None,
        offset: None,
    };
    let text = format!("{name} says ``` this. ").repeat(200);
    Message::of(Role::User, vec![Block::Text { text, part: Some(Box::new(part)) }, Block::text("Look at it")])
}

/// System, and for each name an input, answered.
fn talk(names: &[&str]) -> Conversation {
    let answered = names.iter().flat_map(|name| [input(name), Message::assistant(format!("seen {name}"))]);
    Conversation::recorded(std::iter::once(Message::system("s")).chain(answered))
}

fn policy(way: RetentionSummary) -> Policy {
    Policy { retention_summary: way, ..Policy::default() }
}

fn see(talk: &Conversation, fake: &Fake, memo: &SummaryCache) -> View {
    let with = ViewContext { summarizer: Some(fake), summary_cache: Some(memo), ..ViewContext::default() };
    view(talk, &policy(RetentionSummary::Semantic), &with).unwrap()
}

fn warnings(view: &View) -> Vec<&str> {
    view.events.iter().filter(|e| e.level == Level::Warn).map(|e| &*e.text).collect()
}

#[test]
fn r_31_a_model_sums_up_what_was_answered_once_for_each_content() {
    let (fake, memo) = (Fake::new(Ok(" It says this, often. ")), SummaryCache::new());
    let talk = talk(&["a.md", "b.md", "a.md"]);
    // What waits for its answer is whole, and nobody is asked.
    assert_eq!(
        see(&talk.up_to(2), &fake, &memo).messages(),
        talk.up_to(2).messages().map(|m| (**m).clone()).collect::<Vec<_>>()
    );
    assert!(fake.asked().is_empty());
    let shown = see(&talk, &fake, &memo);
    assert_eq!(shown.shown[1].message.text(), "[File: a.md, ~4KB, input 1.0]\nIt says this, often.\nLook at it");
    assert_eq!(shown.shown[5].message.text(), "[File: a.md, ~4KB, input 5.0]\nIt says this, often.\nLook at it");
    assert!(
        matches!(shown.shown[1].block_reason(0), Reason::Retained { bytes: 3800.. }),
        "{:?}",
        shown.shown[1].blocks
    );
    assert_eq!(warnings(&shown), Vec::<&str>::new());
    // Two contents: two questions, each with the input as data behind a fence that it cannot close (K-37).
    let asked = fake.asked();
    assert_eq!((asked.len(), memo.len()), (2, 2));
    let user = asked[1].user.text().into_owned();
    assert!(user.contains("input (file b.md): b.md says ``` this. "), "{user}");
    assert_eq!(user.matches("````").count(), 2, "{user}");
    assert_eq!(asked[1].max_tokens, Policy::default().summary_tokens);
    // The same again asks nobody, from a file too; without the memo it would have to.
    let again = Conversation::from_json(&talk.to_json()).unwrap();
    assert_eq!(see(&again, &fake, &memo), shown);
    assert_eq!(see(&talk, &fake, &memo), shown);
    assert_eq!(fake.asked().len(), 2);
}

#[test]
fn r_31_a_failure_shows_it_by_rule_with_a_warning_and_is_not_remembered() {
    let (fake, memo) = (Fake::new(Ok("Short.")), SummaryCache::new());
    let talk = talk(&["a.md", "b.md", "c.md"]);
    see(&talk.up_to(3), &fake, &memo);
    fake.answers(Err("no route"));
    let fallen = see(&talk, &fake, &memo);
    // The first is remembered; of the others the model is asked once, for it is out of reach.
    assert_eq!(fake.asked().len(), 2);
    let smart = view(&talk, &policy(RetentionSummary::Smart), &ViewContext::default()).unwrap();
    assert!(fallen.shown[1].message.text().contains("\nShort."));
    for at in [3, 5] {
        assert_eq!(fallen.shown[at].message, smart.shown[at].message, "message {at}");
    }
    let told = "retention_summary \"semantic\": summarising failed: no route; \
                inputs are shown by rule, as \"smart\" shows: 3.0, 5.0";
    assert_eq!(warnings(&fallen), [told]);
    // The next view asks again, and what was made meanwhile stands for nothing.
    fake.answers(Ok("Short."));
    let whole = see(&talk, &fake, &memo);
    assert_eq!(warnings(&whole), Vec::<&str>::new());
    assert!(whole.shown[5].message.text().contains("\nShort."));
}

#[test]
fn r_31_an_answer_that_is_none_or_no_model_at_all_falls_back_too() {
    let talk = talk(&["a.md"]);
    let smart = view(&talk, &policy(RetentionSummary::Smart), &ViewContext::default()).unwrap();
    let long = "x".repeat(100_000);
    for (answer, reason) in [(" \n", "the summariser answered nothing"), (&long, "the summariser made no progress: ")] {
        let fallen = see(&talk, &Fake::new(Ok(answer)), &SummaryCache::new());
        assert_eq!(fallen.messages(), smart.messages());
        assert!(warnings(&fallen)[0].contains(reason), "{:?}", fallen.events);
        assert!(warnings(&fallen)[0].ends_with("; input is shown by rule, as \"smart\" shows: 1.0"));
    }
    let alone = view(&talk, &policy(RetentionSummary::Semantic), &ViewContext::default()).unwrap();
    assert_eq!(alone.messages(), smart.messages());
    assert!(warnings(&alone)[0].contains("summarising failed: no summarizer is handed in"), "{:?}", alone.events);
}
