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
    assert!(out.is_empty() && err.contains("tool/t: no x-$OPENAI_API_KEY (exit code 2)"), "{err}");
    assert!(!err.contains("k-very-secret"), "{err}");
    let did = ptc(&["run", &task(&f, "", "env = { A = \"$NO_SUCH_VARIABLE_HERE\" }\n", program)]);
    assert!(
        did.err.contains("[tools.t] env: A needs the environment variable NO_SUCH_VARIABLE_HERE; set it"),
        "{did:?}"
    );
    let did = ptc(&["run", &task(&f, "", "timeout = 5\n", program)]);
    assert!(did.err.contains("task.toml:6: unknown key timeout in [tools.t]"), "{did:?}");
}

/// A run that a signal ends in the middle of a call: what it said, and its trace.
#[cfg(unix)]
fn interrupted(f: &Folder, signal: &str, more: &[&str]) -> (std::process::Output, String, String) {
    let program = "(try (return (tool/t)) (catch Exception e (return \"caught\")))";
    let task = task(f, "sleep 100000 & echo $$ $! > ids.new; mv ids.new ids; wait", "", program);
    let trace = f.path(&format!("{signal}.jsonl"));
    let ids = f.path("t/ids");
    let _ = std::fs::remove_file(&ids);
    let child = Command::new(env!("CARGO_BIN_EXE_ptc"))
        .args(["run", &task, "--trace", &trace])
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !Path::new(&ids).exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    let did = child.wait_with_output().unwrap();
    for id in std::fs::read_to_string(&ids).unwrap().split_whitespace() {
        let over = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            stat.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with('Z'))
        });
        assert!(over, "{id} is left behind");
    }
    (did, task, trace)
}

/// A signal ends a run as a crash does: no turn is spent, nothing is recorded as the model's failure, and the last line
/// says how to go on.
#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_and_costs_nothing() {
    for (signal, code, more) in
        [("-INT", 130, &[][..]), ("-TERM", 143, &[]), ("-HUP", 129, &[]), ("-INT", 130, &["--isolate", "--json"])]
    {
        let f = Folder::new("command-signal");
        let (did, task, trace) = interrupted(&f, signal, more);
        assert_eq!(did.status.code(), Some(code), "{did:?}");
        let err = String::from_utf8(did.stderr).unwrap();
        // It goes on in a process of its own too, if it ran in one.
        let isolate = if more.contains(&"--isolate") { " --isolate" } else { "" };
        assert_eq!(err.lines().last(), Some(format!("ptc run {task}{isolate} --resume {trace}").as_str()), "{err}");
        let out = String::from_utf8(did.stdout).unwrap();
        assert_eq!(out.contains("\"status\":\"cancelled\""), more.contains(&"--json"), "{out}");
        let kept = ptc(&["trace", &trace, "--json"]);
        assert_eq!((kept.code, kept.out.as_str()), (0, "[]\n"), "{}", kept.err);
        let before = ptc(&["messages", &trace]).out;
        assert!(!before.contains("cancelled"), "{before}");
    }
}

/// What Ctrl-C cut off was in flight: it is asked about, and the run continues with what was decided.
#[cfg(unix)]
#[test]
fn a_call_that_ctrl_c_cut_off_is_asked_about() {
    for (way, out) in [(&[][..], "\"answered\"\n"), (&["--deny", "no more"], "\"caught\"\n")] {
        let f = Folder::new("command-cut-off");
        let (did, folder, trace) = interrupted(&f, "-INT", &[]);
        assert_eq!(did.status.code(), Some(130), "{did:?}");
        // Said at once, before the command that goes on.
        let err = String::from_utf8(did.stderr).unwrap();
        let place = |words: &str| err.find(words).unwrap_or_else(|| panic!("{words}: {err}"));
        assert!(place("call 1: tool/t {}\n") < place(&format!("make it again: ptc approve {trace} 1\n")));
        assert!(place("answer it:") < place("go on with:\n"), "{err}");
        // The same program and the same reply; the tool answers now.
        task(&f, "echo answered", "", "(fail \"asked again\")");
        let resume = ["run", folder.as_str(), "--resume", trace.as_str()];
        let did = ptc(&resume);
        assert_eq!((did.code, did.out.as_str()), (6, ""), "{}", did.err);
        assert!(did.err.contains("was in flight when the process ended, and may have been made"), "{}", did.err);
        assert_eq!(ptc(&[&["approve", trace.as_str(), "1"], way].concat()).code, 0);
        let did = ptc(&resume);
        assert_eq!((did.code, did.out.as_str()), (0, out), "{}", did.err);
    }
}

/// Reading a table can take its time: Ctrl-C ends it before that is over.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_reading_of_a_database() {
    let f = Folder::new("command-database");
    f.file("t/replies.md", "## Turn 1\n(return 1)\n");
    let make = "CREATE VIEW silent AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0";
    rusqlite::Connection::open(f.path("t/d.db")).unwrap().execute_batch(make).unwrap();
    let head = "[task]\nmodel = \"replay:replies.md\"\ninput_timeout_ms = 600_000\n";
    let table = "database = \"d.db\"\ntable_name = \"silent\"\n";
    for (rest, code) in [
        // An act's table is read while the task runs, an input before anything has begun.
        (format!("[acts.a]\n[[acts.a.input]]\ntype = \"table\"\n{table}"), Some(130)),
        (format!("prompt = \"p\"\n[context.x]\n{table}"), None),
    ] {
        f.file("t/task.toml", &format!("{head}{rest}"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_ptc"))
            .args(["run", &f.path("t"), "--trace", &f.path("t.jsonl")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // It reads when it has computed for a while: nothing else here does.
        let ticks = || -> u64 {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
            stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(11)?.parse().ok()).unwrap_or(0)
        };
        while ticks() < 50 {
            std::thread::sleep(Duration::from_millis(10));
        }
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), code, "{rest}");
    }
}
