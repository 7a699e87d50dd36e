//! The rules of a view on small traces, and the fast view against the slow one on many.

use super::*;
use crate::policy::Layout;
use crate::render::incremental_view::IncrementalView;
use crate::render::summary_parser;
use crate::trace::record::{Defined, ErrorRecord, Kind, Status};
use proptest::prelude::*;
use ptc_history::policy::BatchTurns;
use ptc_lisp::error::{Error, ErrorKind};

fn data(name: &str, sample: &str) -> Defined {
    Defined {
        name: name.into(),
        kind: Kind::Data,
        doc: None,
        params: None,
        type_word: Some("integer".into()),
        sample: Some(sample.into()),
        replaced: false,
        rolled_back: false,
    }
}

/// A turn that defined `names` and printed these entries.
fn ok(names: &[&str], printed: &[&str]) -> TurnRecord {
    TurnRecord {
        program: format!("(def {})", names.join(" ")),
        definitions: names.iter().map(|n| data(n, "1")).collect(),
        printed: printed.iter().map(|p| format!("{p}\n")).collect(),
        value: Some("#'user/x".into()),
        ..TurnRecord::empty(0)
    }
}

fn bad() -> TurnRecord {
    let error = Error::new(ErrorKind::Name, "unknown name coutn");
    let mut record = ok(&["broken"], &[]);
    record.definitions.iter_mut().for_each(|d| d.rolled_back = true);
    TurnRecord { program: "(coutn)".into(), status: Status::Error, error: Some(ErrorRecord::new(&error, "")), ..record }
}

/// A session of these turns, numbered and answered.
pub(crate) fn trace(max_turns: u64, turns: impl IntoIterator<Item = TurnRecord>) -> Trace {
    let mut trace = Trace::new(Header::new("System", "Task", max_turns));
    for (i, mut t) in turns.into_iter().enumerate() {
        t.turn = i as u64 + 1;
        let report = t.error.as_ref().map(|e| format!("Error: {}: {}", e.kind, e.message));
        t.feedback = feedback::feedback(&trace.header, &trace.turn_limit(), &t, report.as_deref());
        trace.push(t);
    }
    trace
}

/// The texts of all messages after the first two.
fn texts(messages: &[Message]) -> Vec<String> {
    messages.iter().skip(2).map(|m| m.text().into_owned()).collect()
}

fn view(t: &Trace, policy: &Policy, before: u64) -> Vec<String> {
    texts(&messages(t, policy, Some(before)))
}

/// P-01, P-22.
#[test]
fn off_is_full_history_and_each_view_begins_with_the_one_before() {
    let t = trace(9, [ok(&["x"], &["a"]), bad(), ok(&["x"], &[])]);
    let off = Policy::full();
    let all = messages(&t, &off, None);
    for k in 1..=4 {
        let before = messages(&t, &off, Some(k));
        assert_eq!(all.get(..before.len()).unwrap(), before);
    }
    assert_eq!(texts(&all)[..2], ["```clojure\n(def x)\n```", "a\nTurn 2 of 9"]);
}

/// P-04, P-20, P-28.
#[test]
fn a_finished_session_ends_with_its_last_turn_whole() {
    let last = TurnRecord { status: Status::Returned, value: Some("1".into()), ..ok(&["y"], &["out"]) };
    let t = trace(9, [ok(&["x"], &[]), ok(&["y"], &["a"]), last]);
    let expected =
        ["; Defined: x = integer, sample: 1", "Turn 2 of 9", "; Output:\na", "Turn 3 of 9", "```clojure\n(def y)\n```"];
    assert_eq!(texts(&messages(&t, &Policy::legacy_entry_count(), None)), expected);
    // Before its third turn it was a session like others: y still stood in turn 2.
    assert_eq!(view(&t, &Policy::legacy_entry_count(), 3)[2], "; Defined: y = integer\n; Output:\na");
}

/// P-05.
#[test]
fn latest_wins_across_turns() {
    let t = trace(9, [ok(&["x", "y"], &[]), ok(&["x"], &[]), ok(&["y"], &[])]);
    let policy = Policy::legacy_entry_count();
    let seen: Vec<String> = view(&t, &policy, 4).into_iter().step_by(2).collect();
    assert_eq!(seen, ["; (nothing to show)", "; Defined: x = integer, sample: 1", "; Defined: y = integer, sample: 1"]);
    let live: Vec<String> =
        summary_parser::definitions(&messages(&t, &policy, None)).into_iter().map(|d| d.name).collect();
    assert_eq!(live, ["x", "y"]);
}

