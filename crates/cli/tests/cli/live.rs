//! What a run shows while it goes on, and its events: the same view in this process, without a terminal.

use crate::common::{Folder, Server, ptc, ptc_in};
use ptc_cli::CliContext;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;

fn live(columns: usize) -> CliContext {
    CliContext { live: true, columns: Some(columns), ..CliContext::default() }
}

fn events(text: &str) -> Vec<Value> {
    text.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"))).collect()
}

fn kinds(all: &[Value]) -> Vec<&str> {
    all.iter().map(|e| e["type"].as_str().unwrap()).collect()
}

#[test]
fn a_turn_in_full_where_there_is_room_and_on_one_line_where_there_is_not() {
    let folder = Folder::new("live-widths");
    let task = folder.task();
    let did = ptc_in(&["run", &task], "", live(80));
    assert_eq!((did.code, did.out.as_str()), (0, "{:pen [3 2], :by :shop}\n"), "{}", did.err);
    let start = "Turn 1 of 4\n  I look.\n  (def n \"Pens\" (tool/stock \"pen\"))\n  (println n)\n  tool stock {\"item\":\"pen\"} · 0.0 s\n  3\n  defined n\n  ok\n";
    assert!(did.err.starts_with(start), "{}", did.err);
    assert!(
        did.err.contains("  tool stock {\"item\":\"ink\"} · 0.0 s\n  failed sold out\n  error tool (line 1): "),
        "{}",
        did.err
    );
    let did = ptc_in(&["run", &task], "", live(40));
    let lines: Vec<&str> = did.err.lines().collect();
    assert_eq!(lines[0], "1 ok stock", "{}", did.err);
    assert!(lines[1].starts_with("2 error tool: ") && lines[1].chars().count() < 40, "{}", did.err);
    assert_eq!(lines[2..4], ["3 returned stock", "returned after 3 turns"], "{}", did.err);
}

/// What is to be done stands at the end of many errors and hints: neither end is cut.
#[test]
fn ends_of_errors_and_hints_are_shown() {
    let folder = Folder::new("live-ends");
    let text = "#!/bin/sh\ncat >/dev/null\nprintf 'Traceback of many words, one line of which is long:\\n  File a.py, line 5\\nKeyError: price\\n' >&2\nexit 1\n";
    let tool = folder.file("broken.sh", text);
    std::fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let replies = "## Turn 1\n(tool/broken {})\n## Turn 2\n(+ 1 \"1,234.50\")\n";
    let model = format!("replay:{}", folder.file("r.md", replies));
    let args = ["ask", "q", "--tool", &tool, "--max-turns", "2", "--model", &model, "--no-session"];
    let did = ptc_in(&args, "", live(70));
    let failed = did.err.lines().find(|l| l.starts_with("  failed ")).unwrap();
    assert!(failed.ends_with("KeyError: price (exit code 1)") && failed.chars().count() <= 70, "{failed}");
    let hint = did.err.split_once("  hint: parse-long").unwrap().1.replace("\n  ", " ");
    assert!(hint.contains("write (parse-double (str/replace s \",\" \"\"))"), "{hint}");
    assert!(did.err.lines().all(|l| !l.starts_with("  hint: ") || l.chars().count() <= 70), "{}", did.err);
    let did = ptc_in(&args, "", live(50));
    let line = did.err.lines().find(|l| l.starts_with("1 error")).unwrap();
    assert!(line.starts_with("1 error tool: ") && line.ends_with("price (exit code 1)"), "{line}");
    assert!(line.chars().count() < 50, "{line}");
}

#[test]
fn no_terminal_is_too_narrow() {
    let folder = Folder::new("live-narrow");
    let task = folder.task();
    for columns in [0, 1, 2, 3, 20, 59, 60, 61] {
        let around = CliContext { width: Some(columns), ..live(columns) };
        let did = ptc_in(&["run", &task], "", around);
        assert_eq!(did.code, 0, "at {columns}: {}", did.err);
        assert!(did.out.contains(":pen") && did.err.contains("returned after 3 turns"), "at {columns}: {}", did.err);
    }
}

