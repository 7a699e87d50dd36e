//! Examples whose data Python scripts make: they need python3.

use ptc_tests::cli::{Folder, ptc, task, text_blocks};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// A task's folder once more, somewhere else.
fn copied(name: &str, to: &Folder) -> String {
    let folder = std::path::PathBuf::from(to.path("task"));
    std::fs::create_dir_all(&folder).unwrap();
    for entry in std::fs::read_dir(task(name)).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    folder.display().to_string()
}

/// Runs a task's make.py.
fn make(folder: &str) {
    let script = Path::new(folder).join("make.py");
    let status =
        std::process::Command::new("python3").arg(script).status().expect("python3 makes the data: install it");
    assert!(status.success());
}

/// Styles of a terminal taken out.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        out.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    out + rest
}

#[test]
fn the_database_of_curate_is_what_its_script_makes() {
    let folder = Folder::new("curate-remade").unwrap();
    let remade = copied("curate", &folder);
    make(&remade);
    let first = |task: &str, name: &str| {
        let trace = folder.path(name);
        let did = ptc(&["run", task, "--trace", &trace]);
        assert_eq!(did.code, 0, "{}", did.err);
        ptc(&["messages", &trace, "--turn", "1"]).out
    };
    let kept = task("curate").display().to_string();
    assert_eq!(first(&kept, "kept.jsonl"), first(&remade, "remade.jsonl"));
}

#[test]
fn logs_finds_what_an_independent_count_finds_and_alerts_once_each() {
    let folder = Folder::new("logs").unwrap();
    let task = copied("logs", &folder);
    make(&task);
    let trace = folder.path("t.jsonl");
    let did = ptc(&["run", &task, "--trace", &trace]);
    let blocks = text_blocks("logs").unwrap();
    assert_eq!((did.code, &did.out), (0, &blocks[0]), "{}", did.err);
    let said = plain(&did.err);
    let mut rest = said.as_str();
    for line in blocks[1].lines() {
        rest = rest.split_once(&format!("{line}\n")).unwrap_or_else(|| panic!("{line}\n{said}")).1;
    }
    let turns: Value = serde_json::from_str(&ptc(&["trace", &trace, "--json"]).out).unwrap();
    assert_eq!(turns[2]["value_json"], anomalies(&Path::new(&task).join("server.log")));
    let calls = turns[3]["tool_calls"].as_array().unwrap();
    assert_eq!(calls.iter().map(|c| &c["result"]).collect::<Vec<_>>(), [&json!("T-1041"), &json!("T-1042")]);
    // The runbook is gone from the second act on.
    let before = |turn: &str| ptc(&["messages", &trace, "--turn", turn]).out;
    assert!(before("3").contains("Single failures are noise") && !before("4").contains("Single failures are noise"));
}

/// Failing and slow minutes of the log, counted by the runbook.
fn anomalies(log: &Path) -> Value {
    let text = std::fs::read_to_string(log).unwrap();
    assert!(text.len() > 10_000_000);
    let mut minutes: BTreeMap<(&str, &str), (u64, u64, u64)> = BTreeMap::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |word: &str| word.split_once('=').unwrap().1.parse::<u64>().unwrap();
        let entry = minutes.entry((words[2], &words[0][11..16])).or_default();
        *entry = (entry.0 + 1, entry.1 + u64::from(number(words[4]) >= 500), entry.2 + number(words[5]));
    }
    let mut found: Vec<(&str, &str, &str, &str)> = Vec::new();
    for ((service, minute), (n, bad, ms)) in &minutes {
        let what = if bad * 5 >= *n { "failing" } else { "slow" };
        if what == "slow" && *ms <= 300 * n {
            continue;
        }
        match found.last_mut().filter(|f| f.0 == *service && f.1 == what) {
            Some(run) => run.3 = minute,
            None => found.push((service, what, minute, minute)),
        }
    }
    let map = |f: &(&str, &str, &str, &str)| json!({"service": f.0, "what": f.1, "from": f.2, "to": f.3});
    Value::Array(found.iter().map(map).collect())
}
