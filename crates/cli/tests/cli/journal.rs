//! Turns that a crash cut off, and calls that wait for a word: what the next process makes of them.

use crate::common::{Did, Folder, ptc, ptc_with, timeless};
use std::process::{Command, Output, Stdio};

/// Notes its call, and ends the process that called it the first time it is called with `"n":2`.
const CRASHES: &str = "args=$(cat); echo \"$PTC_CALL_ID $PTC_CALL_KEY $args\" >> effects\n\
    case \"$args\" in *'\"n\":2'*) if [ ! -e crashed ]; then : > crashed; kill -9 $PPID; sleep 5; fi;; esac\n\
    echo \"$args\"\n";

/// A task with the tool `t`, which is this script under these rules, and these replies.
fn task(f: &Folder, script: &str, rules: &str, replies: &[&str]) -> String {
    f.file("t/tool.sh", script);
    let reply = |(n, program): (usize, &&str)| format!("## Turn {}\n```clojure\n{program}\n```\n\n", n + 1);
    f.file("t/replies.md", &replies.iter().enumerate().map(reply).collect::<String>());
    let head = "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[tools.t]\ncommand = [\"sh\", \"tool.sh\"]\n";
    f.file("t/task.toml", &format!("{head}{rules}\n"));
    f.path("t")
}

/// `ptc ARGS` in a process of its own, which may be killed.
fn apart(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap()
}

/// The same, of one that ends by itself.
fn done(args: &[&str]) -> Did {
    let did = apart(args);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Did { code: did.status.code().unwrap(), out: text(did.stdout), err: text(did.stderr) }
}

/// The lines that the tool noted: number, key and arguments of each call.
fn effects(f: &Folder) -> Vec<(String, String, String)> {
    let text = std::fs::read_to_string(f.path("t/effects")).unwrap_or_default();
    let line = |l: &str| {
        let mut parts = l.splitn(3, ' ').map(str::to_owned);
        (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap())
    };
    text.lines().map(line).collect()
}

/// A run that crashed in its second call, and the same once more.
fn crashed(f: &Folder, rules: &str, program: &str, more: &[&str]) -> (String, String) {
    let task = task(f, CRASHES, rules, &["(def z 1)", program]);
    let trace = f.path("t.jsonl");
    let did = apart(&[&["run", &task, "--trace", &trace], more].concat());
    assert_eq!(did.status.code(), None, "it is killed: {did:?}");
    // Whoever asks the model once more gets this.
    f.file("t/replies.md", "## Turn 1\n(fail \"asked again\")\n## Turn 2\n(fail \"asked again\")\n");
    (task, trace)
}

const TWO: &str =
    "(def a (tool/t {:n 1}))\n(def b (try (tool/t {:n 2}) (catch Exception e (ex-message e))))\n(return [(:n a) b])";

#[test]
fn a_turn_that_crashed_goes_on_with_its_reply_and_its_answers() {
    for (rules, more) in
        [("read_only = true", &[][..]), ("on_crash = \"repeat\"", &[]), ("on_crash = \"repeat\"", &["--isolate"])]
    {
        let f = Folder::new("journal-repeat");
        let (task, trace) = crashed(&f, rules, TWO, more);
        let did = done(&[&["run", &task, "--resume", &trace], more].concat());
        assert_eq!((did.code, did.out.as_str()), (0, "[1 {:n 2}]\n"), "{}", did.err);
        assert!(did.err.contains("Turn 2 of 8, with the reply that was kept"), "{}", did.err);
        let made = effects(&f);
        let numbers: Vec<&str> = made.iter().map(|e| e.0.as_str()).collect();
        assert_eq!(numbers, ["1", "2", "2"], "only the call in flight is made again");
        assert!(made[1].1 == made[2].1 && made[0].1 != made[1].1, "a call has one key: {made:?}");
        // What is kept is what a run would have kept that nobody killed.
        let whole = Folder::new("journal-whole");
        whole.file("t/crashed", "");
        let again = self::task(&whole, CRASHES, rules, &["(def z 1)", TWO]);
        let other = whole.path("t.jsonl");
        assert_eq!(ptc(&["run", &again, "--trace", &other]).code, 0);
        let bare = |trace: &str| timeless(trace).replace(&f.path(""), "/").replace(&whole.path(""), "/");
        assert_eq!(bare(&trace), bare(&other));
        assert_eq!(ptc(&["messages", &trace, "--json"]).out, ptc(&["messages", &other, "--json"]).out);
    }
}