#[test]
fn values_are_laid_out_and_long_output_is_told_in_words() {
    let folder = Folder::new("live-values");
    let replies = "## Turn 1\n```clojure\n(dotimes [i 100] (println \"line\" i))\n[{:name \"Ann\" :n 5} {:name \"Bo\" :n 1200}]\n```\n\
                   ## Turn 2\n```clojure\n(println (str (char 27) \"[2J\" (char 8238) (char 13) \"here\"))\n```\n\
                   ## Turn 3\n```clojure\n(return \"two\\nlines \\u001b[2J\")\n```\n";
    folder.file("t/task.toml", "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n");
    folder.file("t/replies.md", replies);
    let around = CliContext { width: Some(80), ..live(80) };
    let did = ptc_in(&["run", &folder.path("t")], "", around);
    assert_eq!(did.code, 0, "{}", did.err);
    let table = "  ... 70 more lines printed\n  => :name    :n\n     ─────  ────\n     Ann       5\n     Bo     1200\n";
    assert!(did.err.contains(table), "{}", did.err);
    assert!(did.err.contains("  \\u{1b}[2J\\u{202e}\\u{d}here\n"), "{}", did.err);
    // On a terminal a string is its text, of which nothing is obeyed; piped, or asked for, it is what a program would write.
    assert_eq!(did.out, "two\nlines \\u{1b}[2J\n");
    let around = CliContext { width: Some(80), ..live(80) };
    let did = ptc_in(&["run", &folder.path("t"), "--output", "text"], "", around);
    assert!(did.out.starts_with("\"two\\nlines "), "{}", did.out);
}

#[test]
fn a_model_that_is_asked_again_says_why() {
    // One try that a server loses, with a wait that its policy sets.
    let folder = Folder::new("live-retry");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for n in 0.. {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let mut head = [0; 65536];
            let _ = std::io::Read::read(&mut stream, &mut head);
            let body = if n == 0 {
                r#"{"error":{"message":"secret words of a server"}}"#.to_owned()
            } else {
                r#"{"id":"c","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"(return 1)"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}"#.to_owned()
            };
            let status = if n == 0 { "429 X\r\nretry-after-ms: 20" } else { "200 OK" };
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all((head + &body).as_bytes());
        }
    });
    folder.file("t/task.toml", "[task]\nprompt = \"p\"\nmodel = \"openai/m\"\n");
    let variables = [("OPENAI_BASE_URL", url.as_str()), ("OPENAI_API_KEY", "k")];
    let around = CliContext { environment: variables.into_iter().collect(), ..Default::default() };
    let did = ptc_in(&["run", &folder.path("t")], "", around);
    assert_eq!((did.code, did.out.as_str()), (0, "1\n"), "{}", did.err);
    assert!(did.err.contains("  too many requests; asked again in 0."), "{}", did.err);
    assert!(did.err.contains(" s (try 2 of 4)\n") && !did.err.contains("secret words"), "{}", did.err);
}

