//! No option that nothing reads: each option of docs/history.md changes views under the strategies that its row names,
//! and under no other where there is no budget.

// Tests unwrap and panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::panic)]

use ptc_history::policy::{Policy, Prices, Strategy};
use ptc_history::view::TokenCounter;
use ptc_history::view::summarizer::{Summarizer, SummaryRequest};
use ptc_history::{Block, Conversation, Message, Part, PartKind, Retention, Role, ViewContext, render, view};
use serde_json::{Value, json};

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

/// The rows of the table: the option and the strategies, or kinds of them, that read it.
fn rows() -> Vec<(String, String)> {
    let text = include_str!("../../../docs/history.md");
    let table = text.split_once("| key | default | of | what |\n").unwrap().1;
    let rows = table.lines().skip(1).take_while(|l| l.starts_with('|'));
    let cells = |l: &str| l.split('|').map(|c| c.trim().to_owned()).collect::<Vec<_>>();
    rows.map(cells).map(|c| (c[1].trim_matches('`').to_owned(), c[3].clone())).collect()
}

fn sums_up(s: Strategy) -> bool {
    use Strategy as S;
    !matches!(s, S::None | S::Batch | S::ClearToolResults | S::Auto)
}

/// Whether a row says that this strategy reads its option.
fn named(of: &str, s: Strategy) -> bool {
    of.split(", ").any(|word| match word {
        "all" | "budget" | "inputs" => true,
        "budget but whole histories" => {
            !matches!(s, Strategy::WholeHistory | Strategy::WholeHistoryMultipleSystemMessages)
        }
        "all but `none`" => s != Strategy::None,
        "summaries" => sums_up(s),
        "summaries but `sliding_window`" => sums_up(s) && s != Strategy::SlidingWindow,
        other => other.trim_matches('`') == s.name(),
    })
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
        "retention_summary" => vec![json!("smart"), json!("semantic"), json!("differential")],
        "prices" => vec![json!({"input": 1.0, "cached": 1.0})],
        "batch_turns" => vec![json!(1), json!(5)],
        "min_messages" => vec![json!(500)],
        "from_timestamp" => vec![json!(9_000)],
        "max_age_ms" => vec![json!(3_000)],
        "sticky_messages" => vec![json!(20)],
        "max_tokens" => vec![json!(1_500)],
        "max_history_size" => vec![json!(8)],
        "keep_turns" => vec![json!(4)],
        "auto_summary_threshold" => vec![json!(500)],
        "summary_tokens" => vec![json!(20)],
        "shrink_after" => vec![json!(2)],
        _ => vec![json!(2), json!(7)],
    }
}

fn input(name: &str, retention: Option<Retention>, rows: usize) -> Block {
    let lines: String = (0..rows).map(|r| format!("| {r} | cell {r} of {name} |\n")).collect();
    let text = format!("| id | name |\n|---|---|\n{lines}");
    let name = Some("posts".to_owned());
    let part = Part { kind: PartKind::Table, name, history_retention: retention, count: None, offset: None };
    Block::Text { text, part: Some(Box::new(part)) }
}

