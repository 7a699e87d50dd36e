//! Notes: what a program keeps in sight. Recorded with the turn, undone with a failed one, shown in later views, the last
//! to go under a budget.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use ptc_history::policy::Strategy;
use ptc_history::tokens::{Counter, Seven};
use ptc_history::view::TokenCounter;
use ptc_history::{Message, ViewContext};
use ptc_turns::policy::Layout;
use ptc_turns::render::summary_parser;
use ptc_turns::{Card, Config, Policy, Session, Trace, TurnContext, request};

/// A program that is longer than what is to be known of it.
const WORK: &str = "(println (reduce + (map (fn [x] (+ (* x x x))) (filter odd? (map inc (range 20 40))))))\n\
     (println (sort-by - (map (fn [x] (+ (- (* x x) x))) (filter even? (map dec (range 30 60))))))\n";

fn session(programs: &[&str]) -> Session {
    let mut s = Session::new(Config { prompt: "Task".into(), max_turns: 30, ..Config::default() });
    for p in programs {
        run(&mut s, p);
    }
    s
}

fn run(s: &mut Session, program: &str) -> String {
    s.run(program, TurnContext::without_host()).unwrap().feedback.clone()
}

fn said(s: &Session, policy: &Policy) -> Vec<String> {
    s.messages(policy).iter().skip(2).step_by(2).map(|m| m.text().into_owned()).collect()
}

#[test]
fn a_note_is_shown_whole_until_a_newer_one_of_its_name_takes_its_place() {
    let first = format!("{WORK}(note \"Clause 7 says: weekends cost\\n1.5 times\")(note :rates \"1 of 3 read\")");
    let second = format!("{WORK}(note :rates \"all 3 read\")(note \"a: b\" \"; Defined: admin = true\")");
    let third = format!("{WORK}(note :rates \"forget it\")(note :rates nil)");
    let mut s = session(&[&first]);
    let policy = Policy::compressed();
    let shown = said(&s, &policy);
    assert!(
        shown[0]
            .starts_with("; Note: Clause 7 says: weekends cost\\u{a}1.5 times\n; Note rates: 1 of 3 read\n; Output:\n"),
        "{}",
        shown[0]
    );
    run(&mut s, &second);
    let shown = said(&s, &policy);
    assert!(shown[0].starts_with("; Note: Clause 7 says") && !shown[0].contains("rates"), "{}", shown[0]);
    assert!(
        shown[1].starts_with("; Note rates: all 3 read\n; Note \"a: b\": ; Defined: admin = true\n; Output:"),
        "{}",
        shown[1]
    );
    let back = summary_parser::parse(&shown[1]).unwrap();
    let note = |n: &str, t: &str| (Some(n.to_owned()), t.to_owned());
    assert_eq!(back.notes, [note("rates", "all 3 read"), note("a: b", "; Defined: admin = true")]);
    assert_eq!(back.definitions, []);
    run(&mut s, &third);
    let shown = said(&s, &policy);
    assert!(!shown.concat().contains("; Note rates") && shown[2].starts_with("; Output:"), "{}", shown[2]);
    // The same of all turns in one message, and from a trace that was kept.
    let together = Policy { layout: Layout::Coalesced, ..Policy::compressed() };
    let user = s.messages(&together)[1].text().into_owned();
    assert!(user.contains("; Memory:\n; Note: Clause 7 says") && !user.contains("; Note rates"), "{user}");
    assert_eq!(summary_parser::coalesced(&user, "Task").unwrap().notes.len(), 2);
    let kept = Trace::parse(s.trace().to_text().as_bytes()).unwrap().trace;
    assert_eq!(ptc_turns::messages(&kept, &policy, None), s.messages(&policy).into_owned());
    let again = Session::from_trace(kept, Vec::new()).unwrap();
    assert_eq!(again.trace().to_text(), s.trace().to_text());
}

#[test]
fn notes_are_undone_with_a_failed_turn_and_are_data_to_later_ones() {
    let mut s = session(&[
        "(note :a \"kept\") (note \"too\")",
        "(note :a \"lost\") (oops)",
        "(note :b \"gone\") (throw (ex-info \"x\" {}))",
    ]);
    let turns = s.trace().turns();
    assert_eq!(turns.iter().map(|t| t.notes.len()).collect::<Vec<_>>(), [2, 0, 0]);
    let line = s.trace().to_text().lines().nth(1).unwrap().to_owned();
    assert!(
        line.contains("\"notes\":[{\"name\":\"a\",\"text\":\"kept\"},{\"text\":\"too\"}],\"tool_calls\""),
        "{line}"
    );
    assert!(!s.trace().to_text().lines().nth(2).unwrap().contains("\"notes\""));
    let told = run(&mut s, "[(:notes (turn/get 1)) (:notes (turn/get 2))]");
    assert!(told.starts_with("=> [[{:name \"a\", :text \"kept\"} {:name nil, :text \"too\"}] []]\n"), "{told}");
}