#[test]
fn a_call_in_flight_is_asked_about_unless_its_author_says_otherwise() {
    let f = Folder::new("journal-ask");
    let (task, trace) = crashed(&f, "", TWO, &[]);
    let args = ["run", task.as_str(), "--resume", &trace];
    for _ in 0..2 {
        let did = ptc(&args);
        assert_eq!((did.code, did.out.as_str()), (6, ""), "{}", did.err);
        let words = [
            "call 2: tool/t {\"n\":2}\n  it was in flight when the process ended, and may have been made\n".to_owned(),
            format!("  make it again: ptc approve {trace} 2\n"),
            format!("then go on:\nptc run {task} --resume {trace}\n"),
        ];
        words.iter().for_each(|w| assert!(did.err.contains(w), "{w}\n{}", did.err));
        assert_eq!(effects(&f).len(), 2, "nothing is made before somebody has said so");
    }
    let line: serde_json::Value = serde_json::from_str(&ptc(&[&args[..], &["--json"]].concat()).out).unwrap();
    assert_eq!((line["status"].as_str(), line["pending"]["calls"][0]["id"].as_u64()), (Some("pending"), Some(2)));
    assert_eq!(line["pending"]["calls"][0]["why"], "in_flight");
    let kept = std::fs::read_to_string(&trace).unwrap();
    // It has to be named, and nothing else can be said of.
    let did = ptc(&["approve", &trace]);
    assert!(did.code == 0 && did.err.contains("ptc approve"), "{}", did.err);
    let did = ptc(&["approve", &trace, "1"]);
    assert!(did.code == 2 && did.err.contains("call 1 does not wait for a decision; call 2 waits"), "{}", did.err);
    assert_eq!(std::fs::read_to_string(&trace).unwrap(), kept);
    let ways: [(&[&str], &str, usize); 4] = [
        (&[], "[1 {:n 2}]\n", 3),
        (&["--deny", "too dear"], "[1 \"too dear\"]\n", 2),
        (&["--deny", ""], "[1 \"the process ended while it ran; it may have been made\"]\n", 2),
        (&["--answer", &f.file("answer.json", "{\"paid\": 5}\n")], "[1 {:paid 5}]\n", 2),
    ];
    let noted = std::fs::read_to_string(f.path("t/effects")).unwrap();
    for (way, out, made) in ways {
        f.file("t.jsonl", &kept);
        f.file("t/effects", &noted);
        let did = ptc(&[&["approve", &trace, "2"], way].concat());
        assert!(did.code == 0 && did.out.is_empty(), "{}", did.err);
        let did = ptc(&args);
        assert_eq!((did.code, did.out.as_str()), (0, out), "{}", did.err);
        assert_eq!(effects(&f).len(), made, "{way:?}");
        assert!(effects(&f).iter().skip(1).all(|e| e.1 == effects(&f)[1].1));
    }
    f.file("answer.json", "{\"paid\": ");
    f.file("t.jsonl", &kept);
    let did = ptc(&["approve", &trace, "2", "--answer", &f.path("answer.json")]);
    assert!(did.code == 2 && did.err.contains("give a file that holds one JSON value"), "{}", did.err);
}

#[test]
fn a_call_in_flight_can_fail_for_good() {
    let f = Folder::new("journal-fail");
    let (task, trace) = crashed(&f, "on_crash = \"fail\"", TWO, &[]);
    let did = ptc(&["run", &task, "--resume", &trace]);
    let out = "[1 \"the process ended while this call ran; it may have been made\"]\n";
    assert_eq!((did.code, did.out.as_str()), (0, out), "{}", did.err);
    assert_eq!(effects(&f).len(), 2);
}

