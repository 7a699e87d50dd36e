//! Views that are measured in tokens: what is shown of old output, never more than the full history, and the fast view
//! against the slow one.

use crate::policy::{ErrorRetention, Layout, Policy, SampleSyntax};
use crate::render::incremental_view::IncrementalView;
use crate::render::messages;
use crate::render::summary_parser;
use crate::render::tests::trace;
use crate::text::token_estimate::tokens;
use crate::trace::Trace;
use crate::trace::record::{Call, Defined, ErrorRecord, Kind, Status, TurnRecord};
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
    TurnRecord { status: Status::Error, error: Some(ErrorRecord::new(&error, "")), ..record }
}

fn rows(n: usize, words: &str) -> Vec<String> {
    (0..n).map(|i| format!("{words} {i}: some words of this row\n")).collect()
}

fn said(t: &Trace, policy: &Policy, before: u64) -> Vec<String> {
    messages(t, policy, Some(before)).iter().skip(2).map(|m| m.text().into_owned()).collect()
}

/// What the view before turn `k` shows of each turn's output.
fn states(t: &Trace, policy: &Policy, k: u64) -> Vec<&'static str> {
    let of = |text: &String| match () {
        () if text.contains("\n; ... ") => "cut",
        () if text.contains("; Output: ") => "pointer",
        () if text.contains("; Output:\n") => "whole",
        () => "none",
    };
    said(t, policy, k).iter().step_by(2).map(of).collect()
}

/// Turns that print so many rows each, which no other turn prints.
fn printing(turns: usize, rows_each: usize) -> Trace {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    trace(99, (1..=turns).map(|i| ok(20, &[names[i % 8]], &rows(rows_each, &format!("turn {i} row")))))
}

#[test]
fn long_output_is_whole_then_cut_then_a_line_that_says_where_it_is() {
    // About 400 tokens a turn, of which 33 stay; ten budgets are 40 turns of them.
    let t = printing(60, 40);
    let policy = Policy { output_tokens: 132, output_turns: 1, ..Policy::compressed() };
    let all: Vec<Vec<&str>> = (2..=61).map(|k| states(&t, &policy, k)).collect();
    for (k, now) in all.iter().enumerate() {
        assert_eq!(now.last(), Some(&"whole"), "the newest turn's output is whole: {now:?}");
        // Nothing comes back.
        let order = |s: &str| ["whole", "cut", "pointer"].iter().position(|o| *o == s).unwrap();
        for (then, now) in all[k.saturating_sub(1)].iter().zip(now) {
            assert!(order(then) <= order(now), "{then} to {now}");
        }
        assert!(k > 30 || !now.contains(&"pointer"), "before turn {}: {now:?}", k + 2);
    }
    let last = all.last().unwrap();
    assert!(last.contains(&"cut") && last[0] == "pointer", "{last:#?}");
    let shown = said(&t, &policy, 61);
    let first = summary_parser::parse(&shown[0]).unwrap();
    assert!(first.hidden.unwrap().ends_with(": (turn/output 1)"));
    let cut = shown.iter().step_by(2).rfind(|s| s.contains("\n; ... ")).unwrap();
    let cut = summary_parser::parse(cut).unwrap();
    assert!(cut.hidden.unwrap().starts_with("; ... ") && cut.output.unwrap().starts_with("turn "));
    assert!(cut.definitions[0].sample.is_some(), "what is not shown whole leaves its samples");
}

#[test]
fn short_output_stays_until_all_of_it_is_more_than_ten_budgets() {
    // About 45 tokens a turn.
    let t = printing(60, 4);
    let policy = Policy { output_tokens: 60, output_turns: 1, ..Policy::compressed() };
    for k in 2..=12 {
        assert!(states(&t, &policy, k).iter().all(|s| *s == "whole"), "{k}");
    }
    let last = states(&t, &policy, 61);
    let shown = last.iter().filter(|s| **s == "whole").count();
    assert!((12..30).contains(&shown), "{shown}: {last:?}");
    // It is the oldest that are a line each.
    let lines = last.iter().take_while(|s| **s == "pointer").count();
    assert_eq!(lines + shown, 60, "{last:?}");
}

#[test]
fn what_is_printed_again_stays_and_its_first_copy_goes() {
    let policy = Policy { output_tokens: 150, output_turns: 1, ..Policy::compressed() };
    let session = |n: usize, times: usize| {
        let read = rows(n, "rule of the manual");
        let turns = (0..5 * times).map(|i| match i % 5 {
            0 => read.iter().cloned().chain(rows(5, &format!("beside it, turn {i}"))).collect(),
            _ => rows(3, &format!("turn {i} row")),
        });
        let turns: Vec<Vec<String>> = turns.collect();
        let t = trace(99, turns.iter().map(|p| ok(20, &[], p)));
        let shown = states(&t, &policy, turns.len() as u64 + 1);
        assert!(shown.iter().enumerate().all(|(i, s)| i % 5 == 0 || *s == "whole"), "{shown:?}");
        shown.into_iter().step_by(5).collect::<Vec<_>>()
    };
    // About 300 tokens: cut until it was printed again, then that stays.
    assert_eq!(session(25, 1), ["cut"]);
    assert_eq!(session(25, 2), ["cut", "whole"]);
    // A third time: one of them is enough.
    assert_eq!(session(25, 3)[1..], ["pointer", "whole"]);
    // More than four budgets stay cut.
    assert_eq!(session(80, 3), ["cut", "cut", "cut"]);
}