#[test]
fn events_are_lines_and_say_what_the_trace_says() {
    let folder = Folder::new("live-events");
    let (task, trace) = (folder.task(), folder.path("t.jsonl"));
    let did = ptc(&["run", &task, "--output", "jsonl", "--trace", &trace]);
    assert_eq!(did.code, 0, "{}", did.err);
    let all = events(&did.out);
    assert_eq!(
        kinds(&all),
        [
            "run_started",
            "turn_started",
            "model_delta",
            "program",
            "tool_call",
            "tool_result",
            "output",
            "turn_ended",
            "usage",
            "turn_started",
            "model_delta",
            "program",
            "tool_call",
            "tool_result",
            "turn_ended",
            "usage",
            "turn_started",
            "model_delta",
            "program",
            "tool_call",
            "tool_result",
            "turn_ended",
            "usage",
            "run_ended"
        ]
    );
    let kept = ptc(&["trace", &trace, "--json"]);
    let turns: Vec<Value> = serde_json::from_str(&kept.out).unwrap();
    let of = |kind: &str| all.iter().filter(|e| e["type"] == kind).cloned().collect::<Vec<_>>();
    for (turn, (program, ended)) in turns.iter().zip(of("program").iter().zip(&of("turn_ended"))) {
        assert_eq!(program["text"], turn["program"]);
        assert_eq!(
            (&ended["status"], &ended["turn"], &ended["usage"]),
            (&turn["status"], &turn["turn"], &turn["usage"])
        );
        assert_eq!(ended["error"]["message"], turn["error"]["message"]);
    }
    let calls: Vec<&Value> = turns.iter().flat_map(|t| t["tool_calls"].as_array().unwrap()).collect();
    assert_eq!(calls.len(), 3);
    for (call, (asked, answered)) in calls.iter().zip(of("tool_call").iter().zip(&of("tool_result"))) {
        assert_eq!((&asked["id"], &asked["name"], &asked["args"]), (&call["id"], &call["name"], &call["args"]));
        assert_eq!(
            (&answered["id"], &answered["result"], &answered["error"]),
            (&call["id"], &call["result"], &call["error"])
        );
    }
    assert_eq!(of("output")[0]["text"], "3\n");
    // The last line is what --json prints.
    let line = ptc(&["run", &task, "--json"]);
    let (json, mut last): (Value, Value) = (serde_json::from_str(&line.out).unwrap(), all.last().unwrap().clone());
    last.as_object_mut().unwrap().retain(|k, _| k != "type" && k != "time");
    assert!(last.as_object().unwrap().keys().eq(json.as_object().unwrap().keys()), "{last}");
    for key in ["status", "value", "json", "turns"] {
        assert_eq!(last[key], json[key]);
    }
    // What keeps it from beginning is a line too.
    let did = ptc(&["run", &folder.path("nowhere"), "--output", "jsonl"]);
    assert_eq!((did.code, kinds(&events(&did.out))), (2, vec!["run_ended"]));
    assert_eq!(events(&did.out)[0]["error"]["kind"], "usage");
}

#[test]
fn what_is_long_in_an_event_is_cut_and_says_so() {
    let folder = Folder::new("live-bounded");
    folder.file(
        "t/task.toml",
        "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[limits]\nprintln_bytes = 1000000\n",
    );
    folder.file(
        "t/replies.md",
        "## Turn 1\n```clojure\n(println (apply str (repeat 60000 \"é\")))\n(vec (range 40000))\n```\n## Turn 2\n```clojure\n(return 1)\n```\n",
    );
    let did = ptc(&["run", &folder.path("t"), "--output", "jsonl", "-q"]);
    assert_eq!(did.code, 0, "{}{}", did.out, did.err);
    assert!(did.out.lines().all(|l| l.len() < 200_000), "{}", did.out.len());
    let all = events(&did.out);
    let ended = all.iter().find(|e| e["type"] == "turn_ended").unwrap();
    assert!(ended["cut_bytes"].as_u64().unwrap() > 65_536 && ended.get("json").is_none(), "{ended}");
    let output = all.iter().find(|e| e["type"] == "output").unwrap();
    assert_eq!((output["text"].as_str().unwrap().len(), &output["cut_bytes"]), (65_536, &Value::from(120_001)));
}

/// Makes the file that a tool waits for once the line of its call has come.
struct Reader {
    go: PathBuf,
    text: Vec<u8>,
    come: Vec<u8>,
}

impl Write for Reader {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.come.append(&mut self.text);
        if String::from_utf8_lossy(&self.come).contains("\"type\":\"tool_call\"") {
            std::fs::write(&self.go, "")?;
        }
        Ok(())
    }
}

#[cfg(unix)]
#[test]
fn events_come_as_they_happen() {
    let folder = Folder::new("live-flushed");
    folder.file(
        "t/task.toml",
        "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[tools.wait]\ncommand = [\"sh\", \"wait.sh\"]\nparams = []\n",
    );
    folder.file("t/wait.sh", "while ! [ -e go ]; do sleep 0.01; done\necho '\"went\"'\n");
    folder.file("t/replies.md", "## Turn 1\n```clojure\n(return (tool/wait))\n```\n");
    let mut out = Reader { go: folder.0.join("t/go"), text: Vec::new(), come: Vec::new() };
    let mut err = Vec::new();
    let args = ["ptc", "run", &folder.path("t"), "--output", "jsonl"].map(str::to_owned);
    let code = ptc_cli::run_in(args, &mut std::io::empty(), &mut out, &mut err, CliContext::default());
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&err));
    assert!(String::from_utf8_lossy(&out.come).contains("\"result\":\"went\""));
}

