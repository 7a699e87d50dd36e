//! Options of history over sessions of programs, under every strategy: requests are made or refused for their budget,
//! are the same turn by turn, at once and after the trace was read again, and each option changes some of them.

use ptc_history::policy::{Strategy, keys};
use ptc_history::view::TokenCounter;
use ptc_history::view::summarizer::{Summarizer, SummaryRequest};
use ptc_history::{Message, Role, ViewContext, ViewError, render};
use ptc_tests::scenario::{Scenario, take};
use ptc_turns::{Policy, Trace, request};
use serde_json::{Value, json};
use std::collections::BTreeSet;

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

struct Model;

impl Summarizer for Model {
    fn summarize(&self, _: &SummaryRequest) -> Result<String, String> {
        Ok("What a model says of it, in a sentence that is a little longer than sixteen tokens are allowed to be."
            .into())
    }
}

fn with() -> ViewContext<'static> {
    ViewContext { counter: Some(&Quarter), summarizer: Some(&Model), ..ViewContext::default() }
}

/// A session of definitions, prints, calls, errors and definitions anew.
fn long(turns: usize) -> Scenario {
    let program = |i: usize| match i % 4 {
        0 => format!("(def x{i} \"Rows of {i}\" (range {i}))\n(println (count x{i}) {:?})", "words ".repeat(i)),
        1 => "(def r (tool/search-reviews \"Electronics\"))\n(println r)".to_owned(),
        2 => format!("(def gone {i})\n(oops {i})"),
        _ => format!("(def x0 {i})\n(println (tool/delivery \"Oslo\") ctx/products)"),
    };
    let reply = |i: usize| format!("## Turn {}\nI look at {i}.\n```clojure\n{}\n```\n\n", i + 1, program(i));
    let text: String = (0..turns).map(reply).collect();
    Scenario::parse("long", &format!("# A long session\nprompt = \"Count the shop.\"\nmax_turns = 99\n{text}")).unwrap()
}

/// The same as it was kept, a minute a turn.
fn kept(trace: &Trace) -> Trace {
    let mut turns = 0;
    let line = |l: &str| {
        let mut line: Value = serde_json::from_str(l).unwrap();
        if line.get("turn").is_some() {
            turns += 1;
            line["time"] = json!(60_000 * turns);
        }
        format!("{line}\n")
    };
    let text: String = trace.to_text().lines().map(line).collect();
    Trace::parse(text.as_bytes()).unwrap().trace
}

/// Values that an option is tried with, none of them its default.
fn values(key: &str) -> Vec<Value> {
    match key {
        "when" => vec![json!("always")],
        "pin_task" | "compact_user_messages" | "summarize_removed" | "enable_token_caching" | "retention" => {
            vec![json!(false)]
        }
        "model_summaries" | "ladder" | "honour_explicit_full" => vec![json!(true)],
        "summary_role" => vec![json!("user")],
        "retention_summary" => vec![json!("smart"), json!("differential")],
        "prices" => vec![json!({"input": 1.0, "cached": 1.0})],
        "from_timestamp" => vec![json!(600_000)],
        "max_age_ms" => vec![json!(400_000)],
        "max_tokens" => vec![json!(6_000), json!(100)],
        "max_history_size" => vec![json!(8)],
        "summary_tokens" => vec![json!(16)],
        "sticky_messages" => vec![json!(20)],
        "min_messages" => vec![json!(500)],
        "auto_summary_threshold" => vec![json!(500)],
        _ => vec![json!(2), json!(7)],
    }
}

fn policy(strategy: Strategy, options: &[(&str, Value)]) -> Policy {
    let mut all = serde_json::Map::from_iter([("strategy".to_owned(), json!(strategy.name()))]);
    if strategy == Strategy::FromTimestamp {
        all.insert("max_age_ms".into(), json!(800_000));
    }
    all.extend(options.iter().map(|(k, v)| ((*k).to_owned(), v.clone())));
    serde_json::from_value(Value::Object(all)).unwrap_or_else(|e| panic!("{strategy:?} {options:?}: {e}"))
}

/// The request before a turn as text, or what kept it from being made.
fn made(trace: &Trace, policy: &Policy, before: Option<u64>) -> Result<String, ViewError> {
    let messages = request(trace, policy, before, &with())?.messages();
    assert_eq!(messages.iter().position(|m| m.role == Role::System), Some(0), "{:?}", policy.history);
    assert!(messages.len() > 1, "{:?}", policy.history);
    Ok(render::json(&messages))
}