/// Calls that are made together: those that had been answered are not made again, whatever the order.
#[test]
fn a_group_goes_on_with_what_was_answered() {
    let slow = CRASHES.replace("[ ! -e crashed ]", "[ ! -e crashed ] && sleep 1");
    let program = "(return (vec (map :n (pmap #(tool/t {:n %}) [1 2 3]))))";
    let f = Folder::new("journal-group");
    let task = task(&f, &slow, "on_crash = \"repeat\"", &[program]);
    let trace = f.path("t.jsonl");
    assert_eq!(apart(&["run", &task, "--trace", &trace]).status.code(), None);
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "[1 2 3]\n"), "{}", did.err);
    let mut numbers: Vec<String> = effects(&f).into_iter().map(|e| e.0).collect();
    numbers.sort();
    assert_eq!(numbers, ["1", "2", "2", "3"]);
    let turn: serde_json::Value = serde_json::from_str(&ptc(&["trace", &trace, "--json"]).out).unwrap();
    let calls = turn[0]["tool_calls"].as_array().unwrap();
    assert!(calls.iter().all(|c| c["together"] == 1) && calls.len() == 3, "{turn}");
}

#[test]
fn another_call_than_the_recorded_one_stops_and_names_it() {
    let f = Folder::new("journal-other");
    let (task, trace) = crashed(&f, "read_only = true", TWO, &[]);
    let kept = std::fs::read_to_string(&trace).unwrap();
    for (from, to, words) in [
        ("{:n 2}", "{:n 3}", "turn 2 does not replay: call 2 is tool/t {\"n\":3} now, and was tool/t {\"n\":2}"),
        ("(tool/t {:n 2})", "2", "turn 2 does not replay: call 2, tool/t {\"n\":2}, is not made now"),
    ] {
        f.file("t.jsonl", &kept.replacen(from, to, 1));
        let made = effects(&f).len();
        let did = ptc(&["run", &task, "--resume", &trace]);
        assert!(did.code == 1 && did.err.contains(words), "{}", did.err);
        assert_eq!(effects(&f).len(), made);
        let now = std::fs::read_to_string(&trace).unwrap();
        let added = now.strip_prefix(&kept.replacen(from, to, 1)).unwrap();
        assert!(added.starts_with("{\"run_ended\":\"error\"") && added.lines().count() == 1, "nothing else: {added}");
    }
    // It can be left behind: the model is told what had been done.
    let did = ptc(&[
        "run",
        &task,
        "--resume",
        &trace,
        "--fail-turn",
        "--model",
        &format!(
            "replay:{}",
            f.file("on.md", "## Turn 1\n1\n## Turn 2\n2\n## Turn 3\n(return (count (:tool-calls (turn/get 2))))\n")
        ),
    ]);
    assert_eq!((did.code, did.out.as_str()), (0, "2\n"), "{}", did.err);
    let before = ptc(&["messages", &trace, "--turn", "3"]).out;
    assert!(before.contains("the process ended while the program ran, and it is not run again"), "{before}");
}

