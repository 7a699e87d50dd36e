//! Tools that are commands, from outside: what they get of our environment, and what a first Ctrl-C ends.

use crate::common::{Folder, ptc};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A task whose one tool is this shell script, and whose one program is this.
fn task(folder: &Folder, script: &str, more: &str, program: &str) -> String {
    folder.file("t/tool.sh", &format!("{script}\n"));
    folder.file("t/replies.md", &format!("## Turn 1\n```clojure\n{program}\n```\n"));
    let head = "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[tools.t]\ncommand = [\"sh\", \"tool.sh\"]\n";
    folder.file("t/task.toml", &format!("{head}{more}"))
}

fn run(task: &str) -> (String, String) {
    let command = Command::new(env!("CARGO_BIN_EXE_ptc"))
        .args(["run", task])
        .env("OPENAI_API_KEY", "k-very-secret")
        .env("PLAIN", "plain")
        .output()
        .unwrap();
    (String::from_utf8(command.stdout).unwrap(), String::from_utf8(command.stderr).unwrap())
}

#[test]
fn commands_get_our_environment_without_keys() {
    let f = Folder::new("command-env");
    let script = "echo \"[$PLAIN] [$OPENAI_API_KEY] [$GIVEN] $(cat)\"";
    let program = "(return (tool/t {:a 1}))";
    let (out, err) = run(&task(&f, script, "", program));
    assert_eq!(out, "\"[plain] [] [] {\\\"a\\\":1}\"\n", "{err}");
    let given = "env = { GIVEN = \"x-$OPENAI_API_KEY\" }\n";
    let (out, err) = run(&task(&f, script, given, program));
    assert_eq!(out, "\"[plain] [] [x-k-very-secret] {\\\"a\\\":1}\"\n", "{err}");
    let (out, err) = run(&task(&f, "echo \"no $GIVEN\" >&2; exit 2", given, program));
    assert!(out.is_empty() && err.contains("tool/t: exit code 2: no x-$OPENAI_API_KEY"), "{err}");
    assert!(!err.contains("k-very-secret"), "{err}");
    let did = ptc(&["run", &task(&f, "", "env = { A = \"$NO_SUCH_VARIABLE_HERE\" }\n", program)]);
    assert!(
        did.err.contains("[tools.t] env: A needs the environment variable NO_SUCH_VARIABLE_HERE; set it"),
        "{did:?}"
    );
    let did = ptc(&["run", &task(&f, "", "timeout = 5\n", program)]);
    assert!(did.err.contains("task.toml:6: unknown key timeout in [tools.t]"), "{did:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_command_and_keeps_the_turn() {
    let f = Folder::new("command-ctrl-c");
    let task = task(&f, "sleep 100000 & echo $$ $! > ids.new; mv ids.new ids; wait", "", "(return (tool/t))");
    let trace = f.path("trace.jsonl");
    let child = Command::new(env!("CARGO_BIN_EXE_ptc"))
        .args(["run", &task, "--trace", &trace])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let ids = f.path("t/ids");
    while !Path::new(&ids).exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let did = child.wait_with_output().unwrap();
    assert!(!did.status.success(), "{did:?}");
    for id in std::fs::read_to_string(&ids).unwrap().split_whitespace() {
        let over = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            stat.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with('Z'))
        });
        assert!(over, "{id} is left behind");
    }
    let kept = std::fs::read_to_string(&trace).unwrap();
    assert!(kept.contains("the turn was cancelled"), "{kept}");
}