#[test]
fn every_option_under_every_strategy() {
    // Side by side: this is the longest test of its executable.
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let share = |first| every_option(Strategy::ALL.into_iter().skip(first).step_by(threads));
    let shares: Vec<_> = std::thread::scope(|s| {
        let shares: Vec<_> = (0..threads).map(|first| s.spawn(move || share(first))).collect();
        shares.into_iter().map(|s| s.join().unwrap()).collect()
    });
    let tried: usize = shares.iter().map(|s| s.0).sum();
    assert!(tried > if all() { 3000 } else { 1000 }, "{tried}");
    let changing: BTreeSet<String> = shares.into_iter().flat_map(|s| s.1).collect();
    let still: Vec<&str> = keys().into_iter().filter(|k| *k != "strategy" && !changing.contains(*k)).collect();
    assert!(still.iter().all(|k| STILL.contains(k)), "these change nothing: {still:?}");
}

/// Whether each request is made, and made again from the trace that was read again, as `.ci/run` has it with `PTC_ALL=1`.
/// Without it two of three are, and every fourth is made again.
fn all() -> bool {
    std::env::var_os("PTC_ALL").is_some()
}

/// Tries every option under these strategies: how many requests were made, and which options changed one.
fn every_option(strategies: impl Iterator<Item = Strategy>) -> (usize, BTreeSet<String>) {
    let scenario = long(30);
    let trace = kept(scenario.play(&Policy::default()).unwrap().trace());
    let again = Trace::parse(trace.to_text().as_bytes()).unwrap().trace;
    let mut changing = BTreeSet::new();
    let mut tried = 0;
    let turns: &[u64] = if all() { &[6, 17, 31] } else { &[6, 31] };
    for strategy in strategies {
        // Some are read only beside another.
        let beside: [&[(&str, Value)]; 4] = [
            &[],
            &[("max_tokens", json!(9_000))],
            &[("max_tokens", json!(5_000)), ("ladder", json!(true))],
            &[("model_summaries", json!(true))],
        ];
        for beside in beside {
            let plain = policy(strategy, beside);
            let plain: Vec<_> = turns.iter().map(|k| made(&trace, &plain, Some(*k))).collect();
            for key in keys().into_iter().filter(|k| *k != "strategy" && beside.iter().all(|b| b.0 != *k)) {
                for value in values(key) {
                    let options = [beside, &[(key, value)]].concat();
                    let policy = policy(strategy, &options);
                    for (k, plain) in turns.iter().copied().zip(&plain) {
                        tried += 1;
                        let first = made(&trace, &policy, Some(k));
                        let shown = format!("{} {options:?} before turn {k}", strategy.name());
                        if all() || tried % 4 == 0 {
                            assert_eq!(first, made(&again, &policy, Some(k)), "{shown}");
                        }
                        if first != *plain {
                            changing.insert(key.to_owned());
                        }
                        let budget = options.iter().any(|o| o.0 == "max_tokens" || o.0 == "max_history_size");
                        if let Err(e) = first {
                            let held = !matches!(e, ViewError::Policy(_) | ViewError::Missing(_));
                            assert!(budget && held, "{shown}: {e}");
                        }
                    }
                }
            }
        }
    }
    (tried, changing)
}

/// Options that may change no request of a session of programs without acts: they are about blocks of tool calls, which
/// turns have none of, about collapsed messages (turns have summaries instead), about how counts are made, and about
/// inputs of acts. The degradation order gives up what else a budget would drop.
const STILL: [&str; 10] = [
    "keep_tool_results",
    "fold_call",
    "fold_result",
    "shrink_after",
    "enable_token_caching",
    "ladder",
    "retention",
    "auto_summary_threshold",
    "honour_explicit_full",
    "retention_summary",
];

/// What is sent turn by turn is what is sent when the trace is looked at later.
#[test]
fn turn_by_turn_is_what_the_trace_gives() {
    let scenario = long(12);
    for strategy in Strategy::ALL {
        for options in [
            vec![],
            vec![("max_tokens", json!(9_000))],
            vec![("model_summaries", json!(true))],
            vec![("ladder", json!(true)), ("max_tokens", json!(9_000))],
        ] {
            let policy = policy(strategy, &options);
            let mut session = scenario.session(&policy);
            for reply in &scenario.replies {
                let sent = session.request(&with()).map(|m| render::json(&m));
                let looked_at = request(session.trace(), &policy, None, &with()).map(|v| render::json(&v.messages()));
                assert_eq!(sent, looked_at, "{} {options:?}", strategy.name());
                take(&mut session, reply).unwrap();
            }
        }
    }
}
