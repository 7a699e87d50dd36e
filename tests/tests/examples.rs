//! The examples do what they say: every task is run as `ptc run` does, every Rust example prints what it printed.

use insta::{assert_snapshot, with_settings};
use ptc_tests::cli::{Folder, ptc, ptc_with, task, text_blocks};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Arguments;
use std::path::Path;

/// The names in a folder of the examples.
fn names(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(folder);
    let all = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut all: Vec<String> = all.collect();
    all.sort();
    all
}

/// `ptc run` of a task: the line of its result, and its turns.
fn run(name: &str) -> (Value, Vec<Value>) {
    let folder = Folder::new(name).unwrap();
    let trace = folder.path("t.jsonl");
    let did = ptc(&["run", &task(name).display().to_string(), "--json", "--trace", &trace]);
    assert_eq!((did.code, did.out.lines().count()), (0, 1), "{}", did.err);
    let turns = ptc(&["trace", &trace, "--json"]);
    (serde_json::from_str(&did.out).unwrap(), serde_json::from_str(&turns.out).unwrap())
}

#[test]
fn every_task_has_a_test() {
    assert_eq!(
        names("tasks"),
        ["airline", "curate", "logs", "recovery", "refunds", "reviews"],
        "a new task needs a test below"
    );
}

#[test]
fn reviews_finds_what_is_rated_well_and_in_stock() {
    let (result, turns) = run("reviews");
    assert_eq!((&result["status"], &result["turns"]), (&json!("returned"), &json!(3)));
    assert_eq!(result["value"], "[\"Laptop\" \"Keyboard\"]");
    assert_eq!(result["json"], json!(["Laptop", "Keyboard"]));
    // The first turn explores without printing, the second prints.
    assert_eq!(turns[0]["printed"], json!([]));
    assert_eq!(turns[1]["printed"].as_array().unwrap().len(), 4);
}