#[test]
fn a_tool_that_is_approved_waits_and_goes_on_in_another_process() {
    let program = "(def n (atom 0))\n(def one (tool/t {:n 1}))\n(def xs (try (pmap #(tool/t {:n %}) [5 6]) (catch Exception e (ex-message e))))\n(return [one xs])";
    for more in [&[][..], &["--isolate"]] {
        let f = Folder::new("journal-approve");
        let task = task(&f, CRASHES, "approval = \"always\"", &[program]);
        let trace = f.path("t.jsonl");
        let did = ptc(&["run", &task]);
        assert!(
            did.code == 2 && did.err.contains("calls of t have to be approved, and the session must be kept"),
            "{}",
            did.err
        );
        let run = |first: bool| {
            let way = if first { "--trace" } else { "--resume" };
            done(&[&["run", &task, way, &trace], more].concat())
        };
        let waits = |did: &Did, ids: &[u64]| {
            assert_eq!((did.code, did.out.as_str()), (6, ""), "{}", did.err);
            for id in ids {
                assert!(did.err.contains(&format!("  make it:       ptc approve {trace} {id}\n")), "{}", did.err);
            }
            let list: serde_json::Value =
                serde_json::from_str(&ptc(&["approve", &trace, "--list", "--json"]).out).unwrap();
            let seen: Vec<u64> = list["calls"].as_array().unwrap().iter().map(|c| c["id"].as_u64().unwrap()).collect();
            assert_eq!(seen, ids);
        };
        waits(&run(true), &[1]);
        waits(&run(false), &[1]);
        assert!(effects(&f).is_empty());
        assert_eq!(ptc(&["approve", &trace]).code, 0);
        waits(&run(false), &[2, 3]);
        assert_eq!(effects(&f).len(), 1);
        // None of those that are made together is made before all are decided.
        assert_eq!(ptc(&["approve", &trace, "3"]).code, 0);
        waits(&run(false), &[2]);
        assert_eq!(effects(&f).len(), 1);
        assert_eq!(ptc(&["approve", &trace, "2", "--deny", "not today"]).code, 0);
        let did = run(false);
        assert_eq!((did.code, did.out.as_str()), (0, "[{:n 1} \"not today\"]\n"), "{}", did.err);
        assert_eq!(effects(&f).iter().map(|e| e.0.as_str()).collect::<Vec<_>>(), ["1", "3"]);
        let did = ptc(&["approve", &trace]);
        assert!(did.code == 0 && did.err.contains("no call waits"), "{}", did.err);
    }
}

/// A process that ends again while a call is made that was approved: it was one word for one call.
#[test]
fn a_word_is_for_one_call() {
    let f = Folder::new("journal-word");
    let task = task(&f, CRASHES, "approval = \"always\"", &["(return (:n (tool/t {:n 2})))"]);
    let trace = f.path("t.jsonl");
    assert_eq!(ptc(&["run", &task, "--trace", &trace]).code, 6);
    assert_eq!(ptc(&["approve", &trace]).code, 0);
    assert_eq!(apart(&["run", &task, "--resume", &trace]).status.code(), None);
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert!(did.code == 6 && did.err.contains("was in flight"), "{}", did.err);
    assert_eq!(ptc(&["approve", &trace, "1"]).code, 0);
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "2\n"), "{}", did.err);
    assert_eq!(effects(&f).len(), 2);
}

#[test]
fn steps_go_on_with_a_turn_that_crashed() {
    let f = Folder::new("journal-step");
    let task = task(&f, CRASHES, "on_crash = \"repeat\"", &["1"]);
    let (trace, reply) = (f.path("t.jsonl"), f.file("reply", "(def b (tool/t {:n 2})) (:n b)"));
    assert_eq!(ptc(&["step", &trace, "--task", &task]).code, 0);
    assert_eq!(apart(&["step", &trace, &reply]).status.code(), None);
    let kept = std::fs::read_to_string(&trace).unwrap();
    for (given, code) in [("", 0), ("(def b (tool/t {:n 2})) (:n b)", 0), ("(def c 5)", 5)] {
        f.file("t.jsonl", &kept);
        let did = ptc_with(&["step", &trace], given);
        assert_eq!((did.code, did.out.contains("=> 2")), (code, true), "{given}: {} {}", did.out, did.err);
        assert_eq!(did.err.contains("the reply given now was not"), code == 5, "{}", did.err);
    }
}