/// Nobody reads behind the first line.
struct Gone(usize);

impl Write for Gone {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += 1;
        if self.0 > 1 { Err(std::io::ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn nobody_who_reads_events_ends_the_run() {
    let folder = Folder::new("live-gone");
    let (task, trace) = (folder.task(), folder.path("t.jsonl"));
    let mut err = Vec::new();
    let args = ["ptc", "run", &task, "--output", "jsonl", "--trace", &trace].map(str::to_owned);
    ptc_cli::run_in(args, &mut std::io::empty(), &mut Gone(0), &mut err, CliContext::default());
    let err = String::from_utf8(err).unwrap();
    assert!(err.contains("cancelled"), "{err}");
    // What was kept goes on.
    assert_eq!(ptc(&["run", &task, "--resume", &trace, "-q"]).out, "{:pen [3 2], :by :shop}\n");
}

#[test]
fn quiet_is_the_result_alone() {
    let folder = Folder::new("live-quiet");
    let task = folder.task();
    for around in [CliContext::default(), live(80)] {
        let did = ptc_in(&["run", &task, "-q"], "", around);
        assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (0, "{:pen [3 2], :by :shop}\n", ""));
    }
    // Why it did not return is said all the same.
    let did = ptc(&["run", &task, "-q", "--max-turns", "1"]);
    assert_eq!((did.code, did.err.lines().count()), (3, 1), "{}", did.err);
    assert_eq!(ptc(&["run", &task, "-q", "-v"]).code, 2);
}

#[test]
fn colours_are_where_they_are_wanted() {
    let folder = Folder::new("live-colours");
    let task = folder.task();
    let run = |args: &[&str], plain: bool| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let all = ["ptc", "run", &task].into_iter().chain(args.iter().copied());
        let around = CliContext { plain, width: Some(80), color: !plain, ..live(80) };
        ptc_cli::run_in(all, &mut std::io::empty(), &mut out, &mut err, around);
        (out.contains(&0x1b), err.contains(&0x1b))
    };
    assert_eq!((run(&[], false), run(&[], true)), ((true, true), (false, false)));
    assert_eq!((run(&["--color", "never"], false), run(&["--color=always"], true)), ((false, false), (true, true)));
    assert_eq!(ptc(&["run", &task, "--color", "often"]).code, 2);
    assert_eq!(ptc(&["run", &task, "--json", "--output", "text"]).code, 2);
}

#[test]
fn sub_agents_are_named() {
    let folder = Folder::new("live-agents");
    let server = Server::new(|_, _| Err("not asked".into()));
    folder.file("inner/task.toml", "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n");
    folder.file(
        "inner/replies.md",
        "## Turn 1\n```clojure\n(def x 1)\n```\n## Turn 2\n```clojure\n(return (inc x))\n```\n",
    );
    folder.file(
        "outer/task.toml",
        "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[agents.helper]\ntask = \"../inner\"\n",
    );
    folder.file("outer/replies.md", "## Turn 1\n```clojure\n(return (tool/helper {:request \"go\"}))\n```\n");
    let did = ptc_in(
        &["run", &folder.path("outer")],
        "",
        CliContext { environment: server.around().environment, ..live(80) },
    );
    assert_eq!((did.code, did.out.as_str()), (0, "2\n"), "{}", did.err);
    for line in ["    helper: turn 1 ok\n", "    helper: turn 2 returned\n", "    helper: returned\n"] {
        assert!(did.err.contains(line), "{}", did.err);
    }
    let did = ptc(&["run", &folder.path("outer"), "--output", "jsonl", "-q"]);
    let all = events(&did.out);
    let inside: Vec<&Value> = all.iter().filter(|e| e["type"] == "subtask").collect();
    let steps: Vec<&str> = inside.iter().map(|e| e["step"].as_str().unwrap()).collect();
    assert_eq!(steps, ["turn_started", "replied", "turn_ended", "turn_started", "replied", "turn_ended", "run_ended"]);
    assert!(
        inside.iter().all(|e| e["path"][0] == "helper" && e["label"].as_str().unwrap().starts_with("agent-helper-"))
    );
}