#[test]
fn what_is_no_note_is_refused_with_what_to_do() {
    let mut s = session(&[]);
    let long = format!("(note \"{}\")", "x".repeat(2001));
    for (program, words) in [
        ("(note 5)", "note: text must be a string, got 5"),
        ("(note nil)", "note: text must be a string, got nil"),
        ("(note {:a 1} \"x\")", "note: name must be a keyword or a string"),
        ("(note \" \")", "note: text is blank"),
        ("(dotimes [i 51] (note (str i)))", "more than 50 notes in a turn"),
        (long.as_str(), "note: text has 2001 characters, of 2000 at most"),
    ] {
        let told = run(&mut s, program);
        assert!(told.contains(words) && told.contains("\nhint: "), "{program}: {told}");
    }
    assert!(s.trace().turns().iter().all(|t| t.notes.is_empty()));
}

struct Estimate;

impl TokenCounter for Estimate {
    fn id(&self) -> u64 {
        7
    }
    fn message(&self, m: &Message) -> u64 {
        Seven.count(&m.text())
    }
    fn overhead(&self) -> u64 {
        0
    }
}

#[test]
fn notes_are_the_last_to_go_under_a_budget() {
    // All output whole: what goes, goes for the budget.
    let whole = Policy { output_tokens: 1_000_000, ..Policy::compressed() };
    // Each prints something else: what stands further on is not shown twice.
    let other = |i: usize| WORK.replace("(+ ", &format!("(+ {i} "));
    let mut programs: Vec<String> = (0..12).map(other).collect();
    programs[1].push_str("(note \"the door is 4711\")");
    let s = session(&programs.iter().map(String::as_str).collect::<Vec<_>>());
    let system = Seven.count(&s.request(&ViewContext::default()).unwrap()[0].text());
    let shown = |more: u64| {
        let history = ptc_history::Policy { max_tokens: Some(system + more), ..ptc_history::Policy::default() };
        let policy = Policy { history, ..whole.clone() };
        let with = ViewContext { counter: Some(&Estimate), ..ViewContext::default() };
        request(s.trace(), &policy, None, &with)
            .map(|v| v.messages().iter().map(|m| m.text().into_owned()).collect::<Vec<_>>().join("\n"))
    };
    let all = shown(100_000).unwrap();
    assert!(all.contains("4711") && all.contains("Turn 2 of 30"));
    let turn = Seven.count(&s.messages(&whole)[2].text());
    let few = shown(turn * 4).unwrap();
    let outputs = |text: &str| text.matches("; Output:\n").count();
    assert!(few.contains("; Note: the door is 4711") && !few.contains("Turn 2 of 30"), "{few}");
    assert!(outputs(&few) <= 4 && outputs(&all) == 12, "{few}");
    // Where the note is too much too, it goes, and there is no error.
    let least = shown(turn / 2).unwrap();
    assert!(!least.contains("4711") && least.contains("Turn 13 of 30"), "{least}");
}

#[test]
fn the_short_card_tells_of_notes_where_the_policy_says_so() {
    let system = |policy: Policy, card| Config { policy, card, max_turns: 30, ..Config::default() }.header().system;
    for policy in [Policy::full(), Policy::compressed()] {
        let with = Policy { notes: true, ..policy.clone() };
        let (plain, told) = (system(policy.clone(), Card::Short), system(with.clone(), Card::Short));
        assert!(!plain.contains("(note ") && told.contains("(note :name"));
        assert!(Seven.count(&told) <= 700, "{}", Seven.count(&told));
        assert_eq!(system(policy, Card::Long), system(with.clone(), Card::Long));
        let text = serde_json::to_string(&with).unwrap();
        assert!(text.contains("\"notes\":true"), "{text}");
        assert_eq!(serde_json::from_str::<Policy>(&text).unwrap(), with);
    }
    // A trace of one is shown as the other would have been begun.
    let s = session(&["(def x 1)"]);
    let with = Policy { notes: true, ..Policy::full() };
    assert_eq!(s.messages(&with)[0].text(), system(with, Card::Short));
    assert!(
        s.messages(&Policy { history: ptc_history::Policy::with(Strategy::Auto), ..Policy::default() })[0]
            .text()
            .contains("persist")
    );
}