/// Conversations of all that options are about: recaps, calls, phases, inputs, times.
fn conversations() -> Vec<Conversation> {
    let at = |mut m: Message, i: usize| {
        m.meta_mut().at = Some(i as i64 * 300);
        m
    };
    let mut out = Vec::new();
    for inputs in [false, true] {
        let mut all =
            vec![Message::system("You keep sheep."), Message::user("Count the sheep of all fields. ".repeat(6))];
        for i in 0..24 {
            let id = format!("c{i}");
            let words = format!("I look at field {i}, which lies behind the hill. {}", "More of it. ".repeat(i));
            let call = json!({"field": i, "why": "because it was asked for in so many words"});
            all.push(Message::of(Role::Assistant, vec![Block::text(words), Block::tool_use(&id, "count", call)]));
            all.push(Message::of(
                Role::Tool,
                vec![Block::tool_result(&id, format!("{i} sheep stand here. ").repeat(9))],
            ));
            all.push(Message::assistant(format!("There are {i} of them, all white.\nrecap - field {i} has {i}")));
            let next =
                Message::user(format!("And in field {}? {}", i + 1, "Look well, some hide behind trees. ".repeat(5)));
            all.push(match inputs && i % 4 == 1 {
                true => Message::of(
                    Role::User,
                    vec![
                        input(&format!("{i}"), Some(Retention::Summary), 80 + i),
                        input("large", None, 500),
                        input("kept", Some(Retention::Full), 490),
                        input("middle", None, 150),
                        Block::text("Look."),
                    ],
                ),
                false => next,
            });
            if i == 11 {
                all.push(Message::system("From here on count goats as well."));
                all.push(Message::user("Begin again with goats."));
            }
        }
        all.push(Message::assistant("Done."));
        out.push(Conversation::recorded(all.into_iter().enumerate().map(|(i, m)| at(m, i))));
    }
    out
}

/// What else a policy says while an option is tried.
const BESIDE: [&[(&str, u64)]; 8] = [
    &[],
    &[("shrink_after", 2)],
    &[("max_tokens", 200_000)],
    &[("max_tokens", 2_500)],
    &[("max_tokens", 700)],
    &[("max_tokens", 300)],
    &[("max_tokens", 2_500), ("ladder", 1)],
    &[("max_history_size", 30)],
];

fn shown(conversation: &Conversation, policy: &Policy) -> String {
    let with =
        ViewContext { counter: Some(&Quarter), now: Some(30_000), summarizer: Some(&Model), ..ViewContext::default() };
    match view(conversation, policy, &with) {
        Ok(v) => render::json(&v.messages()),
        Err(e) => e.to_string(),
    }
}

/// Where a value of the option changes a view: what else the policy said.
fn changes(all: &[Conversation], strategy: Strategy, key: &str, beside: &[(&str, u64)]) -> bool {
    let mut base = Policy::with(strategy);
    if strategy == Strategy::FromTimestamp {
        base.from_timestamp = Some(6_000);
    }
    for (key, value) in beside {
        let value = if *key == "ladder" { json!(true) } else { json!(value) };
        base.set(key, &value).unwrap();
    }
    values(key).iter().any(|value| {
        let mut policy = base.clone();
        policy.set(key, value).unwrap();
        policy.check().is_ok() && all.iter().any(|c| shown(c, &base) != shown(c, &policy))
    })
}

#[test]
fn every_option_is_read_where_the_table_says_so_and_nowhere_else() {
    let all = conversations();
    let rows = rows();
    let keys: Vec<&str> = rows.iter().map(|r| r.0.as_str()).collect();
    assert_eq!(keys, ptc_history::policy::keys(), "the table has every option, in the order of policy files");
    let mut wrong = Vec::new();
    for (key, of) in rows.iter().filter(|r| r.0 != "strategy") {
        for strategy in Strategy::ALL {
            let name = strategy.name();
            let read = BESIDE.iter().any(|beside| changes(&all, strategy, key, beside));
            if key == "enable_token_caching" {
                if read {
                    wrong
                        .push(format!("{key} changes what {name} shows; the table says that the numbers are the same"));
                }
                continue;
            }
            let named = named(of, strategy);
            if named && !read {
                wrong.push(format!("{key} is read by nothing under {name}, and the table says it is"));
            }
            // Steps of a ladder read what strategies read.
            if !named && changes(&all, strategy, key, &[]) {
                wrong.push(format!("{key} changes what {name} shows, and the table does not say so"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

/// A policy that was written in a program is held to what a file is held to.
#[test]
fn prices_are_above_zero_wherever_they_come_from() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for prices in [Prices { input: bad, cached: 0.1 }, Prices { input: 1.0, cached: bad }] {
            let error = Policy { prices, ..Policy::default() }.check().unwrap_err().to_string();
            assert!(error.contains("prices") && error.contains("each above 0"), "{error}");
        }
    }
    assert!(Policy::default().check().is_ok());
}
