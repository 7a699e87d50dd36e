//! Views that are measured in tokens: what is shown of old output, never more than the full history, and the fast view
//! against the slow one.

use crate::live::View;
use crate::measure::tokens;
use crate::parse_back;
use crate::policy::{ErrorRetention, Layout, Policy, SampleSyntax};
use crate::record::{Call, Defined, Fault, Kind, Status, TurnRecord};
use crate::trace::Trace;
use crate::view::messages;
use crate::view::tests::trace;
use proptest::prelude::*;
use ptc_history::policy::{BatchTurns, Prices};
use ptc_lisp::error::{Error, ErrorKind};
use std::collections::HashMap;

fn data(name: &str) -> Defined {
    Defined {
        name: name.into(),
        kind: Kind::Data,
        doc: Some(format!("What {name} holds, in words")),
        params: None,
        type_word: Some("list[3]".into()),
        sample: Some("%{city: \"Paris\", n: 1}".into()),
        replaced: false,
        rolled_back: false,
    }
}

/// A turn whose program has `lines` lines, that defined `names` and printed these entries.
fn ok(lines: usize, names: &[&str], printed: &[String]) -> TurnRecord {
    let defs: String = names.iter().map(|n| format!("(def {n} \"What {n} holds, in words\" (f {n}))\n")).collect();
    TurnRecord {
        program: format!("{defs}{}", "(when (pos? n) (println (map :name (filter odd? rows))))\n".repeat(lines)),
        definitions: names.iter().map(|n| data(n)).collect(),
        printed: printed.to_vec(),
        value: Some("#'user/x".into()),
        ..TurnRecord::empty(0)
    }
}

fn bad(lines: usize) -> TurnRecord {
    let error = Error::new(ErrorKind::Name, "unknown name coutn");
    let mut record = ok(lines, &["broken"], &[]);
    record.definitions.iter_mut().for_each(|d| d.rolled_back = true);
    TurnRecord { status: Status::Error, error: Some(Fault::new(&error, "")), ..record }
}

fn rows(n: usize, words: &str) -> Vec<String> {
    (0..n).map(|i| format!("{words} {i}: some words of this row\n")).collect()
}

fn said(t: &Trace, policy: &Policy, before: u64) -> Vec<String> {
    messages(t, policy, Some(before)).iter().skip(2).map(|m| m.text().into_owned()).collect()
}

#[test]
fn output_is_whole_then_cut_then_a_line_that_says_where_it_is() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let turns = (1..=12).map(|i| ok(20, &[names[i - 1]], &rows(40, &format!("turn {i} row"))));
    let t = trace(99, turns);
    // About 400 tokens a turn.
    let policy = Policy { output_tokens: 600, output_turns: 1, ..Policy::compressed() };
    let states = |k: u64| -> Vec<&str> {
        let of = |text: &String| match () {
            () if text.contains("\n; ... ") => "cut",
            () if text.contains("; Output: 40 lines, 1.") => "pointer",
            () if text.contains("; Output:\n") => "whole",
            () => "none",
        };
        said(&t, &policy, k).iter().step_by(2).map(of).collect()
    };
    let all: Vec<Vec<&str>> = (2..=13).map(states).collect();
    for (k, now) in all.iter().enumerate() {
        assert_eq!(now.last(), Some(&"whole"), "the newest turn's output is whole: {now:?}");
        // Nothing comes back.
        let order = |s: &str| ["whole", "cut", "pointer"].iter().position(|o| *o == s).unwrap();
        for (then, now) in all[k.saturating_sub(1)].iter().zip(now) {
            assert!(order(then) <= order(now), "{then} to {now}");
        }
    }
    assert!(all.last().unwrap().contains(&"cut") && all.last().unwrap().contains(&"pointer"), "{all:#?}");
    let shown = said(&t, &policy, 13);
    let first = parse_back::parse(&shown[0]).unwrap();
    assert!(first.hidden.unwrap().ends_with(": (turn/output 1)"));
    assert_eq!(first.definitions[0].sample.as_deref(), Some("%{city: \"Paris\", n: 1}"), "samples come back");
    let cut = shown.iter().step_by(2).find(|s| s.contains("\n; ... ")).unwrap();
    let cut = parse_back::parse(cut).unwrap();
    assert!(cut.hidden.unwrap().starts_with("; ... ") && cut.output.unwrap().starts_with("turn "));
    assert!(cut.definitions[0].sample.is_some(), "what is not shown whole leaves its samples");
}

