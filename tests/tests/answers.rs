//! Answers of tools are held to the `returns` that they declare, whoever answers.

use ptc_agent::{RunContext, Task};
use ptc_tests::cli::{Folder, ptc};
use ptc_turns::{Session, TurnContext};

fn put(f: &Folder, name: &str, text: &str) {
    let path = f.path(name);
    std::fs::create_dir_all(std::path::Path::new(&path).parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// The value of each program, or its error, in one session of the task in this folder.
fn values(f: &Folder, programs: &[&str]) -> Vec<String> {
    let task = Task::load(std::path::Path::new(&f.path("task"))).unwrap();
    let mut session = Session::new(ptc_turns::Config { max_turns: 99, open_ended: true, ..task.config().unwrap() });
    let mut tools = task.tools(session.trace(), &RunContext::default()).unwrap();
    let one = |program: &&str| {
        let record = session.run(program, TurnContext::with_tools(&mut tools)).unwrap();
        match &record.error {
            Some(e) => format!("{}: {}", e.kind.as_str(), e.message),
            None => record.value.clone().unwrap_or_default(),
        }
    };
    let values = programs.iter().map(one).collect();
    // Memory comes back from the record, errors of tools too.
    Session::from_trace(session.trace().clone(), Vec::new()).unwrap();
    values
}

// The commands are shell scripts.
#[cfg(unix)]
#[test]
fn commands_recordings_and_agents_are_held_to_what_they_declare() {
    let f = Folder::new("answers").unwrap();
    put(
        &f,
        "task/task.toml",
        r#"
[task]
prompt = "p"
[tools.orders]
returns = "[{id: integer, price: number}]"
replay = "orders.jsonl"
[tools.count]
returns = "integer"
command = ["sh", "-c", "cat >/dev/null; echo many"]
[tools.text]
returns = "string"
command = ["sh", "-c", "cat >/dev/null; echo 5"]
[tools.anything]
command = ["sh", "-c", "cat >/dev/null; echo many"]
[agents.helper]
task = "../helper"
"#,
    );
    put(
        &f,
        "task/orders.jsonl",
        concat!(
            "{\"args\": {\"n\": 1}, \"result\": [{\"id\": 1, \"price\": 2.5, \"note\": \"x\"}]}\n",
            "{\"args\": {\"n\": 2}, \"result\": [{\"id\": 1, \"price\": 2.5}, {\"id\": 2, \"price\": \"3\"}]}\n",
            "{\"args\": {\"n\": 3}, \"error\": \"closed\"}\n",
        ),
    );
    let helper = "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\nexpect = \"{a: any}\"\n";
    put(&f, "helper/task.toml", helper);
    // A function has no JSON: what arrives is its text, and no map.
    put(&f, "helper/r.md", "## Turn 1\n(return {:a inc})\n");
    let seen = values(
        &f,
        &[
            "(tool/orders {:n 1})",
            "(tool/orders {:n 2})",
            "(tool/orders {:n 3})",
            "(tool/count)",
            "(tool/text)",
            "(tool/anything)",
            "(try (tool/count) (catch Exception e (ex-data e)))",
            "(tool/helper \"x\")",
        ],
    );
    assert_eq!(seen[0], "[{:id 1, :price 2.5, :note \"x\"}]");
    assert_eq!(
        seen[1],
        "tool: tool/orders: its answer[1].price must be a number, got \"3\"; \
         the tool is declared to return [{id: integer, price: number}]"
    );
    assert_eq!(seen[2], "tool: tool/orders: closed");
    let many = "its answer must be an integer, got \"many\"; the tool is declared to return integer";
    assert_eq!(seen[3], format!("tool: tool/count: {many}"));
    assert_eq!((seen[4].as_str(), seen[5].as_str()), ("\"5\"", "\"many\""));
    assert_eq!(seen[6], format!("{{:tool \"count\", :message {:?}}}", many));
    assert!(seen[7].starts_with("tool: tool/helper: its answer must be a map {a: any}, got \""), "{}", seen[7]);
}

/// What is no type is refused when the task is read, with its line.
#[test]
fn prose_is_no_type() {
    let f = Folder::new("answers-prose").unwrap();
    put(&f, "task/task.toml", "[task]\nprompt = \"p\"\n[tools.t]\nreturns = \"the price\"\nreplay = \"t.jsonl\"\n");
    let did = ptc(&["run", &f.path("task")]);
    let words = "task.toml:4: returns: unknown type the, in the type the price; types are string integer number boolean map \
                 list any, [T], T?, {key: T} and closed {key: T}; what a tool answers in words stands in its description";
    assert!(did.code == 2 && did.err.contains(words), "{did:?}");
}

/// The model reads whether a shape is open, in the system message and in the error.
#[test]
fn expected_maps_say_whether_they_may_have_further_keys() {
    let run = |expect: &str, value: &str| {
        let f = Folder::new(&format!("answers-{}", expect.len())).unwrap();
        let task = format!("[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\nmax_turns = 1\nexpect = \"{expect}\"\n");
        put(&f, "task/task.toml", &task);
        put(&f, "task/r.md", &format!("## Turn 1\n(return {value})\n"));
        let trace = f.path("t.jsonl");
        let did = ptc(&["run", &f.path("task"), "--trace", &trace]);
        let seen = ptc(&["messages", &trace]).out;
        let rule =
            seen.lines().find(|l| l.starts_with("- The returned value must have this shape")).unwrap().to_owned();
        (did.code, rule, std::fs::read_to_string(&trace).unwrap())
    };
    let shape = "- The returned value must have this shape: ";
    let (code, rule, _) = run("{a: integer}", "{:a 1 :b 2}");
    assert_eq!((code, rule), (0, format!("{shape}`{{a: integer}}`; maps may have further keys")));
    let (code, rule, trace) = run("closed {a: integer}", "{:a 1 :b 2}");
    assert_eq!((code, rule), (3, format!("{shape}`closed {{a: integer}}`; a closed map has no other keys")));
    let words = "the returned value has the key \\\"b\\\", and closed {a: integer} has no other keys";
    assert!(trace.contains(words), "{trace}");
    assert!(
        trace.contains("return a value of the shape closed {a: integer}; a closed map has no other keys"),
        "{trace}"
    );
    let (code, rule, _) = run("[string]", "[\"a\"]");
    assert_eq!((code, rule), (0, format!("{shape}`[string]`")));
}