/// The journal of a subtask goes on too, and what waits in it is told from outside.
#[test]
fn a_task_inside_goes_on_and_waits() {
    let f = Folder::new("journal-inside");
    f.file("inner/tool.sh", CRASHES);
    f.file(
        "inner/task.toml",
        "[task]\nprompt = \"In.\"\nmodel = \"replay:r.md\"\n[tools.t]\ncommand = [\"sh\", \"tool.sh\"]\n",
    );
    f.file("inner/r.md", "## Turn 1\n(def a (tool/t {:n 1}))\n## Turn 2\n(return (+ (:n a) (:n (tool/t {:n 2}))))\n");
    f.file("t/replies.md", "## Turn 1\n(return [(tool/helper \"?\") (tool/helper \"?\")])\n");
    let task = f.file(
        "t/task.toml",
        "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[agents.helper]\ntask = \"../inner\"\n",
    );
    let trace = f.path("t.jsonl");
    assert_eq!(apart(&["run", &task, "--trace", &trace]).status.code(), None);
    let did = ptc(&["run", &task, "--resume", &trace]);
    let inner = did.err.lines().find_map(|l| l.split("ptc approve ").nth(1)).unwrap_or_default().to_owned();
    let (inner, id) = inner.rsplit_once(' ').unwrap_or_default();
    assert!(did.code == 6 && inner.contains("t.agent-helper-") && id == "2", "{}", did.err);
    assert_eq!(ptc(&["approve", inner, id]).code, 0);
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "[3 3]\n"), "{}", did.err);
    let made = std::fs::read_to_string(f.path("inner/effects")).unwrap();
    // Two calls of the helper, of which one made its second call twice.
    assert_eq!(made.lines().count(), 5, "{made}");
}

#[test]
fn a_call_for_an_input_waits_too() {
    let f = Folder::new("journal-act");
    f.file("t/tool.sh", CRASHES);
    f.file("t/replies.md", "## Turn 1\nTold.\n");
    let act = "[acts.a]\nmode = \"text\"\n[[acts.a.input]]\ntype = \"tool\"\ntool = \"t\"\nargs = { n = 1 }\n[[acts.a.input]]\ntype = \"tool\"\ntool = \"t\"\nargs = { n = 2 }\n";
    let task = f.file(
        "t/task.toml",
        &format!("[task]\nmodel = \"replay:replies.md\"\n{act}[tools.t]\ncommand = [\"sh\", \"tool.sh\"]\n"),
    );
    let trace = f.path("t.jsonl");
    assert_eq!(apart(&["run", &task, "--trace", &trace]).status.code(), None);
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert!(did.code == 6 && did.err.contains(&format!("ptc approve {trace} 2")), "{}", did.err);
    let did = ptc(&["approve", &trace, "2", "--deny", "no"]);
    assert!(did.code == 2 && did.err.contains("the act cannot begin without its answer"), "{}", did.err);
    let kept = std::fs::read_to_string(&trace).unwrap();
    for (way, made) in [(&[][..], 3), (&["--answer", &f.file("a.json", "5")][..], 2)] {
        f.file("t.jsonl", &kept);
        let before = std::fs::read_to_string(f.path("t/effects")).unwrap();
        assert_eq!(ptc(&[&["approve", &trace, "2"], way].concat()).code, 0);
        let did = ptc(&["run", &task, "--resume", &trace]);
        assert_eq!((did.code, did.out.as_str()), (0, "Told.\n"), "{}", did.err);
        assert_eq!(effects(&f).len(), made);
        f.file("t/effects", &before);
    }
}

#[test]
fn rules_of_tools_are_checked() {
    let f = Folder::new("journal-rules");
    for (rules, words) in [
        ("on_crash = \"again\"", "on_crash is \"repeat\", \"ask\" or \"fail\""),
        ("approval = true", "approval must be"),
        ("approval = \"sometimes\"", "approval is \"always\" or \"never\""),
        ("read_only = 1", "read_only must be"),
    ] {
        let did = ptc(&["run", &task(&f, CRASHES, rules, &["1"])]);
        assert!(did.code == 2 && did.err.contains(words), "{}", did.err);
    }
}