#[test]
fn a_line_that_is_printed_many_times_hides_nothing_else() {
    let rule = "the rule: weekends count one and a half times\n".to_owned();
    let first: Vec<String> = rows(12, "turn 1 row").into_iter().chain([rule.clone()]).collect();
    let printed = [first, vec![rule; 12], rows(3, "turn 3 row"), rows(3, "turn 4 row")];
    let policy = Policy { output_tokens: 200, output_turns: 1, ..Policy::compressed() };
    let t = trace(99, printed.iter().map(|p| ok(20, &[], p)));
    assert_eq!(states(&t, &policy, 5), ["whole"; 4]);
}

#[test]
fn the_newest_turns_show_their_output_whole_unless_it_is_a_flood() {
    let pointers = |rows_each: usize, policy: &Policy, k: u64| -> Vec<bool> {
        states(&printing(12, rows_each), policy, k).iter().map(|s| *s != "whole").collect()
    };
    for spared in 1..7 {
        let policy = Policy { output_tokens: 120, output_turns: spared, ..Policy::compressed() };
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
    let t = trace(99, (1..=30).map(|i| ok(12, &[], &rows(6 + i % 5, &format!("turn {i} row")))));
    for output_tokens in [80, 400] {
        let policy = Policy { output_tokens, output_turns: 1, ..Policy::compressed() };
        let mut breaks = 0;
        for k in 2..=30 {
            let (then, now) = (messages(&t, &policy, Some(k)), messages(&t, &policy, Some(k + 1)));
            breaks += u32::from(now[..then.len()] != then);
        }
        let most = if output_tokens == 400 { 0..=0 } else { 1..=15 };
        assert!(most.contains(&breaks), "{output_tokens}: {breaks} breaks in 29 requests");
    }
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
        crate::reasons::reasons(&t, &Policy::compressed(), Some(4)).iter().map(|r| r.to_string()).collect();
    assert_eq!(why[2..4], ["turn 1, whole: no longer than its summary", "feedback to turn 1"]);
    // By entries, every older turn is a summary.
    assert_eq!(said(&t, &Policy::legacy_entry_count(), 4)[0], "; Output:\nprinted");
}

#[test]
fn what_there_is_of_turns_bounds_what_a_move_is_worth() {
    // The same turns, near their end and far from it: a move that pays for long does not for one request more.
    let policy = Policy { output_tokens: 240, output_turns: 1, ..Policy::compressed() };
    // About 290 tokens in one turn among those of about 110.
    let session = |turns: u64, max: u64| {
        let n = |i: u64| if i + 3 == turns { 25 } else { 9 };
        trace(max, (0..turns).map(|i| ok(60, &[], &rows(n(i), &format!("turn {i} row")))))
    };
    let cut =
        |turns: u64, max: u64| said(&session(turns, max), &policy, turns + 1).iter().any(|s| s.contains("\n; ... "));
    assert!(cut(20, 99) && !cut(20, 21), "{} {}", cut(20, 99), cut(20, 21));
    let moves = |turns: u64, max: u64| -> Vec<(u64, String)> {
        let t = session(turns, max);
        let moves = crate::reasons::Reasons::new(&t, &policy).shortenings(None);
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
    let tight = Policy { output_tokens: 100, history, ..policy.clone() };
    let t = trace(4, (0..3).map(|i| ok(60, &[], &rows(25, &format!("turn {i} row")))));
    let forced = crate::reasons::Reasons::new(&t, &tight).shortenings(None);
    assert!(forced.iter().any(|m| m.to_string().contains("more than twice output_tokens")), "{forced:?}");
    assert_eq!(crate::reasons::Reasons::new(&trace(9, []), &Policy::legacy_entry_count()).shortenings(None), []);
}

fn call(name: &str, n: u64) -> Call {
    let args = crate::trace::json::Json::new(format!("{{\"n\":{n}}}")).unwrap();
    Call {
        id: 1,
        name: name.into(),
        args,
        result: None,
        error: None,
        failure: None,
        ms: 0,
        together: None,
        decided: None,
    }
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
            sample_syntax: if clojure { SampleSyntax::Clojure } else { SampleSyntax::Elixir },
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
        let mut view = IncrementalView::new(full.header.clone(), &policy);
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
            let Some(summary) = summary_parser::parse(&text) else {
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
