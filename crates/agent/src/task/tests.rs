//! Tasks from text: what is read, and what each mistake is called.

use super::*;

const TASK: &str = r#"
[task]
name = "well-reviewed"
prompt = "Find"
system = "You buy."
model = "replay:replies.md"
max_turns = 5
expect = "[string]"
[history]
compress_history = true
[limits]
fuel = 1_000
[context.b]
value = { z = 1, a = [1.0, "x"] }
[context.a]
file = "a.json"
[tools.search]
description = "Looks"
params = [{ name = "category", type = "string" }, { name = "n", type = "integer?" }]
returns = "string"
replay = "search.jsonl"
"#;

fn problem(text: &str) -> String {
    Task::parse(Path::new("shop"), "shop/task.toml", text).map_or_else(|e| e.0, |t| format!("{t:?}"))
}

#[test]
fn a_whole_task() {
    let t = Task::parse(Path::new("shop"), "shop/task.toml", TASK).unwrap();
    assert_eq!((t.name.as_str(), t.prompt.as_str(), t.max_turns, t.limits.fuel), ("well-reviewed", "Find", 5, 1000));
    assert!(t.policy.compress_history && t.policy.println_history_limit == 15);
    assert_eq!(t.context.iter().map(|c| c.0.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    let specs = t.tools.specs();
    let params = specs[0].params.as_ref().unwrap();
    assert_eq!(params[1].shape.to_string(), "integer?");
    assert_eq!(
        t.model(0, &Environment::default()).err().unwrap().0,
        "shop/replies.md: there is no such file; check the name"
    );
    assert_eq!(t.inputs().err().unwrap().0, "shop/a.json: there is no such file; check the name");
    let small = Task::parse(Path::new("shop"), "task.toml", "[task]\nprompt = \"p\"").unwrap();
    assert_eq!((small.name.as_str(), small.max_turns), ("shop", 8));
    assert!(small.model(0, &Environment::default()).err().unwrap().0.starts_with("the task shop names no model"));
}

#[test]
fn mistakes_have_their_place_and_their_mend() {
    for (from, to, words) in [
        (
            "prompt = \"Find\"",
            "promt = \"Find\"",
            "shop/task.toml:4: unknown key promt in [task]; did you mean prompt?",
        ),
        ("prompt = \"Find\"", "", "shop/task.toml:2: [task]: prompt is missing; add prompt = \"What is to be done\""),
        ("prompt = \"Find\"", "prompt = 5", "shop/task.toml:4: prompt must be text in quotes, got a number"),
        ("max_turns = 5", "max_turns = 0", "shop/task.toml:7: max_turns must be a whole number from 1, got 0"),
        ("[string]", "[strin]", "shop/task.toml:8: expect: "),
        (
            "replay:replies.md",
            "gpt-5.1",
            "shop/task.toml:6: gpt-5.1: no such model: a model is PROVIDER/NAME, as openai/gpt-5.1 or ollama/qwen3",
        ),
        ("compress_history = true", "compress_history = 1", "shop/task.toml:10: "),
        (
            "compress_history = true",
            "layout = \"user\"",
            "shop/task.toml:10: layout must be \"assistant\" or \"coalesced\", got \"user\"",
        ),
        ("[limits]", "[limit]", "shop/task.toml:11: unknown key limit in the file; did you mean limits?"),
        ("fuel = 1_000", "fuels = 1", "shop/task.toml:12: unknown key fuels in [limits]; did you mean fuel?"),
        ("a.json", "a.csv", "shop/task.toml:16: not there yet: csv inputs; give a .json or .jsonl file"),
        (
            "file = \"a.json\"",
            "type = \"table\"",
            "shop/task.toml:16: not there yet: type in [context.a]; take it out for now",
        ),
        (
            "file = \"a.json\"",
            "",
            "shop/task.toml:15: [context.a]: nothing to read; add file = \"data.json\" or value = ...",
        ),
        (
            "replay = \"search.jsonl\"",
            "command = [\"./x\"]",
            "shop/task.toml:21: not there yet: command in [tools.search]; take it out for now",
        ),
        (
            "replay = \"search.jsonl\"",
            "",
            "shop/task.toml:17: [tools.search]: replay is missing; add replay = \"answers.jsonl\"",
        ),
        ("\"integer?\"", "\"int\"", "shop/task.toml:19: type: "),
        ("[tools.search]", "[acts.one]", "shop/task.toml:17: not there yet: [acts]; take it out for now"),
        ("[tools.search]", "[tools.\"a b\"]", "shop/task.toml:17: \"a b\" is no name that programs can write"),
        ("[task]", "[tsk]", "shop/task.toml:2: unknown key tsk in the file; did you mean task?"),
        ("[task]", "[task", "shop/task.toml:2: "),
        ("[task]\n", "[task]\nname = \"x\"\n", "shop/task.toml:4: duplicate key"),
    ] {
        let got = problem(&TASK.replacen(from, to, 1));
        assert!(got.starts_with(words), "{to}: {got}");
        assert!(!got.contains('\n'), "{got}");
    }
    assert_eq!(problem(""), "shop/task.toml: [task] is missing; write [task] with a prompt and a model");
}

#[test]
fn folders_and_files_that_are_none() {
    let error = |p: &str| Task::load(Path::new(p)).unwrap_err().0;
    assert_eq!(error("/no/such"), "/no/such: there is no such task; name a folder with a task.toml");
    let empty = std::env::temp_dir().join(format!("ptc-task-{}", std::process::id()));
    std::fs::create_dir_all(&empty).unwrap();
    assert!(
        error(&empty.display().to_string())
            .ends_with(": the folder has no task.toml; write one, or name another folder")
    );
    std::fs::remove_dir(&empty).unwrap();
}