#[test]
fn the_newest_turns_show_their_output_whole_unless_it_is_a_flood() {
    let pointers = |rows_each: usize, policy: &Policy, k: u64| -> Vec<bool> {
        let t = trace(99, (0..12).map(|_| ok(20, &[], &rows(rows_each, "row"))));
        said(&t, policy, k).iter().step_by(2).map(|s| s.contains("(turn/output ")).collect()
    };
    for spared in 1..7 {
        let policy = Policy { output_tokens: 300, output_turns: spared, ..Policy::compressed() };
        let mut shortened = 0;
        for k in 2..=13 {
            let shown = pointers(15, &policy, k);
            let newest = shown.len().saturating_sub(spared as usize);
            assert!(shown[newest..].iter().all(|s| !s), "{spared} before turn {k}: {shown:?}");
            shortened += shown.iter().filter(|s| **s).count();
        }
        assert!(shortened > 0, "{spared}");
    }
    // Six turns of about 1,400 tokens are more than twenty times the budget: not all of them are spared.
    let policy = Policy { output_tokens: 300, output_turns: 6, ..Policy::compressed() };
    let all: Vec<Vec<bool>> = (7..=13).map(|k| pointers(140, &policy, k)).collect();
    assert!(all.iter().any(|shown| shown[shown.len() - 6..].contains(&true)), "{all:?}");
    assert!(all.iter().all(|shown| shown.last() == Some(&false)), "{all:?}");
}

#[test]
fn between_moves_what_is_sent_begins_as_the_request_before() {
    let t = trace(99, (1..=30).map(|i| ok(12, &[], &rows(6 + i % 5, "row"))));
    let policy = Policy { output_tokens: 800, output_turns: 1, ..Policy::compressed() };
    let mut breaks = 0;
    for k in 2..=30 {
        let (then, now) = (messages(&t, &policy, Some(k)), messages(&t, &policy, Some(k + 1)));
        breaks += u32::from(now[..then.len()] != then);
    }
    assert!((1..=10).contains(&breaks), "{breaks} breaks in 29 requests");
}

#[test]
fn nothing_of_older_turns_is_printed_with_no_tokens_for_it() {
    let t = trace(9, [ok(9, &["a"], &rows(9, "secret")), ok(9, &["b"], &rows(9, "newest"))]);
    let policy = Policy { output_tokens: 0, ..Policy::compressed() };
    let shown = said(&t, &policy, 3);
    assert!(
        shown[0].ends_with("\n; Output: 9 lines, 0.3 KB: (turn/output 1)")
            || shown[0].contains(" bytes: (turn/output 1)"),
        "{}",
        shown[0]
    );
    assert!(!shown[0].contains("secret") && shown[2].contains("newest 8"));
}

#[test]
fn a_turn_that_is_shorter_than_its_summary_stays_as_it_was() {
    let short = TurnRecord { program: "(def a 1)".into(), ..ok(0, &["a"], &["printed\n".to_owned()]) };
    let t = trace(9, [short, ok(30, &["b"], &[]), ok(30, &["a"], &[])]);
    let shown = said(&t, &Policy::compressed(), 4);
    assert_eq!(shown[..2], ["```clojure\n(def a 1)\n```", "printed\nTurn 2 of 9"]);
    assert!(shown[2].starts_with("; Defined: b") && shown[4].starts_with("; Defined: a"));
    let why: Vec<String> =
        crate::reason::reasons(&t, &Policy::compressed(), Some(4)).iter().map(|r| r.to_string()).collect();
    assert_eq!(why[2..4], ["turn 1, whole: no longer than its summary", "feedback to turn 1"]);
    // By entries, every older turn is a summary.
    assert_eq!(said(&t, &Policy::by_entries(), 4)[0], "; Output:\nprinted");
}