/// What an act's task asks waits as the act's own calls do.
#[test]
fn a_narrative_whose_call_waits_is_pending() {
    let f = Folder::new("journal-narrative");
    f.file("inner/tool.sh", CRASHES);
    f.file(
        "inner/task.toml",
        "[task]\nprompt = \"In.\"\nmodel = \"replay:r.md\"\n[tools.t]\ncommand = [\"sh\", \"tool.sh\"]\napproval = \"always\"\n",
    );
    f.file("inner/r.md", "## Turn 1\n(return (str \"n is \" (:n (tool/t {:n 5}))))\n");
    let task = f.file(
        "t/task.toml",
        "[task]\nmodel = \"replay:r.md\"\n[acts.a]\nmode = \"text\"\n[[acts.a.input]]\ntype = \"narrative\"\ntask = \"../inner\"\n",
    );
    f.file("t/r.md", "## Turn 1\nTold.\n");
    let did = ptc(&["run", &task]);
    assert!(did.code == 2 && did.err.contains("calls of t have to be approved"), "{}", did.err);
    let trace = f.path("t.jsonl");
    let did = ptc(&["run", &task, "--trace", &trace]);
    let inner = f.path("t.act-a-1.jsonl");
    assert!(did.code == 6 && did.err.contains(&format!("ptc approve {inner} 1")), "{} {}", did.code, did.err);
    assert_eq!(ptc(&["run", &task, "--resume", &trace]).code, 6);
    assert!(std::fs::metadata(f.path("inner/effects")).is_err());
    assert_eq!(ptc(&["approve", &inner, "1"]).code, 0);
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "Told.\n"), "{}", did.err);
    let shown = ptc(&["messages", &trace, "--turn", "1"]).out;
    assert!(shown.contains("n is 5"), "{shown}");
}

/// A server of MCP that notes each call's `_meta`, and ends the process that called it the first time.
const MCP: &str = r#"while IFS= read -r line; do
  case $line in *'"id":'*) ;; *) continue;; esac
  id=${line#*'"id":'}; id=${id%%[,\}]*}
  version=${line#*'"protocolVersion":"'}; version=${version%%\"*}
  head="{\"jsonrpc\":\"2.0\",\"id\":$id"
  case $line in
    *'"method":"initialize"'*)
      echo "$head,\"result\":{\"protocolVersion\":\"$version\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}";;
    *'"method":"tools/list"'*)
      echo "$head,\"result\":{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":$1}]}}";;
    *'"method":"tools/call"'*)
      number=${line#*'"ptc/callId":'}; number=${number%%[,\}]*}
      key=${line#*'"ptc/callKey":"'}; key=${key%%\"*}
      echo "$number $key" >> effects
      if [ ! -e crashed ]; then : > crashed; kill -9 $PPID; fi
      echo "$head,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"made\"}]}}";;
    *) echo "$head,\"error\":{\"code\":-32601,\"message\":\"no\"}}";;
  esac
done
"#;

#[test]
fn a_server_says_which_tools_change_nothing_and_is_told_which_call_it_is() {
    for (annotations, repeats) in
        [("{\"readOnlyHint\":true}", true), ("{\"readOnlyHint\":false}", false), ("{}", false)]
    {
        let f = Folder::new("journal-mcp");
        f.file("t/server.sh", MCP);
        let program = "(def a 1)\n(return (tool/s.t {}))";
        f.file("t/replies.md", &format!("## Turn 1\n```clojure\n{program}\n```\n"));
        let command = format!("[mcp.s]\ncommand = [\"sh\", \"server.sh\", {annotations:?}]\n");
        f.file("t/task.toml", &format!("[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n{command}"));
        let (task, trace) = (f.path("t"), f.path("t.jsonl"));
        assert_eq!(apart(&["run", &task, "--trace", &trace]).status.code(), None);
        let mut did = ptc(&["run", &task, "--resume", &trace]);
        if !repeats {
            assert!(did.code == 6 && did.err.contains("was in flight"), "{annotations}: {}", did.err);
            assert_eq!(ptc(&["approve", &trace, "1"]).code, 0);
            did = ptc(&["run", &task, "--resume", &trace]);
        }
        assert_eq!((did.code, did.out.as_str()), (0, "\"made\"\n"), "{annotations}: {}", did.err);
        let noted = std::fs::read_to_string(f.path("t/effects")).unwrap();
        let calls: Vec<(&str, &str)> = noted.lines().map(|l| l.split_once(' ').unwrap()).collect();
        assert!(calls.len() == 2 && calls[0] == calls[1], "one call, made twice, has one number and one key: {noted}");
        assert!(calls[0].0 == "1" && calls[0].1.len() > 8, "{noted}");
    }
}