#[test]
fn recovery_mends_both_errors_and_returns_the_debts() {
    let (result, turns) = run("recovery");
    assert_eq!(result["status"], "returned");
    let statuses: Vec<&str> = turns.iter().map(|t| t["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["ok", "error", "ok", "error", "ok", "returned"]);
    let calls = |turn: usize| turns[turn]["tool_calls"].as_array().unwrap().len();
    assert!(calls(1) > 0, "the first error comes after tool calls");
    assert_eq!((calls(3), &turns[3]["error"]["kind"]), (0, &json!("name")), "the second before any");
    assert_eq!(result["json"], debts());
}

/// The answer of the recovery task, counted from its files.
fn debts() -> Value {
    let file = |name: &str| std::fs::read_to_string(task("recovery").join(name)).unwrap();
    let answers = |name: &str| -> BTreeMap<String, Value> {
        let lines = file(name);
        let lines = lines.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
        lines.map(|l| (l["args"]["customer-id"].as_str().unwrap().to_owned(), l["result"].clone())).collect()
    };
    let (invoices, contacts) = (answers("invoices.jsonl"), answers("contact.jsonl"));
    let customers: Vec<Value> = serde_json::from_str(&file("customers.json")).unwrap();
    let mut out: Vec<(i64, Value)> = Vec::new();
    for customer in &customers {
        let id = customer["id"].as_str().unwrap();
        let rows = invoices[id].as_array().unwrap();
        let sum = |late: bool| -> i64 {
            let open = |r: &Value| r["paid"] == false && r["due"].as_str().unwrap() < "2025-03-14";
            rows.iter().filter(|r| !late || open(r)).map(|r| r["amount"].as_i64().unwrap()).sum()
        };
        if sum(true) > 0 {
            let average = sum(false) / rows.len() as i64;
            let email = &contacts[id]["email"];
            out.push((
                sum(true),
                json!({"name": customer["name"], "email": email, "overdue": sum(true), "average": average}),
            ));
        }
    }
    out.sort_by_key(|o| -o.0);
    out.into_iter().map(|o| o.1).collect()
}

#[test]
fn airline_counts_what_an_independent_count_gives() {
    let (result, turns) = run("airline");
    assert_eq!((&result["status"], turns.len()), (&json!("returned"), 6));
    let expected = std::fs::read_to_string(task("airline").join("expected.json")).unwrap();
    assert_eq!(result["json"], serde_json::from_str::<Value>(&expected).unwrap());
}

#[test]
fn airline_calls_and_lengths_counted_here_once_more() {
    let lines = std::fs::read_to_string(task("airline").join("tau-bench-airline.jsonl")).unwrap();
    let mut calls: BTreeMap<String, u64> = BTreeMap::new();
    let mut lengths = Vec::new();
    for line in lines.lines() {
        let conversation: Value = serde_json::from_str(line).unwrap();
        let messages = conversation["messages"].as_array().unwrap();
        lengths.push(messages.len() as u64);
        let blocks = messages.iter().filter_map(|m| m["content"].as_array()).flatten();
        for block in blocks.filter(|b| b["type"] == "tool_use") {
            *calls.entry(block["name"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    let mut tools: Vec<(String, u64)> = calls.into_iter().collect();
    tools.sort_by_key(|t| std::cmp::Reverse(t.1));
    let tools: Vec<Value> = tools.into_iter().map(|(tool, calls)| json!({"tool": tool, "calls": calls})).collect();
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(task("airline").join("expected.json")).unwrap()).unwrap();
    assert_eq!((&expected["conversations"], &expected["tools"]), (&json!(lengths.len()), &json!(tools)));
    assert_eq!(expected["messages"]["min"], json!(lengths.iter().min()));
    assert_eq!(expected["messages"]["max"], json!(lengths.iter().max()));
    assert_eq!(expected["messages"]["mean"], json!(lengths.iter().sum::<u64>() as f64 / lengths.len() as f64));
}

/// Tokens of a prompt as OpenAI counts them.
fn tokens(trace: &str, turn: &str, policy: Option<&str>) -> u64 {
    let mut args = vec!["messages", trace, "--turn", turn, "--format", "openai"];
    args.extend(policy.into_iter().flat_map(|p| ["--policy", p]));
    let mut body: Value = serde_json::from_str(&ptc(&args).out).unwrap();
    body["model"] = json!("gpt-4o");
    let counted = ptc_with(&["tokens", "-"], &body.to_string());
    serde_json::from_str::<Value>(&counted.out).unwrap()["tokens"].as_u64().unwrap()
}

/// the last prompt is at least 80 % smaller than with the table in it.
#[test]
fn curate_sends_its_table_once() {
    let folder = Folder::new("curate").unwrap();
    let trace = folder.path("t.jsonl");
    let did = ptc(&["run", &task("curate").display().to_string(), "--trace", &trace]);
    assert_eq!((did.code, vec![did.out]), (0, text_blocks("curate").unwrap()), "{}", did.err);
    let full = folder.path("full.toml");
    std::fs::write(&full, "retention = false\n").unwrap();
    let (with, without) = (tokens(&trace, "3", Some(&full)), tokens(&trace, "3", None));
    assert!(without * 5 <= with, "{without} of {with}");
    let readme = std::fs::read_to_string(task("curate").join("README.md")).unwrap();
    for figure in [format!("| {with} |"), format!("| {without} |"), format!("{} % less", (with - without) * 100 / with)]
    {
        assert!(readme.contains(&figure), "{figure}");
    }
    // In its own act it is all there; from then on the line that the README shows.
    assert_eq!(tokens(&trace, "1", Some(&full)), tokens(&trace, "1", None));
    let line = "[Table: potential_discord_posts, 10 rows, ~19KB]";
    assert!(ptc(&["messages", &trace, "--turn", "2"]).out.contains(line) && readme.contains(line));
}

/// A library and acts with tools of their own: what the README shows is what is sent, refused and returned.
#[test]
fn refunds_are_paid_in_their_own_act() {
    let (result, turns) = run("refunds");
    let statuses: Vec<&str> = turns.iter().map(|t| t["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["error", "returned", "returned"]);
    let calls = |turn: usize| -> Vec<&str> {
        turns[turn]["tool_calls"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect()
    };
    assert_eq!((calls(0), calls(1), calls(2)), (vec!["order"; 4], vec!["order"; 4], vec!["pay"; 2]));
    // Counted here once more, from the rules of the library.
    let due = [("A-17", 4590), ("A-21", 1299 * 20 / 100)];
    let receipts = ["R-1001", "R-1002"];
    let paid =
        due.iter().zip(receipts).map(|((order, cents), r)| json!({"order": order, "cents": cents, "receipt": r}));
    assert_eq!(result["json"], Value::Array(paid.collect()));
    let folder = Folder::new("refunds-shown").unwrap();
    let trace = folder.path("t.jsonl");
    let did = ptc(&["run", &task("refunds").display().to_string(), "--trace", &trace]);
    let sent = ptc(&["messages", &trace, "--turn", "2"]).out;
    let blocks = text_blocks("refunds").unwrap();
    let [system, error, end] = blocks.as_slice() else { panic!("{}", blocks.len()) };
    assert!(sent.contains(system.as_str()), "{sent}");
    assert!(sent.contains(error.as_str()), "{sent}");
    assert_eq!(did.out, *end);
}

thread_local! {
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

fn say(line: Arguments<'_>) {
    PRINTED.with_borrow_mut(|p| p.push_str(&format!("{line}\n")));
}

/// The Rust examples: what they print is kept, and they look for their tasks where they are.
mod rust {
    macro_rules! println {
        () => { crate::examples::say(format_args!("")) };
        ($($words:tt)*) => { crate::examples::say(format_args!($($words)*)) };
    }
    macro_rules! env {
        ("CARGO_MANIFEST_DIR") => {
            concat!(::std::env!("CARGO_MANIFEST_DIR"), "/../examples")
        };
    }
    macro_rules! example {
        ($name:ident) => {
            pub mod $name {
                include!(concat!(::std::env!("OUT_DIR"), "/", stringify!($name), ".rs"));
            }
        };
    }
    example!(chat);
    example!(embed);
    example!(fork);
    example!(host_tools);
    example!(policies);
    example!(typed_tools);
}

/// What an example prints.
fn printed<E: std::fmt::Debug>(main: impl FnOnce() -> Result<(), E>) -> String {
    PRINTED.with_borrow_mut(String::clear);
    main().unwrap();
    PRINTED.take()
}

#[test]
fn every_rust_example_prints_what_it_printed() {
    assert_eq!(
        names("examples"),
        ["chat.rs", "embed.rs", "fork.rs", "host_tools.rs", "policies.rs", "typed_tools.rs"],
        "a new example needs a line below"
    );
    with_settings!({ omit_expression => true }, {
        assert_snapshot!("chat", printed(rust::chat::main));
        assert_snapshot!("embed", printed(rust::embed::main));
        assert_snapshot!("fork", printed(rust::fork::main));
        assert_snapshot!("host_tools", printed(rust::host_tools::main));
        assert_snapshot!("policies", printed(rust::policies::main));
        assert_snapshot!("typed_tools", printed(rust::typed_tools::main));
    });
}