/// P-18, P-19, D6.
#[test]
fn errors_keep_their_code_and_context() {
    let t = trace(9, [ok(&["a"], &["1"]), ok(&["b"], &["2"]), bad(), ok(&["c"], &["3"])]);
    let whole = |n: u64, p: &Policy, k: u64| -> Vec<bool> {
        let p = Policy { error_context_turns: n, ..p.clone() };
        view(&t, &p, k).iter().step_by(2).map(|s| s.starts_with("```")).collect()
    };
    let always = Policy::legacy_entry_count();
    assert_eq!(whole(0, &always, 5), [false, false, true, false]);
    assert_eq!(whole(1, &always, 5), [false, true, true, false]);
    assert_eq!(whole(2, &always, 5), [true, true, true, false]);
    let until = Policy { error_retention: ErrorRetention::UntilRecovered, ..always.clone() };
    assert_eq!(whole(1, &until, 4), [false, true, true]);
    assert_eq!(whole(1, &until, 5), [false, false, false, false]);
    assert_eq!(view(&t, &until, 5)[4..6], ["; Turn 3 failed: name: unknown name coutn", "Turn 4 of 9"]);
    assert_eq!(view(&t, &always, 5)[5], "Error: name: unknown name coutn\nTurn 4 of 9");
}

/// P-02, P-10, P-27.
#[test]
fn the_newest_entries_are_shown_and_samples_come_back() {
    let t = trace(9, [ok(&["a"], &["1", "2"]), ok(&["b"], &["3", "4"]), ok(&["c"], &["5"])]);
    let seen = |limit: u64| -> Vec<String> {
        let p = Policy { println_history_limit: Some(limit), ..Policy::legacy_entry_count() };
        view(&t, &p, 4).into_iter().step_by(2).collect()
    };
    assert_eq!(
        seen(2),
        [
            "; Defined: a = integer, sample: 1",
            "; Defined: b = integer\n; Output:\n4",
            "; Defined: c = integer\n; Output:\n5"
        ]
    );
    assert!(seen(0).iter().all(|s| s.ends_with(", sample: 1")));
}

/// P-24.
#[test]
fn single_shots_are_not_compressed() {
    let t = trace(1, [ok(&["a"], &[])]);
    assert_eq!(texts(&messages(&t, &Policy::legacy_entry_count(), None)), ["```clojure\n(def a)\n```"]);
}

#[test]
fn the_prompt_of_turn_2000_does_not_visit_all_turns() {
    let names: Vec<String> = (0..40).map(|i| format!("n{i}")).collect();
    for policy in [
        Policy::legacy_entry_count(),
        Policy { error_context_turns: 3, ..Policy::legacy_entry_count() },
        Policy { error_retention: ErrorRetention::UntilRecovered, ..Policy::legacy_entry_count() },
        Policy::compressed(),
        Policy { output_tokens: 60, ..Policy::compressed() },
    ] {
        let turns = (0..2000usize)
            .map(|i| if i % 7 == 3 { bad() } else { ok(&[&names[i * 13 % 40], &names[i % 40]], &["a", "b"]) });
        let t = trace(5000, turns);
        let mut view = IncrementalView::new(t.header.clone(), &policy);
        let mut most = 0;
        for record in t.turns() {
            let before = view.visited();
            view.push(record.clone());
            most = most.max(view.visited() - before);
        }
        assert!(most <= 40, "a turn cost {most} visits");
        assert_eq!(view.messages(), messages(&t, &policy, None));
    }
}

fn turns() -> impl Strategy<Value = Vec<TurnRecord>> {
    let names = proptest::collection::vec(proptest::sample::select(vec!["a", "b", "c", "d", "e\u{200b}"]), 0..3);
    let printed = proptest::collection::vec(
        proptest::sample::select(vec!["x", "; Defined: z = nil", "", "\\", "Turn 3 of 4"]),
        0..4,
    );
    let turn = (0..8u8, names, printed).prop_map(|(how, names, printed)| match how {
        0 | 1 => bad(),
        2 => TurnRecord { status: Status::Returned, value: Some("1".into()), ..ok(&names, &printed) },
        3 => TurnRecord { status: Status::Failed, ..bad() },
        _ => ok(&names, &printed),
    });
    proptest::collection::vec(turn, 0..14)
}