#[test]
fn what_there_is_of_turns_bounds_what_a_move_is_worth() {
    // The same turns, near their end and far from it: a move that pays for long does not for one request more.
    let policy = Policy { output_tokens: 2500, output_turns: 1, ..Policy::compressed() };
    let cut = |turns: u64, max: u64| {
        let t = trace(max, (0..turns).map(|_| ok(60, &[], &rows(25, "row"))));
        said(&t, &policy, turns + 1).iter().any(|s| s.contains("(turn/output "))
    };
    assert!(cut(20, 99) && !cut(20, 21), "{} {}", cut(20, 99), cut(20, 21));
    // Above twice the budget it is made all the same.
    assert!(cut(45, 46));
    let moves = |turns: u64, max: u64| -> Vec<(u64, String)> {
        let t = trace(max, (0..turns).map(|_| ok(60, &[], &rows(25, "row"))));
        let moves = crate::reason::Reasons::new(&t, &policy).moves(None);
        moves.iter().map(|m| (m.turn, m.to_string())).collect()
    };
    let waits = moves(20, 21);
    assert_eq!(waits.len(), 1, "{waits:?}");
    assert!(
        waits[0].1.starts_with("after turn 20, ") && waits[0].1.contains(" kept. Shortening it saves "),
        "{waits:?}"
    );
    assert!(waits[0].1.ends_with(": not yet") && waits[0].1.contains("of about 1 request,"), "{waits:?}");
    let pays = moves(20, 99);
    assert!(pays[0].1.contains(": shortened. It saves ") && pays[0].1.ends_with(": pays"), "{pays:?}");
    let cheap = Prices { input: 1.0, cached: 0.01 };
    let history = ptc_history::Policy { prices: cheap, ..ptc_history::Policy::default() };
    let tight = Policy { output_tokens: 150, history, ..policy.clone() };
    let t = trace(4, (0..3).map(|_| ok(60, &[], &rows(25, "row"))));
    let forced = crate::reason::Reasons::new(&t, &tight).moves(None);
    assert!(forced.iter().any(|m| m.to_string().contains("more than twice output_tokens")), "{forced:?}");
    assert_eq!(crate::reason::Reasons::new(&trace(9, []), &Policy::by_entries()).moves(None), []);
}

fn call(name: &str, n: u64) -> Call {
    let args = crate::json::Json::new(format!("{{\"n\":{n}}}")).unwrap();
    Call { id: 1, name: name.into(), args, result: None, error: None, ms: 0, together: None }
}

fn turns() -> impl Strategy<Value = Vec<TurnRecord>> {
    let names = proptest::collection::vec(proptest::sample::select(vec!["a", "b", "c", "d", "e\u{200b}"]), 0..3);
    let printed = prop_oneof![
        proptest::collection::vec(
            proptest::sample::select(vec![
                "x\n",
                "; Defined: z = nil\n",
                "",
                "\\",
                "Turn 3 of 4",
                "; ... 3 lines more: (turn/output 1)\n",
                "a\u{2028}b "
            ]),
            0..4,
        )
        .prop_map(|p| p.into_iter().map(str::to_owned).collect::<Vec<_>>()),
        (0..60usize, "[a-z0-9 ;]{0,12}").prop_map(|(n, words)| rows(n, &words)),
        (1..900usize).prop_map(|n| vec!["lang ".repeat(n)]),
    ];
    let turn = (0..9u8, 0..12usize, names, printed, 0..4u64).prop_map(|(how, lines, names, printed, calls)| {
        let mut record = match how {
            0 | 1 => bad(lines),
            2 => TurnRecord { status: Status::Returned, value: Some("1".into()), ..ok(lines, &names, &printed) },
            3 => TurnRecord { status: Status::Failed, ..bad(lines) },
            4 => TurnRecord { value: Some("[1 2 3]".into()), printed: Vec::new(), ..ok(0, &[], &[]) },
            _ => ok(lines, &names, &printed),
        };
        record.tool_calls = (0..calls * 3).map(|i| call(["f", "g"][(i % 2) as usize], i)).collect();
        record
    });
    proptest::collection::vec(turn, 0..14)
}

/// Every option but those that say that entries and calls are counted.
fn policies() -> impl Strategy<Value = Policy> {
    let history = (0..4usize, 1..3usize).prop_map(|(auto, keep_turns)| match auto {
        0 | 1 => ptc_history::Policy::default(),
        batch => ptc_history::Policy {
            batch_turns: if batch == 2 { BatchTurns::Auto } else { BatchTurns::Turns(2) },
            keep_turns,
            ..ptc_history::Policy::with(ptc_history::policy::Strategy::Auto)
        },
    });
    let output = proptest::sample::select(vec![0, 1, 40, 120, 400, 2000]);
    (output, 0..6u64, 0..4u64, any::<bool>(), any::<bool>(), any::<bool>(), history).prop_map(
        |(output_tokens, output_turns, error_context_turns, until, clojure, show_tool_calls, history)| Policy {
            compress_history: true,
            output_tokens,
            output_turns,
            error_context_turns,
            error_retention: if until { ErrorRetention::UntilRecovered } else { ErrorRetention::Always },
            sample_syntax: if clojure { SampleSyntax::Clojure } else { SampleSyntax::Seed },
            show_tool_calls,
            history,
            ..Policy::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_fast_view_is_the_slow_one(turns in turns(), policy in policies(), together in any::<bool>(), max_turns in 1..16u64) {
        let policy = Policy { layout: if together { Layout::Coalesced } else { Layout::Assistant }, ..policy };
        let full = trace(max_turns, turns.clone());
        let mut view = View::new(full.header.clone(), &policy);
        for k in 0..=turns.len() {
            let so_far = trace(max_turns, turns.iter().take(k).cloned());
            prop_assert_eq!(view.messages(), messages(&so_far, &policy, None));
            if let Some(record) = full.turns().get(k) {
                view.push(record.clone());
            }
        }
        let back = Trace::parse(full.to_text().as_bytes()).unwrap().trace;
        prop_assert_eq!(view.messages(), messages(&back, &policy, None));
    }

    #[test]
    fn no_view_is_larger_than_the_full_history(turns in turns(), policy in policies(), max_turns in 1..16u64) {
        let full = trace(max_turns, turns);
        for k in 1..=full.turns().len() as u64 + 1 {
            let size = |p: &Policy| messages(&full, p, Some(k)).iter().map(|m| tokens(&m.text())).sum::<u64>();
            let (shown, all) = (size(&policy), size(&Policy::full()));
            prop_assert!(shown <= all, "{} of {} tokens before turn {}", shown, all, k);
        }
    }

    /// P-05, as before: what is bound has one line, or stands in a program that is shown.
    #[test]
    fn the_lines_and_the_whole_programs_name_what_is_defined(turns in turns(), policy in policies()) {
        let policy = Policy { history: ptc_history::Policy::default(), ..policy };
        let full = trace(99, turns);
        let mut expected: HashMap<String, u64> = HashMap::new();
        for t in full.turns().iter().filter(|t| t.status.committed()) {
            expected.extend(t.definitions.iter().map(|d| (d.name.clone(), t.turn)));
        }
        let view = messages(&full, &policy, None);
        let mut seen = HashMap::new();
        for (t, m) in full.turns().iter().zip(view.iter().skip(2).step_by(2)) {
            let text = m.text();
            // A program may redefine what a later turn redefined again: only lines are the latest word.
            let Some(summary) = parse_back::parse(&text) else {
                let own = t.definitions.iter().filter(|d| t.status.committed() && expected.get(&d.name) == Some(&t.turn));
                own.for_each(|d| { seen.insert(d.name.clone(), t.turn); });
                continue;
            };
            for d in summary.definitions {
                prop_assert_eq!(seen.insert(d.name, t.turn), None);
            }
        }
        prop_assert_eq!(seen, expected);
        for (i, m) in view.iter().enumerate() {
            prop_assert_eq!(m.role.as_str(), match i { 0 => "system", i if i % 2 == 1 => "user", _ => "assistant" });
            prop_assert!(!m.text().is_empty());
        }
    }
}