/// Any of our own layouts, with and without tool calls, and `auto`.
fn all_policies() -> impl Strategy<Value = Policy> {
    (policies(), any::<bool>(), any::<bool>(), 0..5u64, 0..4usize).prop_map(|(p, coalesced, calls, limit, auto)| {
        Policy {
            layout: if coalesced { Layout::Coalesced } else { Layout::Assistant },
            show_tool_calls: calls,
            tool_calls_limit: Some(limit),
            history: match auto {
                0 => ptc_history::Policy::default(),
                batch => ptc_history::Policy {
                    batch_turns: BatchTurns::Turns(batch),
                    ..ptc_history::Policy::with(ptc_history::policy::Strategy::Auto)
                },
            },
            ..p
        }
    })
}

fn policies() -> impl Strategy<Value = Policy> {
    (any::<bool>(), 0..6u64, 0..4u64, any::<bool>()).prop_map(|(compress, limit, context, until)| Policy {
        compress_history: compress || limit > 0,
        println_history_limit: Some(limit),
        error_context_turns: context,
        error_retention: if until { ErrorRetention::UntilRecovered } else { ErrorRetention::Always },
        ..Policy::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_fast_view_is_the_slow_one(turns in turns(), policy in all_policies(), max_turns in 1..16u64) {
        let full = trace(max_turns, turns.clone());
        let mut view = IncrementalView::new(full.header.clone(), &policy);
        let mut before = Vec::new();
        for k in 0..=turns.len() {
            let so_far = trace(max_turns, turns.iter().take(k).cloned());
            prop_assert_eq!(view.messages(), messages(&so_far, &policy, None));
            // What is said to be unchanged is.
            let unchanged = view.take_first_changed().min(before.len());
            prop_assert_eq!(view.messages().get(..unchanged), before.get(..unchanged));
            before = view.messages().to_vec();
            if let Some(record) = full.turns().get(k) {
                view.push(record.clone());
            }
        }
    }

    #[test]
    fn the_lines_and_the_whole_programs_name_exactly_what_is_defined(turns in turns(), policy in policies()) {
        let full = trace(99, turns);
        let policy = Policy { compress_history: true, ..policy };
        let mut expected = HashMap::new();
        for t in full.turns().iter().filter(|t| t.status.committed()) {
            for d in &t.definitions {
                expected.insert(d.name.clone(), t.turn);
            }
        }
        let view = messages(&full, &policy, None);
        let mut seen = HashMap::new();
        for (i, m) in view.iter().skip(2).step_by(2).enumerate() {
            let Some(summary) = summary_parser::parse(&m.text()) else {
                // Whole: its program speaks for what it defined last.
                let t = &full.turns()[i];
                let own = t.definitions.iter().filter(|d| t.status.committed() && expected.get(&d.name) == Some(&t.turn));
                own.for_each(|d| { seen.insert(d.name.clone(), t.turn); });
                continue;
            };
            for d in summary.definitions {
                prop_assert_eq!(seen.insert(d.name, i as u64 + 1), None);
            }
            let printed: String = full.turns()[i].printed.concat();
            prop_assert!(printed.trim_end_matches('\n').ends_with(&summary.output.unwrap_or_default()));
        }
        prop_assert_eq!(seen, expected);
        // Roles never depend on data, no message is empty, and the first two are as given.
        for (i, m) in view.iter().enumerate() {
            prop_assert_eq!(m.role.as_str(), match i { 0 => "system", i if i % 2 == 1 => "user", _ => "assistant" });
            prop_assert!(!m.text().is_empty());
        }
    }

    #[test]
    fn a_saved_trace_gives_the_same_bytes(turns in turns(), policy in policies()) {
        let full = trace(9, turns);
        let back = Trace::parse(full.to_text().as_bytes()).unwrap().trace;
        prop_assert_eq!(messages(&full, &policy, None), messages(&back, &policy, None));
    }
}
